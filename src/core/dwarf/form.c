#include "form.h"

#include "names.h"

enum { GNU_FORMS = 0x1f00 };

/* DWARF 5, 7.5.6; the GNU forms by binutils' include/dwarf2.def. */
static const struct dwarf_form forms[] = {
    [DW_FORM_addr] = {DWARF_SIZE_ADDR, DWARF_OTHER},
    [DW_FORM_data1] = {1, DWARF_NUMBER},
    [DW_FORM_data2] = {2, DWARF_NUMBER},
    [DW_FORM_data4] = {4, DWARF_NUMBER},
    [DW_FORM_data8] = {8, DWARF_NUMBER},
    [DW_FORM_data16] = {16, DWARF_OTHER},
    [DW_FORM_sdata] = {DWARF_SIZE_VARIES, DWARF_NUMBER},
    [DW_FORM_udata] = {DWARF_SIZE_ULEB, DWARF_NUMBER},
    [DW_FORM_sec_offset] = {DWARF_SIZE_OFFSET, DWARF_NUMBER},
    [DW_FORM_flag] = {1, DWARF_OTHER},
    [DW_FORM_flag_present] = {DWARF_SIZE_NONE, DWARF_OTHER},
    [DW_FORM_implicit_const] = {DWARF_SIZE_NONE, DWARF_OTHER},
    [DW_FORM_ref1] = {1, DWARF_REF},
    [DW_FORM_ref2] = {2, DWARF_REF},
    [DW_FORM_ref4] = {4, DWARF_REF},
    [DW_FORM_ref8] = {8, DWARF_REF},
    [DW_FORM_ref_udata] = {DWARF_SIZE_ULEB, DWARF_REF},
    [DW_FORM_ref_sig8] = {8, DWARF_OTHER},
    [DW_FORM_ref_sup4] = {4, DWARF_OTHER},
    [DW_FORM_ref_sup8] = {8, DWARF_OTHER},
    [DW_FORM_strp] = {DWARF_SIZE_OFFSET, DWARF_OTHER},
    [DW_FORM_line_strp] = {DWARF_SIZE_OFFSET, DWARF_OTHER},
    [DW_FORM_strp_sup] = {DWARF_SIZE_OFFSET, DWARF_OTHER},
    [DW_FORM_strx] = {DWARF_SIZE_ULEB, DWARF_STRING_INDEX},
    [DW_FORM_strx1] = {1, DWARF_STRING_INDEX},
    [DW_FORM_strx2] = {2, DWARF_STRING_INDEX},
    [DW_FORM_strx3] = {3, DWARF_STRING_INDEX},
    [DW_FORM_strx4] = {4, DWARF_STRING_INDEX},
    [DW_FORM_addrx] = {DWARF_SIZE_ULEB, DWARF_ADDRESS_INDEX},
    [DW_FORM_addrx1] = {1, DWARF_ADDRESS_INDEX},
    [DW_FORM_addrx2] = {2, DWARF_ADDRESS_INDEX},
    [DW_FORM_addrx3] = {3, DWARF_ADDRESS_INDEX},
    [DW_FORM_addrx4] = {4, DWARF_ADDRESS_INDEX},
    [DW_FORM_loclistx] = {DWARF_SIZE_ULEB, DWARF_OTHER},
    [DW_FORM_rnglistx] = {DWARF_SIZE_ULEB, DWARF_OTHER},
};
static const struct dwarf_form gnu_forms[] = {
    [DW_FORM_GNU_addr_index - GNU_FORMS] = {DWARF_SIZE_ULEB, DWARF_ADDRESS_INDEX},
    [DW_FORM_GNU_str_index - GNU_FORMS] = {DWARF_SIZE_ULEB, DWARF_STRING_INDEX},
    [DW_FORM_GNU_ref_alt - GNU_FORMS] = {DWARF_SIZE_OFFSET, DWARF_OTHER},
    [DW_FORM_GNU_strp_alt - GNU_FORMS] = {DWARF_SIZE_OFFSET, DWARF_OTHER},
};

struct dwarf_form dwarf_form(uint64_t form)
{
    if (form < sizeof forms / sizeof *forms)
        return forms[form];
    if (form - GNU_FORMS < sizeof gnu_forms / sizeof *gnu_forms)
        return gnu_forms[form - GNU_FORMS];
    return (struct dwarf_form){DWARF_SIZE_VARIES, DWARF_OTHER};
}
