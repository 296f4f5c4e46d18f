#include "core/base/buf.h"
#include "core/prof/report.h"
#include "core/text/table.h"

int prof_marks_text(const struct prof_tree *t, struct buf *out)
{
    struct table table;
    table_init(&table, ">ms.3 >thread <mark");
    for (size_t i = 0; i < t->marks; i++)
        table_cells(&table, (double)t->mark[i].ns / 1e6, t->mark[i].tid, t->mark[i].name);
    return table_print(&table, out, 0);
}
