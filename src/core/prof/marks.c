#include "core/base/buf.h"
#include "core/prof/report.h"
#include "core/text/table.h"

#include <inttypes.h>

int prof_marks_text(const struct prof_tree *t, struct buf *out)
{
    struct table table;
    table_init(&table, ">ms >thread <mark");
    for (size_t i = 0; i < t->marks; i++) {
        table_cell(&table, "%.3f", (double)t->mark[i].ns / 1e6);
        table_cell(&table, "%" PRIu32, t->mark[i].tid);
        table_cell(&table, "%s", t->mark[i].name);
    }
    return table_print(&table, out, 0);
}
