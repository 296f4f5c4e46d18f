#include "core/ktrace/signature.h"

#include "core/base/grow.h"
#include "core/base/sort.h"

#include <errno.h>
#include <string.h>

int ktrace_signatures_init(struct ktrace_signatures *s, size_t count)
{
    *s = (struct ktrace_signatures){.of = calloc(count ? count : 1, sizeof *s->of)};
    s->count = s->of ? count : 0;
    return s->of ? 0 : -ENOMEM;
}

void ktrace_signatures_release(struct ktrace_signatures *s)
{
    free(s->of);
    free(s->enumerator);
    intern_release(&s->names);
    *s = (struct ktrace_signatures){.count = 0};
}

const struct ktrace_signature *ktrace_signature(const struct ktrace_signatures *s,
                                                uint32_t function)
{
    static const struct ktrace_signature none;
    return function < s->count ? &s->of[function] : &none;
}

/* --- which kind of value a type has --- */

static bool is_characters(const struct types *t, const struct type *pointer)
{
    const struct type *of = &t->type[types_plain(t, pointer->of)];
    return of->kind == TYPE_INTEGER && of->bytes == 1 && of->name &&
           (of->encoding == TYPE_CHAR || strcmp(of->name, "char") == 0);
}

/* Whether a pointer is to a constant. */
static bool is_constant(const struct types *t, const struct type *pointer)
{
    uint32_t id = pointer->of;
    for (int deep = 0; deep < TYPES_DEEPEST && t->type[id].kind >= TYPE_TYPEDEF; deep++) {
        if (t->type[id].kind == TYPE_CONST)
            return true;
        id = t->type[id].of;
    }
    return false;
}

static enum ktrace_kind pointer_kind(const struct types *t, const struct type *pointer)
{
    const struct type *of = &t->type[types_plain(t, pointer->of)];
    if (of->kind == TYPE_FUNCTION)
        return KTRACE_CODE;
    return is_characters(t, pointer) ? KTRACE_TEXT : KTRACE_POINTER;
}

static enum ktrace_kind integer_kind(const struct type *one)
{
    bool is_char = one->name && strcmp(one->name, "char") == 0;
    return one->encoding == TYPE_BOOL              ? KTRACE_BOOL
           : one->encoding == TYPE_CHAR || is_char ? KTRACE_CHAR
           : one->encoding == TYPE_SIGNED          ? KTRACE_SIGNED
                                                   : KTRACE_UNSIGNED;
}

/* -ENOMEM: the enum's values are shown as numbers. */
static int copy_enumerators(struct ktrace_signatures *s, const struct types *t,
                            const struct type *one, struct ktrace_type *out)
{
    if (one->count > KTRACE_MAX_ENUMERATORS)
        return 0;
    out->first = (uint32_t)s->enumerators;
    for (uint32_t i = 0; i < one->count; i++) {
        const struct type_member *m = &t->member[one->first + i];
        const char *name = m->name ? intern_copy(&s->names, m->name) : "?";
        if (!name || !GROW_ADD(s->enumerator, s->cap, s->enumerators,
                               (struct ktrace_enumerator){name, m->bit_offset}))
            return -ENOMEM;
    }
    out->count = one->count;
    return 0;
}

/* False: it has no register of its own, or none that is sure. */
static bool describe(struct ktrace_signatures *s, const struct types *t, uint32_t id,
                     struct ktrace_type *out)
{
    const struct type *one = &t->type[types_plain(t, id)];
    uint64_t bytes = types_size(t, id);
    *out = (struct ktrace_type){.bytes = (uint8_t)bytes};
    if (one->kind == TYPE_VOID) {
        out->kind = KTRACE_NOTHING;
        return true;
    }
    if (!bytes || bytes > t->pointer_bytes || one->kind == TYPE_FLOAT || one->kind == TYPE_ARRAY)
        return false;
    if (one->kind == TYPE_INTEGER) {
        out->kind = (uint8_t)integer_kind(one);
    } else if (one->kind == TYPE_POINTER) {
        out->kind = (uint8_t)pointer_kind(t, one);
    } else if (one->kind == TYPE_ENUM) {
        out->kind = KTRACE_ENUM;
        out->is_signed = one->encoding == TYPE_SIGNED;
        return copy_enumerators(s, t, one, out) == 0;
    }
    return true;
}

/* --- arguments --- */

static bool has_word(const char *name, const char *word)
{
    return name && strstr(name, word);
}

/* Whether an argument says how long the one before it is. */
static bool is_length(const struct types *t, const struct type_member *m)
{
    const struct type *one = &t->type[m->type];
    bool is_size = one->kind == TYPE_TYPEDEF && one->name && strcmp(one->name, "size_t") == 0;
    return is_size || has_word(m->name, "len") || has_word(m->name, "size") ||
           has_word(m->name, "count") || has_word(m->name, "bytes") ||
           (m->name && strcmp(m->name, "n") == 0);
}

/* Characters whose number is given need not end with a NUL, and those that can be written may be
 * what the function fills. */
static bool is_text(const struct types *t, const struct type *function, uint32_t i)
{
    const struct type_member *m = &t->member[function->first + i];
    bool counted = i + 1 < function->count && is_length(t, m + 1);
    return !counted && is_constant(t, &t->type[types_plain(t, m->type)]);
}

static bool describe_argument(struct ktrace_signatures *s, const struct types *t,
                              const struct type *function, uint32_t i, struct ktrace_type *out)
{
    const struct type_member *m = &t->member[function->first + i];
    if (!describe(s, t, m->type, out) || out->kind == KTRACE_NOTHING)
        return false;
    if (out->kind == KTRACE_TEXT && !is_text(t, function, i))
        out->kind = KTRACE_POINTER;
    out->name = m->name ? intern_copy(&s->names, m->name) : NULL;
    return true;
}

static bool describe_function(struct ktrace_signatures *s, const struct types *t,
                              const struct type *function, unsigned max_args,
                              struct ktrace_signature *out)
{
    struct ktrace_type past;
    bool fine = !function->unprototyped && describe(s, t, function->of, &out->returned);
    for (uint32_t i = 0; i < function->count && fine; i++) {
        bool kept = i < max_args && i < KTRACE_MAX_ARGS;
        fine = describe_argument(s, t, function, i, kept ? &out->arg[i] : &past);
        out->args += kept && fine;
    }
    out->more = function->variadic || function->count > out->args;
    return fine;
}

/* --- looking for functions --- */

static int compare_wanted(const void *pa, const void *pb)
{
    const struct ktrace_wanted *a = pa, *b = pb;
    return strcmp(a->name, b->name);
}

static int learn_one(struct ktrace_signatures *s, const struct ktrace_wanted *w,
                     const struct types *t, uint32_t type, unsigned max_args)
{
    struct ktrace_signature one = {.known = false};
    if (w->function >= s->count)
        return 0;
    one.known = describe_function(s, t, &t->type[type], max_args, &one);
    if (one.known)
        s->of[w->function] = one;
    s->known += one.known;
    return s->names.err;
}

struct learning {
    struct ktrace_wanted *wanted;
    size_t count;
    uint32_t *type; /* of each: its function's; 0: none was found; UINT32_MAX: several */
};

static void note_type(struct learning *l, const struct type_function *f)
{
    const struct ktrace_wanted key = {.name = f->name};
    const struct ktrace_wanted *found =
        l->count ? bsearch(&key, l->wanted, l->count, sizeof key, compare_wanted) : NULL;
    if (!found)
        return;
    uint32_t *type = &l->type[found - l->wanted];
    *type = *type && *type != f->type ? UINT32_MAX : f->type;
}

int ktrace_signatures_learn(struct ktrace_signatures *s, struct ktrace_wanted *wanted, size_t count,
                            const struct types *t, unsigned max_args)
{
    struct learning l = {wanted, count, calloc(count ? count : 1, sizeof *l.type)};
    int r = l.type ? 0 : -ENOMEM;
    sort_array(wanted, count, sizeof *wanted, compare_wanted);
    for (size_t i = 0; r == 0 && i < t->functions; i++)
        note_type(&l, &t->function[i]);
    for (size_t i = 0; r == 0 && i < count; i++)
        if (l.type[i] && l.type[i] != UINT32_MAX)
            r = learn_one(s, &wanted[i], t, l.type[i], max_args);
    free(l.type);
    return r;
}

/* --- values --- */

bool ktrace_is_signed(const struct ktrace_type *type)
{
    return type->kind == KTRACE_SIGNED || (type->kind == KTRACE_ENUM && type->is_signed);
}

uint64_t ktrace_value(const struct ktrace_type *type, uint64_t reg)
{
    if (type->kind == KTRACE_BOOL)
        return (reg & 0xff) != 0;
    if (!type->bytes || type->bytes >= 8)
        return reg;
    unsigned unused = 64 - 8 * type->bytes;
    return ktrace_is_signed(type) ? (uint64_t)((int64_t)(reg << unused) >> unused)
                                  : reg << unused >> unused;
}
