#include "flat_name.h"

#include "core/base/buf.h"
#include "core/base/text.h"
#include "core/symbol/demangle.h"
#include "core/text/name_fit.h"
#include "core/text/shown.h"

#include <inttypes.h>

/* Where names start: behind two columns that end in tabs; the first may need a third. */
enum { NAME_COLUMN = 16, TAB = 8 };
static const uint64_t widest_amount = 9999999;

static void name_alone(const struct flat_report *r, const struct flat_row *row, bool in_module,
                       struct buf *out)
{
    if (row->file)
        buf_printf(out, "%s:%" PRIu32, path_last(row->file), row->line);
    else if (row->function)
        buf_adds(out, demangled(r->names, row->function));
    else if (row->start)
        buf_printf(out, "0x%" PRIx64, row->start);
    else
        buf_adds(out, in_module ? "(no symbol)" : "(no module)");
}

/* A module takes a third of the line at most. */
static void module_behind(const struct flat_report *r, const struct flat_row *row,
                          const struct module *m, bool main, struct buf *out)
{
    struct buf name = BUF_INIT;
    if (m)
        name_fit(&name, m->name, r->width / 3);
    if (m && row->function && module_jit(m))
        buf_adds(out, " [JIT]");
    else if (m && !main)
        buf_printf(out, m->name[0] == '[' ? " %s" : " [%s]", buf_str(&name));
    buf_release(&name);
}

static size_t name_width(const struct flat_report *r, uint64_t amount, const struct buf *behind)
{
    size_t taken = NAME_COLUMN + (amount > widest_amount ? TAB : 0);
    taken += r->sampled->want.waits ? TAB : 0;
    taken += behind->len ? text_columns(behind->data, behind->len) : 0;
    if (!r->width)
        return 0;
    return r->width > taken ? r->width - taken : 1;
}

void flat_name(const struct flat_report *r, const struct flat_row *row, const struct module *m,
               bool main, uint64_t amount, struct buf *out)
{
    struct buf name = BUF_INIT, behind = BUF_INIT, fitting = BUF_INIT;
    name_alone(r, row, m, &name);
    module_behind(r, row, m, main, &behind);
    if (m && !row->function)
        module_owner(m, r->sampled->want.pid, &behind);
    name_fit(&fitting, buf_str(&name), name_width(r, amount, &behind));
    shown_add(out, buf_str(&fitting), fitting.len);
    shown_add(out, buf_str(&behind), behind.len);
    buf_release(&name);
    buf_release(&behind);
    buf_release(&fitting);
}
