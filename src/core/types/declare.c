#include "core/text/shown.h"
#include "writer.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

/* Types that one declaration visits, and its bytes and those of a name, about. */
enum { MOST_STEPS = 4096, MOST_TEXT = 1 << 16 };

struct writer {
    const struct types *types;
    struct buf *out;
    const char *nameless; /* stands for a struct without a name; NULL: `struct {...}' */
    unsigned steps, deep;
};

static void write_left(struct writer *w, uint32_t id);
static void write_declaration(struct writer *w, uint32_t id, const char *name);

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || strchr("_}>]?.", c);
}

/* Appends a word, or the beginning of a declarator, with a blank before it where C wants one. */
static void add_word(struct writer *w, const char *word)
{
    struct buf *out = w->out;
    if (out->len && word[0] && is_word(out->data[out->len - 1]))
        buf_addc(out, ' ');
    shown_add(out, word, strnlen(word, MOST_TEXT));
}

static bool is_full(const struct writer *w)
{
    return w->steps >= MOST_STEPS || w->deep >= TYPES_DEEPEST || w->out->len >= MOST_TEXT;
}

/* False when enough was written; the last words of it are "...". */
static bool enter(struct writer *w)
{
    if (is_full(w)) {
        add_word(w, "...");
        return false;
    }
    w->steps++;
    w->deep++;
    return true;
}

const char *types_keyword(unsigned kind)
{
    static const char *const words[TYPE_KINDS] = {[TYPE_STRUCT] = "struct",
                                                  [TYPE_CLASS] = "class",
                                                  [TYPE_UNION] = "union",
                                                  [TYPE_ENUM] = "enum"};
    return words[kind];
}

/* A nameless typedef and what only qualifies do not change what a declarator looks like. */
static unsigned declarator_kind(const struct types *t, uint32_t id)
{
    for (int deep = 0; deep < TYPES_DEEPEST; deep++) {
        const struct type *one = &t->type[id];
        bool through = (one->kind == TYPE_TYPEDEF && !one->name) || one->kind > TYPE_TYPEDEF;
        if (!through)
            return one->kind;
        id = one->of;
    }
    return TYPE_UNKNOWN;
}

static bool needs_parentheses(const struct types *t, const struct type *pointer)
{
    unsigned kind = declarator_kind(t, pointer->of);
    return kind == TYPE_ARRAY || kind == TYPE_FUNCTION;
}

static void write_pointer(struct writer *w, const struct type *one)
{
    write_left(w, one->of);
    if (needs_parentheses(w->types, one))
        add_word(w, "(");
    add_word(w, one->kind == TYPE_POINTER ? "*" : one->kind == TYPE_REFERENCE ? "&" : "&&");
}

static void write_compound(struct writer *w, const struct type *one)
{
    if (!one->name && w->nameless) {
        add_word(w, w->nameless);
        return;
    }
    if (!one->scoped || !one->name)
        add_word(w, types_keyword(one->kind));
    add_word(w, one->name ? one->name : "{...}");
}

static bool ends_with(const struct buf *out, const char *word)
{
    size_t len = strlen(word);
    return out->len >= len && memcmp(out->data + out->len - len, word, len) == 0;
}

static void write_qualified(struct writer *w, const struct type *one)
{
    static const char *const words[TYPE_KINDS] = {[TYPE_CONST] = "const",
                                                  [TYPE_VOLATILE] = "volatile",
                                                  [TYPE_RESTRICT] = "restrict",
                                                  [TYPE_ATOMIC] = "_Atomic"};
    bool after = type_is_pointer(declarator_kind(w->types, one->of));
    if (after)
        write_left(w, one->of);
    if (!ends_with(w->out, words[one->kind])) /* an array of what is constant may be it, too */
        add_word(w, words[one->kind]);
    if (!after)
        write_left(w, one->of);
}

/* What stands before the name. */
static void write_left(struct writer *w, uint32_t id)
{
    const struct type *one = &w->types->type[id];
    if (!enter(w))
        return;
    if (type_is_pointer(one->kind))
        write_pointer(w, one);
    else if (one->kind == TYPE_ARRAY || one->kind == TYPE_FUNCTION ||
             (one->kind == TYPE_TYPEDEF && !one->name))
        write_left(w, one->of);
    else if (one->kind >= TYPE_STRUCT && one->kind <= TYPE_ENUM)
        write_compound(w, one);
    else if (one->kind > TYPE_TYPEDEF)
        write_qualified(w, one);
    else if (one->kind == TYPE_VOID)
        add_word(w, "void");
    else
        add_word(w, one->name ? one->name : "?");
    w->deep--;
}

static void write_parameters(struct writer *w, const struct type *f)
{
    buf_addc(w->out, '(');
    for (uint32_t i = 0; i < f->count && !is_full(w); i++) {
        const struct type_member *p = &w->types->member[f->first + i];
        buf_adds(w->out, i ? ", " : "");
        write_declaration(w, p->type, p->name);
    }
    if (f->variadic)
        buf_adds(w->out, f->count ? ", ..." : "...");
    else if (!f->count && !f->unprototyped)
        buf_adds(w->out, "void");
    buf_addc(w->out, ')');
}

/* What stands behind it. */
static void write_right(struct writer *w, uint32_t id)
{
    const struct type *one = &w->types->type[id];
    if (is_full(w))
        return;
    w->steps++;
    w->deep++;
    if (type_is_pointer(one->kind)) {
        buf_adds(w->out, needs_parentheses(w->types, one) ? ")" : "");
        write_right(w, one->of);
    } else if (one->kind == TYPE_ARRAY) {
        buf_printf(w->out, one->bytes ? "[%" PRIu64 "]" : "[]", one->bytes);
        write_right(w, one->of);
    } else if (one->kind == TYPE_FUNCTION) {
        write_parameters(w, one);
        write_right(w, one->of);
    } else if (one->kind > TYPE_TYPEDEF || (one->kind == TYPE_TYPEDEF && !one->name)) {
        write_right(w, one->of);
    }
    w->deep--;
}

static void write_declaration(struct writer *w, uint32_t id, const char *name)
{
    write_left(w, id);
    add_word(w, name ? name : "");
    write_right(w, id);
}

void types_declare_as(const struct types *t, uint32_t id, const char *name, const char *nameless,
                      struct buf *out)
{
    SCOPED_BUF text = BUF_INIT;
    struct writer w = {.types = t, .out = &text, .nameless = nameless};
    write_declaration(&w, id, name);
    buf_add(out, buf_str(&text), text.len);
    if (buf_error(&text))
        out->err = buf_error(&text);
}

void types_declare(const struct types *t, uint32_t id, const char *name, struct buf *out)
{
    types_declare_as(t, id, name, NULL, out);
}

void types_prototype(const struct types *t, const struct type_function *f, const char *name,
                     struct buf *out)
{
    types_declare(t, f->type, name ? name : f->name, out);
}
