#include "core/symbol/kallsyms.h"

#include "core/base/hex.h"
#include "core/base/line.h"
#include "core/base/search.h"

#include <errno.h>
#include <string.h>

enum { MAX_BYTES = 1 << 20 }; /* of a function that no other symbol follows */

/* Weak and text symbols are functions; the others are where one may end at the latest. */
static bool is_function(char type, const char *name)
{
    if (type != 't' && type != 'T' && type != 'w' && type != 'W' && type != 'i')
        return false;
    return name[0] != '_' || (strcmp(name, "_etext") != 0 && strcmp(name, "_einittext") != 0);
}

/* Absolute ones, and those of a CPU's own data, are no places in memory. */
static bool is_place(char type)
{
    return type != 'a' && type != 'A' && type != 'U' && type != '?';
}

static uint8_t binding_of(char type)
{
    return type == 'w' || type == 'W' ? 1 : type >= 'a' ? 0 : 2;
}

static void note_start(struct kallsyms_reader *p, const char *name, uint64_t addr)
{
    if (name[0] != '_')
        return;
    if (strcmp(name, "_text") == 0)
        p->text = addr;
    else if (strcmp(name, "_stext") == 0)
        p->stext = addr;
}

static void add_symbol(const struct kallsyms_reader *r, const struct kallsyms_line *l)
{
    bool function = is_function(l->type, l->name);
    uint64_t limit = l->addr <= UINT64_MAX - MAX_BYTES ? l->addr + MAX_BYTES : UINT64_MAX;
    symtab_add(r->builder, &(struct symbol_found){.addr = l->addr,
                                                  .limit = limit,
                                                  .name = function ? l->name : "",
                                                  .copy_name = r->copies_names && function,
                                                  .function = function,
                                                  .binding = binding_of(l->type)});
}

/* --- for some addresses alone --- */

/* How many of them are below addr; most often as many as below the line before. */
static size_t count_below(const struct kallsyms_reader *r, uint64_t addr)
{
    const uint64_t *asked = r->asked;
    size_t n = r->last.below;
    bool same = (!n || asked[n - 1] < addr) && (n == r->asked_count || asked[n] >= addr);
    return same ? n : FIRST_WHERE(r->asked_count, i, asked[i] >= addr);
}

/* The last line's symbol answers for an address, or ends the function that does, only if one lies
 * between its neighbours. Where these are not in order, of aliases too, it is kept as well. */
static bool is_asked(const struct kallsyms_reader *r, const struct kallsyms_line *next)
{
    return r->before.addr >= r->last.addr || r->last.addr >= next->addr ||
           r->before.below != next->below;
}

static void settle_last(struct kallsyms_reader *r, const struct kallsyms_line *next)
{
    if (r->last.name && (!next || is_asked(r, next)))
        add_symbol(r, &r->last);
    r->last.name = NULL;
}

/* Whether a symbol is kept shows by the one behind it. */
static void take_line(struct kallsyms_reader *r, struct kallsyms_line *l)
{
    if (!r->asked) {
        add_symbol(r, l);
        return;
    }
    l->below = count_below(r, l->addr);
    settle_last(r, l);
    r->before = r->last;
    r->last = *l;
}

/* `ffffffff81000000 T name', with `\t[module]' behind it or not: the name is ended where it ends.
 */
static void parse_line(struct kallsyms_reader *p, char *line, char *end)
{
    const char *s = line;
    uint64_t addr;
    if (!hex_read(&s, &addr) || s[0] != ' ' || !s[1] || s[2] != ' ' || s + 3 >= end)
        return;
    char *name = line + (s + 3 - line);
    struct kallsyms_line l = {.addr = addr, .name = name, .type = s[1]};
    name[strcspn(name, " \t")] = '\0';
    if (!*name)
        return;
    p->lines++;
    p->zeros += addr == 0;
    if (!addr || !is_place(l.type) || name[0] == '$')
        return;
    note_start(p, name, addr);
    take_line(p, &l);
}

int kallsyms_start(struct kallsyms_reader *r, const uint64_t *asked, size_t count)
{
    *r = (struct kallsyms_reader){.builder = symtab_builder_new(NULL),
                                  .copies_names = true,
                                  .asked = asked,
                                  .asked_count = count,
                                  .last.addr = UINT64_MAX};
    return r->builder ? 0 : -ENOMEM;
}

void kallsyms_add(struct kallsyms_reader *r, char *part, size_t len)
{
    char *line, *end;
    for (char *at = part; (line = line_cut(&at, part + len, &end));)
        parse_line(r, line, end);
    settle_last(r, NULL); /* its name is in the part */
}

int kallsyms_finish(struct kallsyms_reader *r, struct kallsyms *out)
{
    *out = (struct kallsyms){.lines = r->lines, .restricted = r->lines && r->zeros == r->lines};
    out->symbols = r->lines ? symtab_build(r->builder) : NULL;
    symtab_builder_free(r->builder);
    out->start = r->text ? r->text : r->stext;
    if (!out->start && out->symbols && symtab_count(out->symbols))
        out->start = symtab_at(out->symbols, 0)->start;
    return out->symbols ? 0 : r->lines ? -ENOMEM : -ENOEXEC;
}

int kallsyms_init(char *text, size_t len, struct kallsyms *out)
{
    struct kallsyms_reader r;
    *out = (struct kallsyms){0};
    if (kallsyms_start(&r, NULL, 0) < 0)
        return -ENOMEM;
    r.copies_names = false;
    kallsyms_add(&r, text, len);
    int e = kallsyms_finish(&r, out);
    out->text = text;
    out->len = len;
    return e;
}

void kallsyms_release(struct kallsyms *k)
{
    symtab_free(k->symbols);
    *k = (struct kallsyms){0};
}

/* It follows the end of the name, where the line is unchanged. */
const char *kallsyms_module(const struct kallsyms *k, const struct symbol *s, size_t *len)
{
    const char *at = s->name + strlen(s->name), *stop = k->text + k->len;
    *len = 0;
    if (!s->name[0] || stop - at < 3 || at[1] != '[')
        return "";
    at += 2;
    const char *end = memchr(at, ']', (size_t)(stop - at));
    const char *line_end = memchr(at, '\0', (size_t)(stop - at));
    if (!end || (line_end && line_end < end))
        return "";
    *len = (size_t)(end - at);
    return at;
}

const struct symbol *kallsyms_find(const struct kallsyms *k, uint64_t addr)
{
    const struct symbol *s = symtab_find(k->symbols, addr);
    return s && s->name[0] ? s : NULL;
}

const struct symbol *kallsyms_named(const struct kallsyms *k, const char *name, size_t len)
{
    return symtab_named(k->symbols, name, len);
}
