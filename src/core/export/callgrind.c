/* Callgrind's profile format, version 1 (valgrind's manual, "Callgrind Format Specification"), with
 * compressed names: "(NUMBER) NAME" at first, "(NUMBER)" from then on. Inlined functions are
 * functions. How often something was called is not known of samples: a call at a line counts once
 * then. What calls cost, recursion included, is core/stacks/costs.h's matter. */
#include "write.h"

#include "core/base/buf.h"
#include "core/containers/intern.h"
#include "core/stacks/costs.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct callgrind {
    const struct stacks *s;
    struct call_costs costs;
    uint32_t *first, *next; /* a function's first cost, the one behind a cost */
    uint8_t *named;         /* a flag a function */
    struct intern files, objects;
    struct buf *out;
};

/* --- functions: those of the stacks, then the root, then the unknown --- */

static size_t place_of(const struct callgrind *c, uint32_t function)
{
    return function == CALL_ROOT      ? c->s->functions
           : function == CALL_UNKNOWN ? c->s->functions + 1
                                      : function;
}

static const char *name_of(const struct callgrind *c, size_t place)
{
    return place == c->s->functions       ? "(all)"
           : place == c->s->functions + 1 ? WRITE_UNKNOWN
                                          : c->s->function[place].name;
}

static const char *file_of(const struct callgrind *c, size_t place)
{
    const char *file = place < c->s->functions ? c->s->function[place].file : "";
    return *file ? file : "???";
}

static const char *object_of(const struct callgrind *c, size_t place)
{
    uint32_t module = place < c->s->functions ? c->s->function[place].module : STACKS_NONE;
    return module == STACKS_NONE ? "???" : c->s->module[module].path;
}

/* --- lines --- */

static void add_plain(struct buf *out, const char *text)
{
    for (; *text; text++)
        buf_addc(out, (unsigned char)*text < ' ' || *text == 0x7f ? ' ' : *text);
}

static void add_name(struct buf *out, const char *key, size_t number, bool first, const char *name)
{
    buf_printf(out, "%s=(%zu)", key, number);
    if (first) {
        buf_addc(out, ' ');
        add_plain(out, name);
    }
    buf_addc(out, '\n');
}

static void add_listed(struct buf *out, const char *key, struct intern *t, const char *name)
{
    size_t before = t->count;
    uint32_t i = intern_string(t, name);
    add_name(out, key, (size_t)i + 1, t->count > before, name);
}

static void add_function(struct callgrind *c, size_t place, bool callee)
{
    add_listed(c->out, callee ? "cob" : "ob", &c->objects, object_of(c, place));
    add_listed(c->out, callee ? "cfi" : "fl", &c->files, file_of(c, place));
    add_name(c->out, callee ? "cfn" : "fn", place + 1, !c->named[place], name_of(c, place));
    c->named[place] = 1;
}

static void add_amounts(struct callgrind *c, uint32_t line, const uint64_t *amounts)
{
    buf_printf(c->out, "%" PRIu32, line);
    for (size_t v = 0; v < c->s->values; v++)
        buf_printf(c->out, " %" PRIu64, amounts[v]);
    buf_addc(c->out, '\n');
}

static bool is_nothing(const struct callgrind *c, const struct call_cost *cost)
{
    for (size_t v = 0; v < c->s->values; v++)
        if (cost->amount[v])
            return false;
    return true;
}

static void add_cost(struct callgrind *c, const struct call_cost *cost)
{
    if (cost->callee != CALL_SELF) {
        add_function(c, place_of(c, cost->callee), true);
        buf_printf(c->out, "calls=%" PRIu64 " %" PRIu32 "\n", cost->calls ? cost->calls : 1,
                   cost->callee_line);
    } else if (is_nothing(c, cost)) {
        return;
    }
    add_amounts(c, cost->line, cost->amount);
}

/* --- the file --- */

static void add_event(struct callgrind *c, const struct stacks_value *v)
{
    for (const char *name = v->name; *name; name++)
        buf_addc(c->out, isalnum((unsigned char)*name) ? *name : '_');
}

static void add_sums(struct callgrind *c, const char *key)
{
    buf_adds(c->out, key);
    for (size_t v = 0; v < c->s->values; v++)
        buf_printf(c->out, " %" PRIu64, stacks_total(c->s, v));
    buf_addc(c->out, '\n');
}

static void add_head(struct callgrind *c)
{
    const struct stacks *s = c->s;
    buf_printf(c->out, "# callgrind format\nversion: 1\ncreator: psuite\ncmd: %s\n",
               s->origin.applet);
    buf_adds(c->out, "desc: Method: ");
    add_plain(c->out, s->origin.method);
    buf_printf(c->out, "\ndesc: Lost samples: %" PRIu64 "\npositions: line\n", s->origin.lost);
    for (size_t v = 0; v < s->values; v++) {
        buf_adds(c->out, "event: ");
        add_event(c, &s->value[v]);
        buf_printf(c->out, " : %s (%s)\n", s->value[v].name, s->value[v].unit);
    }
    buf_adds(c->out, "events:");
    for (size_t v = 0; v < s->values; v++) {
        buf_addc(c->out, ' ');
        add_event(c, &s->value[v]);
    }
    buf_addc(c->out, '\n');
    add_sums(c, "summary:");
}

static const struct call_cost *cost_of(const struct callgrind *c, size_t i)
{
    return (const struct call_cost *)c->costs.costs.record + i;
}

/* Links each function's costs, in their order. */
static int link_costs(struct callgrind *c)
{
    size_t places = c->s->functions + 2, costs = c->costs.costs.count;
    c->named = calloc(places, 1);
    c->first = malloc(places * sizeof *c->first);
    c->next = malloc((costs + 1) * sizeof *c->next);
    if (!c->named || !c->first || !c->next)
        return -ENOMEM;
    memset(c->first, 0xff, places * sizeof *c->first);
    for (size_t i = costs; i--;) {
        uint32_t *first = &c->first[place_of(c, cost_of(c, i)->function)];
        c->next[i] = *first;
        *first = (uint32_t)i;
    }
    return 0;
}

static void add_body(struct callgrind *c)
{
    for (size_t place = 0; place < c->s->functions + 2; place++) {
        if (c->first[place] == STACKS_NONE)
            continue;
        buf_addc(c->out, '\n');
        add_function(c, place, false);
        for (uint32_t i = c->first[place]; i != STACKS_NONE; i = c->next[i])
            add_cost(c, cost_of(c, i));
    }
    buf_addc(c->out, '\n');
    add_sums(c, "totals:");
}

int write_callgrind(const struct stacks *s, const struct stacks *before, struct buf *out)
{
    struct callgrind c = {.s = s, .out = out};
    int r = call_costs_make(&c.costs, s);
    if (r == 0)
        r = link_costs(&c);
    if (r == 0) {
        add_head(&c);
        add_body(&c);
        r = c.files.err ? c.files.err : c.objects.err ? c.objects.err : buf_error(out);
    }
    call_costs_release(&c.costs);
    free(c.named);
    free(c.first);
    free(c.next);
    intern_release(&c.files);
    intern_release(&c.objects);
    return r;
}
