#include "core/topo/read.h"

#include "core/base/line.h"
#include "read_forms.h"

#include <errno.h>

static size_t line_number(const char *text, const char *at)
{
    size_t n = 1;
    for (; text < at; text++)
        n += *text == '\n';
    return n;
}

static bool has_word(struct line line, const char *word)
{
    return memmem(line.at, line_len(line), word, strlen(word));
}

static int read_form(struct topo_text *text, struct topo *t)
{
    struct lines rest = {text->at, text->end};
    struct line line = {text->at, text->at};
    while (line_next(&rest, &line) && !line_len(line))
        ;
    if (line_len(line) >= strlen(machine_start) &&
        memcmp(line.at, machine_start, strlen(machine_start)) == 0)
        return read_machine(text, t);
    return has_word(line, human_total) ? read_human(text, t) : read_events(text, t);
}

int topo_read(const char *name, const char *text, size_t len, struct topo *t, struct fail *f)
{
    struct topo_text x = {.at = text, .end = len ? text + len : text};
    topo_init(t);
    int r = len ? read_form(&x, t) : 0;
    if (r == -EINVAL)
        return fail_set(f, 0, "%s: line %zu: %s", name, line_number(text, x.at), x.wrong);
    if (r == 0)
        r = topo_finish(t);
    if (r < 0)
        return fail_set(f, -r, "%s", name);
    return t->functions ? 0 : fail_set(f, 0, "%s: no complete run of a function", name);
}
