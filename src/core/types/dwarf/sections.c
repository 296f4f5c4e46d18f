#include "reader.h"

static const char *const names[] = {
    [DWARF_INFO] = ".debug_info",
    [DWARF_ABBREV] = ".debug_abbrev",
    [DWARF_STR] = ".debug_str",
    [DWARF_LINE_STR] = ".debug_line_str",
    [DWARF_STR_OFFSETS] = ".debug_str_offsets",
    [DWARF_ADDR] = ".debug_addr",
    [DWARF_RANGES] = ".debug_ranges",
    [DWARF_RNGLISTS] = ".debug_rnglists",
};

_Static_assert(sizeof names / sizeof names[0] + 1 == READER_SECTIONS, "one more than the names");

const char *reader_section(const struct dwarf_image *d, uint64_t index, struct dwarf_bytes *out)
{
    bool there = index && index < READER_SECTIONS && names[index - 1];
    *out = there ? d->section[index - 1] : (struct dwarf_bytes){0};
    return out->len ? names[index - 1] : "";
}

bool reader_lacks_section(const struct dwarf_image *d)
{
    for (size_t s = 0; s < sizeof names / sizeof names[0]; s++)
        if (names[s] && d->missing & UINT32_C(1) << s)
            return true;
    return false;
}
