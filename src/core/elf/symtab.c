#include "core/elf/symtab.h"

#include "core/base/buf.h"
#include "core/base/search.h"
#include "core/base/sort.h"
#include "core/containers/radix.h"

#include <stdlib.h>
#include <string.h>

/* A name longer than this is compared by its first bytes: a hostile file may give a million symbols
 * one long name. */
enum { NAME_COMPARED = 4096 };

struct symtab {
    char *pool;
    size_t count, left_out, bytes; /* bytes: taken of the budget */
    struct budget *budget;
    struct symbol *symbol;
};

struct candidate {
    uint64_t addr, end;
    union {
        const char *at;
        size_t in_pool;
    } name;
    uint32_t order; /* of their coming */
    bool pooled, function, sized;
    uint8_t binding;
};

struct symtab_builder {
    struct candidate *found;
    size_t count, cap, left_out, bytes;
    struct budget *budget;
    struct buf pool;
    bool failed;
};

const char symtab_unnamed[] = "";

/* A candidate and its key while they are sorted; later its symbol is where the candidate was. */
enum { CANDIDATE_BYTES = sizeof(struct candidate) + sizeof(struct radix_key) };
_Static_assert(sizeof(struct symbol) <= sizeof(struct candidate), "a symbol fits");

/* Index of the first that starts above addr. */
static size_t symtab_above(const struct symtab *t, uint64_t addr)
{
    return FIRST_ABOVE(t->symbol, t->count, start, addr);
}

const struct symbol *symtab_find(const struct symtab *t, uint64_t addr)
{
    size_t low = symtab_above(t, addr);
    return low && addr < t->symbol[low - 1].end ? &t->symbol[low - 1] : NULL;
}

const struct symbol *symtab_next(const struct symtab *t, uint64_t addr)
{
    size_t i = symtab_above(t, addr);
    return i < t->count ? &t->symbol[i] : NULL;
}

size_t symtab_count(const struct symtab *t)
{
    return t->count;
}

size_t symtab_left_out(const struct symtab *t)
{
    return t ? t->left_out : 0;
}

const struct symbol *symtab_at(const struct symtab *t, size_t i)
{
    return i < t->count ? &t->symbol[i] : NULL;
}

const struct symbol *symtab_named(const struct symtab *t, const char *name, size_t len)
{
    for (size_t i = 0; len && i < t->count; i++)
        if (strncmp(t->symbol[i].name, name, len) == 0 && !t->symbol[i].name[len])
            return &t->symbol[i];
    return NULL;
}

void symtab_free(struct symtab *t)
{
    if (!t)
        return;
    free(t->pool);
    free(t->symbol);
    budget_give(t->budget, t->bytes);
    free(t);
}

struct symtab_builder *symtab_builder_new(struct budget *b)
{
    struct symtab_builder *t = calloc(1, sizeof *t);
    if (t)
        t->budget = b;
    return t;
}

static void release_builder(struct symtab_builder *b)
{
    free(b->found);
    buf_release(&b->pool);
    budget_give(b->budget, b->bytes);
    *b = (struct symtab_builder){.budget = b->budget};
}

void symtab_builder_free(struct symtab_builder *b)
{
    if (b)
        release_builder(b);
    free(b);
}

static bool take(struct symtab_builder *b, size_t bytes)
{
    if (!budget_take(b->budget, bytes))
        return false;
    b->bytes += bytes;
    return true;
}

static bool resize(struct symtab_builder *b, size_t cap)
{
    struct candidate *found = reallocarray(b->found, cap, sizeof *found);
    if (!found) {
        b->failed = true;
        return false;
    }
    b->found = found;
    b->cap = cap;
    return true;
}

/* Twice as many, or as many as the budget allows. */
static bool grow_candidates(struct symtab_builder *b)
{
    if (b->count < b->cap)
        return true;
    size_t more = budget_fits(b->budget, b->cap ? b->cap : 256, CANDIDATE_BYTES);
    return take(b, (more ? more : 1) * CANDIDATE_BYTES) && resize(b, b->cap + more);
}

/* Names end at the same byte and begin at each before it: of a short file many copies may be long.
 * The buffer of them is twice as long, and for a moment there twice. */
static bool take_name(struct symtab_builder *b, size_t len)
{
    return len <= SYMTAB_NAMES_MOST - b->pool.len && (!len || take(b, 3 * len));
}

static uint64_t end_of(const struct symbol_found *s)
{
    uint64_t end;
    if (!s->size)
        return s->limit > s->addr ? s->limit : UINT64_MAX;
    return __builtin_add_overflow(s->addr, s->size, &end) ? UINT64_MAX : end;
}

/* A name that ends the one copied last: half of the kernel's functions follow their __pfx_NAME. */
static bool is_pooled(const struct buf *pool, const char *name, size_t len)
{
    return pool->len >= len && memcmp(pool->data + pool->len - len, name, len) == 0;
}

void symtab_add(struct symtab_builder *b, const struct symbol_found *s)
{
    if (b->failed)
        return;
    bool pooled = s->copy_name && *s->name;
    size_t len = pooled ? strlen(s->name) + 1 : 0;
    size_t added = pooled && !is_pooled(&b->pool, s->name, len) ? len : 0;
    if (b->count == SYMTAB_MAX || !grow_candidates(b) || !take_name(b, added)) {
        b->left_out++;
        return;
    }
    struct candidate *c = &b->found[b->count++];
    *c = (struct candidate){.addr = s->addr,
                            .end = end_of(s),
                            .order = (uint32_t)b->count,
                            .pooled = pooled,
                            .function = s->function,
                            .sized = s->size > 0,
                            .binding = s->binding};
    if (pooled) {
        buf_add(&b->pool, s->name, added);
        c->name.in_pool = b->pool.len - len;
    } else {
        c->name.at = *s->name ? s->name : symtab_unnamed;
    }
}

void symtab_leave_out(struct symtab_builder *b, size_t symbols)
{
    b->left_out += symbols;
}

static const char *name_of(const struct symtab_builder *b, const struct candidate *c)
{
    return c->pooled ? b->pool.data + c->name.in_pool : c->name.at;
}

static size_t count_underscores(const char *name, size_t len)
{
    size_t n = 0;
    while (n < len && name[n] == '_')
        n++;
    return n;
}

static bool is_decorated(const char *name, size_t len)
{
    return memchr(name, '.', len) || memchr(name, '@', len);
}

/* Negative when a is the plainer name. */
static int compare_names(const char *a, const char *b)
{
    if (a == b)
        return 0;
    size_t len_a = strnlen(a, NAME_COMPARED), len_b = strnlen(b, NAME_COMPARED);
    size_t underscores_a = count_underscores(a, len_a), underscores_b = count_underscores(b, len_b);
    return ORDER(underscores_a, underscores_b) ?:
           is_decorated(a, len_a) - is_decorated(b, len_b) ?:
           ORDER(len_a, len_b);
}

/* Negative when a is shown rather than b, of the same rank: the plainer, else the later one. */
static int compare_aliases(const struct symtab_builder *b, const struct candidate *x,
                           const struct candidate *y)
{
    return compare_names(name_of(b, x), name_of(b, y)) ?: ORDER(y->order, x->order);
}

static int rank_candidate(const struct candidate *c)
{
    return c->function << 9 | c->sized << 8 | c->binding;
}

/* Negative when x is shown rather than y, which is at the same address. */
static int compare_candidates(const struct symtab_builder *b, const struct candidate *x,
                              const struct candidate *y)
{
    return rank_candidate(y) - rank_candidate(x) ?: compare_aliases(b, x, y);
}

static bool in_order(const struct symtab_builder *b)
{
    for (size_t i = 1; i < b->count; i++)
        if (b->found[i - 1].addr > b->found[i].addr)
            return false;
    return true;
}

/* Puts each candidate where its key is, one cycle of those that change places after another. */
static void move_candidates(struct candidate *found, struct radix_key *key, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct candidate first = found[i];
        size_t to = i;
        for (size_t from; (from = key[to].index) != i; to = from) {
            found[to] = found[from];
            key[to].index = (uint32_t)to;
        }
        found[to] = first;
        key[to].index = (uint32_t)to;
    }
}

/* By address. False when memory ends. */
static bool sort_candidates(struct symtab_builder *b)
{
    SCOPED_FREE struct radix_key *key = reallocarray(NULL, b->count, sizeof *key);
    for (size_t i = 0; key && i < b->count; i++)
        key[i] = (struct radix_key){.low = b->found[i].addr, .index = (uint32_t)i};
    if (!key)
        return false;
    radix_sort(key, b->count);
    move_candidates(b->found, key, b->count);
    return true;
}

/* The best of the candidates at one address, which begin at i; *next is the first beyond them. */
static const struct candidate *best_at(const struct symtab_builder *b, size_t i, size_t *next)
{
    const struct candidate *best = &b->found[i], *c = best + 1, *end = b->found + b->count;
    for (; c < end && c->addr == best->addr; c++)
        if (compare_candidates(b, c, best) < 0)
            best = c;
    *next = (size_t)(c - b->found);
    return best;
}

/* Leaves one candidate an address, and none that is a mere label inside a function. */
static void resolve_overlaps(struct symtab_builder *b)
{
    size_t kept = 0;
    uint64_t function_end = 0;
    for (size_t i = 0, next; i < b->count; i = next) {
        struct candidate c = *best_at(b, i, &next);
        bool label = !c.function && !c.sized && c.addr < function_end;
        if (label || c.addr >= c.end)
            continue;
        if (c.function && c.sized)
            function_end = c.end;
        if (kept && b->found[kept - 1].end > c.addr)
            b->found[kept - 1].end = c.addr;
        b->found[kept++] = c;
    }
    b->count = kept;
}

/* Gives back the room behind the names, which are complete. */
static void fit(struct buf *names)
{
    char *data = names->data ? realloc(names->data, names->len + 1) : NULL;
    if (!data)
        return;
    names->data = data;
    names->cap = names->len + 1;
}

/* The symbols, in the memory of the candidates, which are none any more. */
static struct symbol *to_symbols(struct symtab_builder *b)
{
    uint8_t *bytes = (uint8_t *)b->found;
    for (size_t i = 0; i < b->count; i++) {
        struct candidate c;
        memcpy(&c, bytes + i * sizeof c, sizeof c);
        struct symbol s = {c.addr, c.end, name_of(b, &c)};
        memcpy(bytes + i * sizeof s, &s, sizeof s);
    }
    b->found = NULL;
    void *smaller = b->count ? realloc(bytes, b->count * sizeof(struct symbol)) : NULL;
    return smaller ? smaller : (void *)bytes;
}

static struct symtab *table_of(struct symtab_builder *b)
{
    struct symtab *t = malloc(sizeof *t);
    if (!t)
        return NULL;
    fit(&b->pool);
    t->symbol = to_symbols(b);
    t->count = b->count;
    t->left_out = b->left_out;
    t->budget = b->budget;
    t->bytes = b->count * sizeof t->symbol[0] + b->pool.cap;
    if (t->bytes > b->bytes) /* of a few symbols */
        t->bytes = b->bytes;
    t->pool = b->pool.data;
    buf_init(&b->pool);
    return t;
}

struct symtab *symtab_build(struct symtab_builder *b)
{
    struct symtab *t = NULL;
    if (!b->failed && !buf_error(&b->pool)) {
        if (in_order(b) || sort_candidates(b)) {
            resolve_overlaps(b);
            t = table_of(b);
        }
    }
    release_builder(b);
    if (t && !budget_take(t->budget, t->bytes))
        t->bytes = 0;
    return t;
}
