/* A browser from start to end. */
#include "core/browse/browse.h"

#include "core/base/grow.h"
#include "private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    buf_release(&b->text);
    free(b->line);
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

/* The share of a line; the columns before it are the time, and this. */
static double line_share(const char *line)
{
    const char *tab = strchr(line, '\t'), *end = strchr(line, '\n');
    return tab && (!end || tab < end) ? strtod(tab, NULL) : 0;
}

static void split_lines(struct browse *b)
{
    size_t hottest = 0, count = 0;
    double max = 0;
    const char *text = buf_str(&b->text);
    for (size_t at = 0; at < b->text.len; count++) {
        if (!grow(&b->line, &b->line_cap, count, sizeof *b->line))
            break;
        b->line[count] = at;
        if (line_share(text + at) > max) {
            max = line_share(text + at);
            hottest = count;
        }
        size_t len = strcspn(text + at, "\n");
        b->text.data[at + len] = '\0';
        at += len + 1;
    }
    b->list = (struct list){.count = count};
    list_centre(&b->list, hottest, b->lines);
}

void browse_show_text(struct browse *b, const char *text)
{
    struct browse_place to = b->place;
    to.function = browse_marked(b);
    to.view = BROWSE_TEXT_OF;
    if (b->place.view == BROWSE_TEXT_OF) /* the same in another scope */
        b->place = to;
    else
        browse_go(b, &to);
    buf_clear(&b->text);
    buf_adds(&b->text, text);
    if (buf_error(&b->text))
        browse_say(b, "out of memory");
    else
        split_lines(b);
}
