#include "unit.h"

#include "core/elf/elf.h"
#include "core/probe/plan.h"
#include "core/unwind/cfi.h"

#include <stdlib.h>

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
                              name ? name->name : "?", probe_ways[s->way].key,
                              probe_reasons[s->reason].key, probe_returns[s->returns].key, s->at,
                              s->covers);
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
