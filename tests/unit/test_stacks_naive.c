/* Random stacks, and what the views say of them held against the plainest way to count: every
 * sample's chain is written down and searched. */
#include "unit.h"

#include "../lib/stacktext.h"

#include "core/base/buf.h"
#include "core/stacks/around.h"
#include "core/stacks/diff.h"
#include "core/stacks/flat.h"
#include "core/stacks/tree.h"

enum { FUNCTIONS = 7, MODULES = 2, DEEPEST = 12, ROUNDS = 300 };

static uint64_t state = 20260101;

static uint32_t below(uint32_t n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((state >> 33) % n);
}

/* One sample as it was made. Names are letters; a module's files lie in two folders. */
struct chain {
    char name[DEEPEST], module[DEEPEST];
    size_t depth;
    uint64_t amount;
};

struct profile {
    struct stacks stacks;
    struct chain chain[64];
    size_t chains;
    uint64_t total;
};

static uint32_t add_frame(struct stacks *s, struct chain *c, uint32_t node)
{
    char text[64];
    c->name[c->depth] = (char)('a' + below(FUNCTIONS));
    c->module[c->depth] = (char)('x' + below(MODULES));
    snprintf(text, sizeof text, "%s%c@/%s/%c:%u", below(4) ? "" : "~", c->name[c->depth],
             below(2) ? "lib" : "opt", c->module[c->depth], below(5) + 1);
    c->depth++;
    return stacks_node(s, node, stacktext_frame(s, text));
}

static void make(struct profile *p)
{
    stacktext_start(&p->stacks);
    p->stacks.timed = below(2);
    p->chains = below(64);
    p->total = 0;
    for (size_t i = 0; i < p->chains; i++) {
        struct chain *c = &p->chain[i];
        uint32_t node = STACKS_NONE, thread = below(3);
        *c = (struct chain){.amount = below(5)};
        for (uint32_t depth = below(DEEPEST + 1); depth--;)
            node = add_frame(&p->stacks, c, node);
        thread = thread ? stacks_thread(&p->stacks, 1, thread, "t") : STACKS_NONE;
        stacks_add(&p->stacks, thread, node, i, (uint64_t[]){1, c->amount});
        p->total += c->amount;
    }
}

static bool is(const struct chain *c, size_t at, char name, char module)
{
    return c->name[at] == name && c->module[at] == module;
}

/* --- the flat profile --- */

static void naive_row(const struct profile *p, char name, char module, uint64_t *self,
                      uint64_t *cumulative)
{
    *self = *cumulative = 0;
    for (size_t i = 0; i < p->chains; i++) {
        const struct chain *c = &p->chain[i];
        bool on = false;
        for (size_t k = 0; k < c->depth; k++)
            on |= is(c, k, name, module);
        *cumulative += on ? c->amount : 0;
        *self += c->depth && is(c, c->depth - 1, name, module) ? c->amount : 0;
    }
}

static const struct stacks_flat_row *row_of(const struct stacks_flat *f, char name, char module)
{
    static const struct stacks_flat_row none;
    for (size_t i = 0; i < f->rows; i++)
        if (f->row[i].name[0] == name && f->row[i].module[0] == module)
            return &f->row[i];
    return &none;
}

static void check_flat(const struct profile *p)
{
    struct stacks_flat f;
    uint64_t self, cumulative, sum = 0;
    CHECK_INT(stacks_flat_make(&p->stacks, below(2), &f), 0);
    CHECK_INT(f.total, p->total);
    for (char name = 'a'; name < 'a' + FUNCTIONS; name++)
        for (char module = 'x'; module < 'x' + MODULES; module++) {
            naive_row(p, name, module, &self, &cumulative);
            CHECK_INT(row_of(&f, name, module)->self, self);
            CHECK_INT(row_of(&f, name, module)->cumulative, cumulative);
        }
    for (size_t i = 0; i < f.rows; i++)
        sum += f.row[i].self;
    CHECK_INT(sum, p->total);
    stacks_flat_release(&f);
}

/* --- callers and callees --- */

/* Neighbours by name and module; the last one of callers is "no caller". */
struct naive_around {
    uint64_t self, caller[FUNCTIONS * MODULES + 1], callee[FUNCTIONS * MODULES];
};

static size_t index_of(char name, char module)
{
    return (size_t)(name - 'a') * MODULES + (size_t)(module - 'x');
}

static void naive_chain(const struct chain *c, char name, char module, struct naive_around *out)
{
    size_t first = c->depth, last = c->depth;
    for (size_t k = c->depth; k--;)
        if (is(c, k, name, module)) {
            first = k;
            last = last == c->depth ? k : last;
        }
    if (first == c->depth)
        return;
    size_t caller =
        first ? index_of(c->name[first - 1], c->module[first - 1]) : (size_t)FUNCTIONS * MODULES;
    out->caller[caller] += c->amount;
    if (last + 1 == c->depth)
        out->self += c->amount;
    else
        out->callee[index_of(c->name[last + 1], c->module[last + 1])] += c->amount;
}

static void check_neighbours(const struct stacks_neighbour *all, size_t count, const uint64_t *want,
                             size_t wanted)
{
    size_t some = 0;
    for (size_t i = 0; i < wanted; i++)
        some += want[i] != 0;
    CHECK_INT(count, some);
    for (size_t i = 0; i < count; i++)
        CHECK_INT(all[i].amount, want[all[i].name ? index_of(all[i].name[0], all[i].module[0])
                                                  : (size_t)FUNCTIONS * MODULES]);
}

static void check_around(const struct profile *p, char name, char module)
{
    struct stacks_around a;
    struct naive_around want = {0};
    char asked[16];
    snprintf(asked, sizeof asked, "%c [%c]", name, module);
    for (size_t i = 0; i < p->chains; i++)
        naive_chain(&p->chain[i], name, module, &want);
    if (stacks_around_make(&p->stacks, asked, &a, NULL) == 0) {
        CHECK_INT(a.self, want.self);
        check_neighbours(a.caller, a.callers, want.caller, FUNCTIONS * MODULES + 1);
        check_neighbours(a.callee, a.callees, want.callee, FUNCTIONS * MODULES);
    } else {
        CHECK_INT(want.self, 0);
    }
    stacks_around_release(&a);
}

/* --- trees: a line for every chain of functions, and no other --- */

/* Lines below the header; the amount is the first number behind the share. */
static size_t lines_of(const struct buf *out)
{
    size_t n = 0;
    for (const char *c = buf_str(out); *c; c++)
        n += *c == '\n';
    return n - 2;
}

/* Is chain i's beginning of len functions (from the leaf if upwards) an earlier one's too? */
static bool seen(const struct profile *p, size_t i, size_t len, bool up)
{
    const struct chain *c = &p->chain[i];
    for (size_t k = 0; k < i; k++) {
        const struct chain *d = &p->chain[k];
        size_t same = 0;
        if (!d->amount || d->depth < len)
            continue;
        for (size_t n = 0; n < len; n++) {
            size_t at = up ? c->depth - 1 - n : n, other = up ? d->depth - 1 - n : n;
            same += is(d, other, c->name[at], c->module[at]);
        }
        if (same == len)
            return true;
    }
    return false;
}

static size_t naive_lines(const struct profile *p, bool up)
{
    size_t lines = 0, roots = 0;
    bool unknown = false;
    for (size_t i = 0; i < p->chains; i++) {
        const struct chain *c = &p->chain[i];
        for (size_t len = 1; c->amount && len <= c->depth; len++)
            if (!seen(p, i, len, up)) {
                lines++;
                roots += len == 1;
            }
        unknown |= c->amount && !c->depth;
    }
    return lines + unknown + (roots + unknown > 1);
}

static void check_trees(const struct profile *p)
{
    struct buf out = BUF_INIT;
    struct stacks_tree_options all = {0};
    CHECK_INT(stacks_tree_text(&p->stacks, &all, &out), 0);
    CHECK_INT(lines_of(&out), naive_lines(p, false));
    buf_clear(&out);
    CHECK_INT(stacks_callers_text(&p->stacks, &all, &out), 0);
    CHECK_INT(lines_of(&out), naive_lines(p, true));
    buf_release(&out);
}

/* --- two of them --- */

static void check_diff(const struct profile *p, const struct profile *q)
{
    struct stacks_diff d;
    uint64_t before, after, cumulative;
    CHECK_INT(stacks_diff_make(&p->stacks, &q->stacks, &(struct stacks_diff_options){0}, &d, NULL),
              0);
    for (size_t i = 0; i < d.rows; i++) {
        const struct stacks_diff_row *r = &d.row[i];
        if (r->name[0] == '(')
            continue;
        naive_row(p, r->name[0], r->module[0], &before, &cumulative);
        naive_row(q, r->name[0], r->module[0], &after, &cumulative);
        CHECK_INT(r->before, before);
        CHECK_INT(r->after, after);
        CHECK(i == 0 || d.row[i - 1].points * d.row[i - 1].points >= r->points * r->points);
    }
    stacks_diff_release(&d);
}

TEST(stacks_views_as_counted_naively)
{
    static struct profile p, q;
    for (int round = 0; round < unit_rounds(ROUNDS); round++) {
        make(&p);
        make(&q);
        check_flat(&p);
        check_around(&p, (char)('a' + below(FUNCTIONS)), (char)('x' + below(MODULES)));
        check_trees(&p);
        check_diff(&p, &q);
        stacks_release(&p.stacks);
        stacks_release(&q.stacks);
    }
}

/* Chains of a hundred thousand frames: time and stack are bounded. */
TEST(stacks_views_of_deep_recursion)
{
    struct stacks s;
    struct buf out = BUF_INIT;
    struct stacks_flat f;
    uint32_t node = STACKS_NONE;
    stacktext_start(&s);
    for (uint32_t i = 0; i < 100000; i++) {
        node = stacks_node(&s, node, stacktext_frame(&s, (char[]){"again"}));
        uint32_t leaf = stacks_node(&s, node, stacktext_frame(&s, (char[]){"leaf"}));
        stacks_add(&s, STACKS_NONE, leaf, 0, (uint64_t[]){1, 1000});
    }
    CHECK_INT(stacks_flat_make(&s, true, &f), 0);
    CHECK_INT(f.row[0].cumulative, 100000000);
    CHECK_INT(f.row[1].cumulative, 100000000);
    stacks_flat_release(&f);
    CHECK_INT(stacks_tree_text(&s, &(struct stacks_tree_options){0}, &out), 0);
    CHECK_INT(lines_of(&out), 2 * STACKS_TREE_MAX_NESTING + 2);
    CHECK(strstr(buf_str(&out), "(2 branches further down hidden: 99.9%)\n"));
    buf_clear(&out);
    CHECK_INT(stacks_callers_text(&s, &stacks_tree_defaults, &out), 0);
    CHECK_INT(lines_of(&out), STACKS_CALLERS_MAX_DEPTH + 1);
    buf_release(&out);
    stacks_release(&s);
}
