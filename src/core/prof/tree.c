#include "build.h"

#include "core/base/grow.h"
#include "core/prof/v1.h"
#include "mcount.h"
#include "runtime/psprof_file.h"
#include "v2.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void prof_tree_init(struct prof_tree *t)
{
    *t = (struct prof_tree){.places = INTERN_OF(struct prof_place)};
    t->places.step = 4;
}

void prof_tree_release(struct prof_tree *t)
{
    for (size_t i = 0; i < t->modules; i++)
        free(t->module[i].path);
    intern_release(&t->places);
    free(t->module);
    free(t->thread);
    free(t->mark);
    free(t->node);
    free(t->about.command);
    prof_tree_init(t);
}

bool prof_tree_timed(const struct prof_tree *t)
{
    return t->about.type != PSPROF_COUNT;
}

/* --- building --- */

void prof_note(struct prof_tree *t, const char *fmt, ...)
{
    va_list ap;
    if (t->notes++ >= PROF_MAX_NOTES)
        return;
    va_start(ap, fmt);
    vsnprintf(t->note[t->notes - 1], sizeof t->note[0], fmt, ap);
    va_end(ap);
}

struct prof_thread *prof_add_thread(struct prof_tree *t)
{
    if (!grow(&t->thread, &t->thread_cap, t->threads, sizeof *t->thread))
        return NULL;
    struct prof_thread *one = &t->thread[t->threads++];
    *one = (struct prof_thread){.first = PROF_NONE};
    return one;
}

struct prof_module *prof_add_module(struct prof_tree *t, const char *path)
{
    char *own = strdup(path);
    if (!own || !grow(&t->module, &t->module_cap, t->modules, sizeof *t->module)) {
        free(own);
        return NULL;
    }
    struct prof_module *one = &t->module[t->modules++];
    *one = (struct prof_module){.path = own};
    return one;
}

struct prof_mark *prof_add_mark(struct prof_tree *t)
{
    if (!grow(&t->mark, &t->mark_cap, t->marks, sizeof *t->mark))
        return NULL;
    return memset(&t->mark[t->marks++], 0, sizeof *t->mark);
}

uint32_t prof_place(struct prof_tree *t, uint64_t pc, uint32_t module)
{
    return intern(&t->places, &(struct prof_place){pc, module, 0});
}

/* --- reading --- */

int prof_read(const uint8_t *bytes, size_t len, struct prof_tree *t, struct fail *f)
{
    if (prof_is_v2(bytes, len))
        return prof_v2_read(bytes, len, t, f);
    if (prof_is_mcount(bytes, len))
        return prof_mcount_read(bytes, len, t, f);
    return prof_v1_read(bytes, len, t, f);
}

/* --- walking --- */

/* The reversed sibling chains: for each node the next newer one. first: the oldest
 * callee of a node, and behind the nodes the oldest outermost call of each thread. */
struct backwards {
    uint32_t *next, *first;
};

static void reverse_chain(const struct prof_tree *t, uint32_t newest, struct backwards *b,
                          size_t head)
{
    uint32_t newer = PROF_NONE;
    for (uint32_t n = newest; n != PROF_NONE; n = t->node[n].right) {
        b->next[n] = newer;
        newer = n;
    }
    b->first[head] = newer;
}

static int reverse_siblings(const struct prof_tree *t, struct backwards *b)
{
    b->next = malloc((t->nodes + 1) * sizeof *b->next);
    b->first = malloc((t->nodes + t->threads + 1) * sizeof *b->first);
    if (!b->next || !b->first)
        return -ENOMEM;
    for (size_t i = 0; i < t->nodes; i++)
        reverse_chain(t, t->node[i].down, b, i);
    for (size_t i = 0; i < t->threads; i++)
        reverse_chain(t, t->thread[i].first, b, t->nodes + i);
    return 0;
}

static uint32_t first_of(const struct prof_tree *t, const struct backwards *b, size_t thread)
{
    return b->first ? b->first[t->nodes + thread] : t->thread[thread].first;
}

static uint32_t callee_of(const struct prof_tree *t, const struct backwards *b, uint32_t n)
{
    return b->first ? b->first[n] : t->node[n].down;
}

static uint32_t next_of(const struct prof_tree *t, const struct backwards *b, uint32_t n)
{
    return b->next ? b->next[n] : t->node[n].right;
}

static void walk_thread(const struct prof_tree *t, const struct backwards *b, size_t thread,
                        const struct prof_walk *w)
{
    size_t depth = 0;
    for (uint32_t n = first_of(t, b, thread); n != PROF_NONE;) {
        uint32_t to = w->enter(w->arg, n, depth) ? callee_of(t, b, n) : PROF_NONE;
        if (to != PROF_NONE) {
            n = to;
            depth++;
            continue;
        }
        for (;;) {
            if (w->leave)
                w->leave(w->arg, n);
            to = next_of(t, b, n);
            if (to != PROF_NONE || t->node[n].parent == PROF_NONE)
                break;
            n = t->node[n].parent;
            depth--;
        }
        n = to;
    }
}

int prof_tree_walk(const struct prof_tree *t, uint32_t thread, const struct prof_walk *w)
{
    struct backwards b = {NULL, NULL};
    int r = w->oldest ? reverse_siblings(t, &b) : 0;
    for (size_t i = 0; r == 0 && i < t->threads; i++)
        if (thread == PROF_NONE || thread == i)
            walk_thread(t, &b, i, w);
    free(b.next);
    free(b.first);
    return r;
}
