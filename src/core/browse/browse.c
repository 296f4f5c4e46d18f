/* A browser from start to end. */
#include "private.h"

#include <stdio.h>
#include <stdlib.h>

struct browse *browse_new(const struct browse_source *source)
{
    struct browse *b = calloc(1, sizeof *b);
    if (!b)
        return NULL;
    b->source = *source;
    b->scope.thread = STACKS_NONE;
    b->place = (struct browse_place){.function = STACKS_NONE,
                                     .module = UINT32_MAX,
                                     .thread = STACKS_NONE,
                                     .marked = STACKS_NONE};
    b->lines = 24 - BROWSE_HEAD - 1;
    if (browse_graph_init(&b->graph, source) < 0) {
        browse_free(b);
        return NULL;
    }
    browse_graph_count(&b->graph, source, &b->scope);
    browse_open(b);
    return b;
}

void browse_free(struct browse *b)
{
    if (!b)
        return;
    browse_branches_release(&b->branches);
    browse_rows_release(&b->rows);
    browse_graph_release(&b->graph);
    annotate_text_release(&b->text);
    free(b->past);
    free(b);
}

const struct stacks_function *browse_function(const struct browse *b)
{
    return browse_row_function(&b->graph, browse_marked(b));
}

const struct browse_scope *browse_scope(const struct browse *b)
{
    return &b->scope;
}

void browse_say(struct browse *b, const char *message)
{
    snprintf(b->said, sizeof b->said, "%s", message);
}

/* --- a function's text --- */

bool browse_wants_code(const struct browse *b)
{
    return b->place.code;
}

static size_t hottest_line(const struct annotate_text *t)
{
    size_t hottest = 0;
    for (size_t i = 0; i < t->count; i++)
        if (t->row[i].sum.weight > t->row[hottest].sum.weight)
            hottest = i;
    return hottest;
}

void browse_show_text(struct browse *b, struct annotate_text *text)
{
    annotate_text_release(&b->text);
    b->text = *text;
    *text = (struct annotate_text){0};
    b->text_due = false;
    b->no_text[0][0] = b->no_text[1][0] = '\0';
    b->list = (struct list){.count = b->text.count};
    if (b->place.marked == STACKS_NONE)
        list_centre(&b->list, hottest_line(&b->text), b->lines);
    else
        list_centre(&b->list, b->place.marked, b->lines);
}

void browse_no_text(struct browse *b, const char *why, const char *remedy)
{
    browse_show_text(b, &(struct annotate_text){0});
    snprintf(b->no_text[0], sizeof b->no_text[0], "%s", why);
    snprintf(b->no_text[1], sizeof b->no_text[1], "%s", remedy);
}
