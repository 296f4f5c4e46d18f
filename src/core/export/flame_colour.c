#include "flame_colour.h"

#include "core/base/scope.h"
#include "core/base/sort.h"

#include <math.h>
#include <stdlib.h>

enum { HUES = 10 }; /* 3 steps on come past all of them */

static uint32_t hash(const char *text)
{
    uint32_t h = 2166136261u; /* FNV-1a */
    for (; *text; text++)
        h = (h ^ (unsigned char)*text) * 16777619u;
    return h ^ h >> 16;
}

struct module {
    uint32_t index, hash;
    uint64_t self;
};

static int heaviest_first(const void *pa, const void *pb)
{
    const struct module *a = pa, *b = pb;
    return ORDER(b->self, a->self) ?: ORDER(a->index, b->index);
}

/* What each module spent in user code of its own. */
static void weigh_modules(const struct flame_tree *t, struct module *module)
{
    const struct stacks *s = &t->stacks;
    for (uint32_t i = 0; i < s->modules; i++)
        module[i] = (struct module){.index = i, .hash = hash(s->module[i].name)};
    for (uint32_t i = 0; i < s->nodes; i++) {
        const struct stacks_function *f = stacks_function_of(s, i);
        if (f->module != STACKS_NONE && f->kind == STACKS_USER)
            module[f->module].self += t->sums[FLAME_WEIGHT].self[i];
    }
}

static void choose_hues(const struct module *module, size_t modules, uint8_t *hue)
{
    bool taken[HUES] = {false};
    for (size_t i = 0; i < modules; i++) {
        uint32_t h = module[i].hash % HUES;
        while (i < HUES && taken[h])
            h = (h + 3) % HUES;
        taken[h] = true;
        hue[module[i].index] = (uint8_t)h;
    }
}

uint8_t *flame_hues(const struct flame_tree *t)
{
    size_t modules = t->stacks.modules;
    SCOPED_FREE struct module *module = malloc((modules + 1) * sizeof *module);
    uint8_t *hue = module ? malloc(modules + 1) : NULL;
    if (!hue)
        return NULL;
    weigh_modules(t, module);
    sort_array(module, modules, sizeof *module, heaviest_first);
    choose_hues(module, modules, hue);
    return hue;
}

const char *flame_colour(const struct stacks_function *f, const uint8_t *hues)
{
    static const char *const user[] = {"u0", "u1", "u2", "u3", "u4", "u5", "u6", "u7", "u8", "u9"};
    switch (f->kind) {
    case STACKS_KERNEL:
        return "k";
    case STACKS_JIT:
        return "j";
    case STACKS_WAIT:
        return "w";
    }
    return f->module == STACKS_NONE ? "x" : user[hues[f->module]];
}

/* Whether counts of two samplings differ by no more than chance makes them. */
static bool is_chance(double now, double before, double scale)
{
    double deviation = sqrt(now + scale * scale * before);
    return fabs(now - scale * before) <= 2 * deviation;
}

/* -1 (gone) to 1 (new). */
static double change_of(double now, double before)
{
    double max = now > before ? now : before;
    return max > 0 ? (now - before) / max : 0;
}

static double node_share(const struct flame_tree *t, enum flame_value v, uint32_t node)
{
    return t->total[v] ? (double)t->sums[v].total[node] / (double)t->total[v] : 0;
}

const char *flame_change(const struct flame_tree *t, uint32_t node, bool sampled)
{
    static const char *const more[] = {"m1", "m2", "m3", "m4"}, *const less[] = {"l1", "l2", "l3",
                                                                                 "l4"};
    double change =
        change_of(node_share(t, FLAME_WEIGHT, node), node_share(t, FLAME_WEIGHT_BEFORE, node));
    double scale = t->total[FLAME_COUNT_BEFORE]
                       ? (double)t->total[FLAME_COUNT] / (double)t->total[FLAME_COUNT_BEFORE]
                       : 0;
    double size = fabs(change);
    if (size < 0.02 ||
        (sampled && is_chance((double)t->sums[FLAME_COUNT].total[node],
                              (double)t->sums[FLAME_COUNT_BEFORE].total[node], scale)))
        return "same";
    int step = size < 0.1 ? 0 : size < 0.25 ? 1 : size < 0.5 ? 2 : 3;
    return change > 0 ? more[step] : less[step];
}
