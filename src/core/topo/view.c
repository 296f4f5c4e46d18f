#include "core/topo/view.h"

#include "core/base/grow.h"
#include "core/base/sort.h"
#include "core/tui/typed.h"

#include <errno.h>
#include <stdio.h>

/* --- where --- */

static int compare_rows(const void *a, const void *b)
{
    const struct topo_view_row *x = a, *y = b;
    return ORDER(y->total, x->total) ?: ORDER(x->function, y->function);
}

static struct topo_view_row row_of(const struct topo *t, const struct topo_relation *r,
                                   uint32_t function)
{
    const struct topo_function *f = &t->function[function];
    return r->calls || r->total ? (struct topo_view_row){function, r->calls, r->total, true}
                                : (struct topo_view_row){function, f->calls, f->total, false};
}

static void list_rows(struct topo_view *v)
{
    const struct topo *t = v->topo;
    const struct topo_function *f = &t->function[v->function];
    v->callers = f->callers;
    v->list.count = f->callers + f->callees;
    for (size_t i = 0; i < f->callers; i++) {
        const struct topo_relation *r = &t->relation[t->by_callee[f->first_caller + i]];
        v->row[i] = row_of(t, r, r->caller);
    }
    for (size_t i = 0; i < f->callees; i++) {
        const struct topo_relation *r = &t->relation[f->first_callee + i];
        v->row[f->callers + i] = row_of(t, r, r->callee);
    }
    sort_array(v->row, v->callers, sizeof *v->row, compare_rows);
    sort_array(v->row + v->callers, f->callees, sizeof *v->row, compare_rows);
    v->list.cursor = v->callers < v->list.count ? v->callers : 0;
}

static void show_function(struct topo_view *v, uint32_t function)
{
    v->function = function;
    list_rows(v);
}

static void go_to(struct topo_view *v, uint32_t function)
{
    if (function == v->function)
        return;
    (void)GROW_ADD(v->past, v->cap, v->pasts, v->function);
    show_function(v, function);
}

static void go_back(struct topo_view *v)
{
    if (v->pasts)
        show_function(v, v->past[--v->pasts]);
    else
        snprintf(v->said, sizeof v->said, "this is where the view began");
}

int topo_view_init(struct topo_view *v, const struct topo *t)
{
    *v = (struct topo_view){.topo = t};
    v->row = malloc((2 * t->relations + 1) * sizeof *v->row);
    if (!v->row)
        return -ENOMEM;
    show_function(v, 0);
    return 0;
}

void topo_view_release(struct topo_view *v)
{
    free(v->row);
    free(v->past);
}

/* --- search --- */

/* From the function after this one, around the end. */
static void find_next(struct topo_view *v)
{
    for (size_t i = 1; v->search[0] && i <= v->topo->functions; i++) {
        uint32_t at = (uint32_t)((v->function + i) % v->topo->functions);
        if (strstr(v->topo->function[at].name, v->search))
            return go_to(v, at);
    }
    snprintf(v->said, sizeof v->said, "no function with `%s'", v->search);
}

static void type_search(struct topo_view *v, const struct key *key)
{
    enum typed_end end = typed_key(v->search, sizeof v->search, key);
    v->typing = end == TYPED_MORE;
    if (end == TYPED_TAKEN)
        find_next(v);
}

/* --- keys --- */

enum { PAGE = 10 }; /* rows that a page key moves */

static bool take_rune(struct topo_view *v, const struct key *key)
{
    if (key->mods || key->rune == 'q')
        return key->rune != 'q' || key->mods;
    if (key->rune == '/') {
        v->typing = true;
        v->search[0] = '\0';
    } else if (key->rune == 'n')
        find_next(v);
    else if (key->rune == 's')
        go_to(v, 0);
    else if (key->rune != 'h') /* the keys are in the last line */
        snprintf(v->said, sizeof v->said, "%s", key_unknown(key->rune).text);
    return true;
}

bool topo_view_key(struct topo_view *v, const struct key *key)
{
    v->said[0] = '\0';
    if (v->typing) {
        type_search(v, key);
        return true;
    }
    if (key->code == KEY_RUNE)
        return take_rune(v, key);
    if ((key->code == KEY_ENTER || key->code == KEY_RIGHT) && v->list.cursor < v->list.count)
        go_to(v, v->row[v->list.cursor].function);
    else if (key->code == KEY_BACKSPACE || key->code == KEY_LEFT)
        go_back(v);
    else
        list_key(&v->list, key, PAGE);
    return true;
}
