#include "applets/sym_types.h"

#include "core/base/grow.h"
#include "core/base/hex.h"
#include "core/text/json.h"
#include "core/types/declare.h"
#include "core/types/types_json.h"
#include "engine/symbols/types.h"

#include <ctype.h>
#include <string.h>

enum { MAX_QUERIES = 4096 };

static const char *query_option(const struct types_query *q)
{
    return q->layout ? "--struct" : "--signature";
}

/* What begins with a digit is an address. */
static int parse_query(const struct opt_state *o, struct types_query *q)
{
    const char *text = o->arg, *end = text;
    q->name = text;
    q->by_address = !q->layout && isdigit((unsigned char)text[0]);
    if (*text && (!q->by_address || (hex_read(&end, &q->address) && !*end)))
        return 0;
    return opt_wrong(o, *text ? "not a hexadecimal address" : "the name is empty");
}

static int add_query(struct sym_types *s, const struct opt_state *o, bool layout)
{
    struct types_query q = {.layout = layout};
    if (parse_query(o, &q) < 0)
        return -1;
    if (!grow_within(&s->query, &s->cap, s->queries, MAX_QUERIES, sizeof *s->query)) {
        applet_misuse(&applet_sym, "%s: at most %d names", query_option(&q), MAX_QUERIES);
        return -1;
    }
    s->query[s->queries++] = q;
    return 1;
}

int sym_types_opt(struct sym_types *s, const struct opt_state *o, int id)
{
    if (id == SYM_BTF)
        s->btf = o->arg;
    return id == SYM_BTF                             ? 1
           : id == SYM_SIGNATURE || id == SYM_STRUCT ? add_query(s, o, id == SYM_STRUCT)
                                                     : 0;
}

int sym_types_check(const struct sym_types *s, const struct target_want *want, int operands)
{
    if (s->btf && (!s->queries || !want->kernel))
        return applet_misuse(&applet_sym, "--btf: only with -k and --signature or --struct");
    if (!s->queries)
        return DONE;
    if (want->core || want->maps)
        return applet_misuse(&applet_sym, "%s: not with %s", query_option(&s->query[0]),
                             want->core ? "--core" : "--maps");
    if (operands)
        return applet_misuse(&applet_sym, "%s: not with addresses; repeat it for several",
                             query_option(&s->query[0]));
    return DONE;
}

/* One declaration, which is appended unless it is already behind from. */
static void append_once(struct buf *out, size_t from, const struct buf *text)
{
    for (const char *at = buf_str(out) + from; (at = strstr(at, buf_str(text))); at++)
        if (at == buf_str(out) + from || at[-1] == '\n')
            return;
    buf_add(out, buf_str(text), text->len);
}

/* An alias has the name that was asked for; a function of C++ that of the debug information. */
static const char *shown_name(const struct types_query *q, const struct type_function *f)
{
    size_t len = strlen(f->name), asked = strlen(q->name);
    bool same = len >= asked && strcmp(f->name + len - asked, q->name) == 0 &&
                (len == asked || f->name[len - asked - 1] == ':');
    bool mangled = q->name[0] == '_' && q->name[1] == 'Z';
    return q->by_address || same || mangled ? f->name : q->name;
}

static void append_json(const struct types *t, const struct types_query *q, uint32_t id,
                        struct buf *text)
{
    struct json j;
    json_start(&j, text, applet_sym.name);
    json_str(&j, query_option(q) + strlen("--"), q->name);
    if (q->layout)
        types_layout_json(t, id, &j);
    else
        types_function_json(t, &t->function[id], shown_name(q, &t->function[id]), &j);
    json_end(&j);
}

static void append_found(const struct types_answer *a, const struct sym_types *s, size_t query,
                         uint32_t id, struct buf *text)
{
    const struct types *t = &a->types;
    const struct types_query *q = &s->query[query];
    buf_clear(text);
    if (s->json) {
        append_json(t, q, id, text);
        return;
    }
    if (q->layout) {
        types_layout(t, id, text);
        return;
    }
    const struct type_function *f = &t->function[id];
    types_prototype(t, f, shown_name(q, f), text);
    buf_adds(text, f->altered ? "; /* a copy with other parameters */\n" : ";\n");
}

/* False when nothing was found. */
static bool append_query(const struct types_answers *all, const struct sym_types *s, size_t query,
                         struct buf *out)
{
    SCOPED_BUF text = BUF_INIT;
    size_t from = out->len;
    for (size_t k = 0; k < all->count; k++) {
        const struct types_answer *a = &all->answer[k];
        for (size_t i = 0; i < a->count; i++) {
            if (a->found[i].query != query)
                continue;
            append_found(a, s, query, a->found[i].id, &text);
            append_once(out, from, &text);
        }
    }
    return out->len > from;
}

static int print_answers(const struct types_answers *all, const struct sym_types *s)
{
    SCOPED_BUF out = BUF_INIT;
    int status = DONE;
    if (all->note.what[0])
        applet_fail(&applet_sym, &all->note);
    for (size_t i = 0; i < s->queries; i++)
        if (!append_query(all, s, i, &out)) {
            applet_warn(&applet_sym, "%s: no %s of that %s", s->query[i].name,
                        s->query[i].layout ? "struct, union or enum" : "types of a function",
                        s->query[i].by_address ? "address" : "name");
            status = FAILED;
        }
    return applet_print(&applet_sym, &out, status);
}

int sym_types_run(const struct sym_types *s, const struct target_want *want)
{
    struct types_request r = {want, s->btf, s->query, s->queries};
    SCOPED(types_answers_release) struct types_answers answers;
    struct fail f;
    return symbols_types(&r, &answers, &f) < 0 ? applet_fail(&applet_sym, &f)
                                               : print_answers(&answers, s);
}

void sym_types_release(struct sym_types *s)
{
    free(s->query);
}
