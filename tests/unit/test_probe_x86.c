#include "unit.h"

#include "../../src/core/probe/relocate.h"
#include "core/elf/elf.h"
#include "core/probe/plan.h"
#include "core/unwind/cfi.h"

#include <errno.h>
#include <stdlib.h>

/* --- relocation --- */

static const char *moved(const char *bytes, size_t len, uint64_t from, uint64_t to)
{
    static char text[3 * PROBE_MAX_MOVED];
    uint8_t out[PROBE_MAX_MOVED];
    struct probe_moved m = {.bytes = (const uint8_t *)bytes, .len = len, .from = from, .to = to};
    int n = probe_x86_relocate(&m, out);
    if (n < 0)
        return n == -ERANGE ? "too far" : "cannot be moved";
    text[0] = '\0';
    for (int i = 0; i < n; i++)
        sprintf(text + 3 * i, "%02x%s", out[i], i + 1 < n ? " " : "");
    return text;
}

#define MOVED(bytes, to, want) CHECK_STR(moved(bytes, sizeof(bytes) - 1, 0x1000, to), want)

TEST(probe_x86_plain_code_is_kept)
{
    MOVED("\x55\x48\x89\xe5\x53", 0x2000, "55 48 89 e5 53 e9 fb ef ff ff");
    MOVED("\x31\xc0\xc3\x66\x90", 0x2000, "31 c0 c3 66 90 e9 fb ef ff ff");
}

TEST(probe_x86_distances_are_adjusted)
{
    MOVED("\x8b\x05\x10\0\0\0", 0x2000, "8b 05 10 f0 ff ff e9 fb ef ff ff");
    MOVED("\x83\x3d\x10\0\0\0\1", 0x2000, "83 3d 10 f0 ff ff 01 e9 fb ef ff ff");
    MOVED("\xe9\x10\0\0\0", 0x2000, "e9 10 f0 ff ff");
    MOVED("\x31\xc0\x90\x75\x10", 0x2000, "31 c0 90 0f 85 0c f0 ff ff e9 f7 ef ff ff");
    MOVED("\x90\x90\x90\xe2\x10", 0x2000, "90 90 90 e2 02 eb 05 e9 09 f0 ff ff e9 f4 ef ff ff");
}

TEST(probe_x86_calls_return_to_the_original_code)
{
    MOVED("\xe8\x10\0\0\0", 0x2000, "68 05 10 00 00 c7 44 24 04 00 00 00 00 e9 03 f0 ff ff");
    MOVED("\x48\x89\xfb\xff\xd0", 0x2000, "48 89 fb 68 05 10 00 00 c7 44 24 04 00 00 00 00 ff e0");
    MOVED("\xff\x15\x10\0\0\0", 0x2000, "68 06 10 00 00 c7 44 24 04 00 00 00 00 ff 25 03 f0 ff ff");
}

TEST(probe_x86_that_cannot_be_moved)
{
    MOVED("\x06\x90\x90\x90\x90", 0x2000, "cannot be moved");     /* unknown */
    MOVED("\xff\xd0\x90\x90\x90", 0x2000, "cannot be moved");     /* would return inside */
    MOVED("\x31\xc0\x75\xfd\x90", 0x2000, "cannot be moved");     /* jumps inside */
    MOVED("\x48\x89\xfb\xff\x14\x24", 0x2000, "cannot be moved"); /* by the stack pointer */
    MOVED("\x8b\x05\x10\0\0\0", UINT64_C(0x100000000), "too far");
}

/* --- the plan --- */

static const char *plan_text(const char *path)
{
    static char text[4096];
    struct elf_module *m;
    struct cfi *c;
    struct probe_plan p;
    size_t len, n = 0;
    char *bytes = unit_file(path, &len);
    CHECK_INT(elf_open((const uint8_t *)bytes, len, &m, NULL), 0);
    CHECK_INT(cfi_new(&(struct cfi_image){(const uint8_t *)bytes, len, NULL}, NULL, &c, NULL), 0);
    CHECK_INT(probe_plan_init(&p, m, c, NULL), 0);
    for (size_t i = 0; i < p.count && n < sizeof text; i++) {
        const struct probe_site *s = &p.site[i];
        const struct symbol *name = symtab_find(elf_symbols(m), s->start);
        n += (size_t)snprintf(text + n, sizeof text - n, "%s %s %s %s %u+%u\n",
                              name ? name->name : "?", probe_way_key((enum probe_way)s->way),
                              probe_reason_key((enum probe_reason)s->reason),
                              probe_return_key((enum probe_return)s->returns), s->at, s->covers);
    }
    probe_plan_release(&p);
    cfi_free(c);
    elf_close(m);
    free(bytes);
    return text;
}

TEST(probe_x86_plan_of_every_kind)
{
    CHECK_STR(plan_text("data/probe/x86_64"), "padded nops none hooked 0+5\n"
                                              "landing endbr64 none hooked 0+5\n"
                                              "one_instruction first none hooked 0+7\n"
                                              "several_instructions several none hooked 0+8\n"
                                              "with_padding_behind several none hooked 0+14\n"
                                              "loops_to_second refused jump_target hooked 0+2\n"
                                              "switches refused jump_target hooked 0+2\n"
                                              "jumps_to_label refused jump_target hooked 0+2\n"
                                              "calls_first first none hooked 0+5\n"
                                              "calls_register refused call hooked 0+0\n"
                                              "calls_stack refused call hooked 0+0\n"
                                              "has_data refused unknown_instruction hooked 0+3\n"
                                              "reads_return several none reads_return_address 0+8\n"
                                              "vfork first none by_name 0+5\n"
                                              "very_short refused short hooked 0+1\n"
                                              "behind_short first none hooked 0+5\n"
                                              "has_cold several none hooked 0+6\n");
}

/* Without symbols, all have the same names, but the cold part is none of them. */
TEST(probe_x86_cold_part_without_a_name)
{
    const char *text = plan_text("data/probe/x86_64.stripped");
    CHECK(strstr(text, "first none hooked 0+5\n? several none hooked 0+6\n"));
    size_t lines = 0;
    for (const char *at = text; (at = strchr(at, '\n')); at++)
        lines++;
    CHECK_INT(lines, 17);
}
