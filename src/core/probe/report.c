#include "core/probe/report.h"

#include "core/base/buf.h"
#include "core/base/share.h"
#include "core/elf/elf.h"
#include "core/symbol/demangle.h"
#include "core/text/counted.h"
#include "core/text/json.h"
#include "core/text/shown.h"
#include "core/text/table.h"

#include <inttypes.h>

static const char *machine_name(unsigned machine)
{
    return machine == ELF_MACHINE_X86_64 ? "x86-64" : machine == ELF_MACHINE_ARM ? "arm" : "arm64";
}

static const char *name_of(const struct probe_module *m, uint64_t start)
{
    const struct symbol *s = symtab_find(elf_symbols(m->elf), start);
    return s && s->start == start ? s->name : NULL;
}

/* --- text --- */

static void add_row(struct table *t, size_t count, size_t whole, const char *what, const char *text)
{
    if (!count)
        return;
    table_cells(t, count, share_pct(count, whole));
    table_cell(t, "%s%s", what, text);
}

static void add_counts(struct table *t, const struct probe_counts *n, size_t whole)
{
    for (unsigned w = PROBE_REFUSED + 1; w < PROBE_WAYS; w++)
        add_row(t, n->way[w], whole, "patched: ", probe_ways[w].text);
    for (unsigned r = 0; r < PROBE_REASONS; r++)
        add_row(t, n->reason[r], whole, "not patched: ", probe_reasons[r].text);
    for (unsigned r = PROBE_RETURN_HOOKED + 1; r < PROBE_RETURNS; r++)
        add_row(t, n->returns[r], whole, "entry only: ", probe_returns[r].text);
}

static int print_counts(const struct probe_counts *n, size_t whole, struct buf *out)
{
    struct table t;
    table_init(&t, ">functions >%.2 <how");
    add_counts(&t, n, whole);
    return table_print(&t, out, 0);
}

static void add_refused(const struct probe_module *m, const struct probe_site *s,
                        struct demangler *d, struct table *t)
{
    const char *name = demangled(d, name_of(m, s->start));
    table_cell(t, "0x%" PRIx64, s->start);
    table_cells(t, probe_reasons[s->reason].text, name ? name : "(no symbol)");
}

static int print_refused(const struct probe_module *m, const struct probe_view *v, size_t count,
                         const struct report_part *part, struct buf *out)
{
    struct table t;
    SCOPED(demangler_release) struct demangler d = {.off = v->no_demangle};
    size_t most = report_shown(count, part->rows, part->fitted), shown = 0;
    table_init(&t, ">address <not_patched <function");
    for (size_t i = 0; i < m->plan.count && shown < most; i++)
        if (m->plan.site[i].way == PROBE_REFUSED) {
            add_refused(m, &m->plan.site[i], &d, &t);
            shown++;
        }
    int err = table_print(&t, out, 0);
    if (shown < count) {
        report_rest(out, count - shown, part->fitted);
        buf_addc(out, '\n');
    }
    return err;
}

int probe_report(const struct probe_module *m, const struct probe_view *v,
                 const struct report_part *part, struct buf *out)
{
    struct probe_counts n;
    probe_plan_count(&m->plan, &n);
    shown_adds(out, m->path);
    buf_printf(out, ": %s, %zu of %s can be patched (%.2f%%)\n", machine_name(m->plan.machine),
               n.patchable, counted(m->plan.count, "function").text,
               share_pct(n.patchable, m->plan.count));
    int err = print_counts(&n, m->plan.count, out);
    size_t refused = m->plan.count - n.patchable;
    if (!err && v->unpatched && refused)
        err = print_refused(m, v, refused, part, out);
    return err;
}

/* --- JSON --- */

static void write_counts(const struct probe_counts *n, struct json *j)
{
    json_object(j, "ways");
    for (unsigned w = PROBE_REFUSED + 1; w < PROBE_WAYS; w++)
        json_u64(j, probe_ways[w].key, n->way[w]);
    json_object_end(j);
    json_object(j, "reasons");
    for (unsigned r = PROBE_NO_REASON + 1; r < PROBE_REASONS; r++)
        json_u64(j, probe_reasons[r].key, n->reason[r]);
    json_object_end(j);
    json_object(j, "entry_only");
    for (unsigned r = PROBE_RETURN_HOOKED + 1; r < PROBE_RETURNS; r++)
        json_u64(j, probe_returns[r].key, n->returns[r]);
    json_object_end(j);
}

static void write_refused(const struct probe_module *m, struct json *j)
{
    json_array(j, "unpatched");
    for (size_t i = 0; i < m->plan.count; i++) {
        const struct probe_site *s = &m->plan.site[i];
        if (s->way != PROBE_REFUSED)
            continue;
        json_record(j, NULL, "address:x reason [function]", s->start, probe_reasons[s->reason].key,
                    name_of(m, s->start));
    }
    json_array_end(j);
}

void probe_report_json(const struct probe_module *m, const struct probe_view *v, struct json *j)
{
    struct probe_counts n;
    probe_plan_count(&m->plan, &n);
    json_object(j, NULL);
    json_members(j, "path machine entries patchable", m->path, machine_name(m->plan.machine),
                 m->plan.count, n.patchable);
    write_counts(&n, j);
    if (v->unpatched)
        write_refused(m, j);
    json_object_end(j);
}
