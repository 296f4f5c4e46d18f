#include "core/symbol/crash_log.h"

#include "core/base/hex.h"

#include <string.h>
#include <strings.h>

/* The line, bounded: reading past an end gives NUL. */
struct scan {
    const char *line;
    size_t len;
};

static char char_at(const struct scan *s, size_t i)
{
    return i < s->len ? s->line[i] : '\0';
}

static bool is_word(char c)
{
    return hex_digit(c) < 16 || (c >= 'g' && c <= 'z') || (c >= 'G' && c <= 'Z') || c == '_';
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static size_t skip_blanks(const struct scan *s, size_t i)
{
    while (is_blank(char_at(s, i)))
        i++;
    return i;
}

/* Digits from i on, most at most, that no other letter follows: their end, or i when there are
 * none. */
static size_t read_digits(const struct scan *s, size_t i, size_t max, uint64_t *value)
{
    size_t end = i;
    uint64_t v = 0;
    for (unsigned d; end - i < max && (d = hex_digit(char_at(s, end))) < 16; end++)
        v = v << 4 | d;
    if (is_word(char_at(s, end)))
        return i;
    *value = v;
    return end;
}

static bool has_prefix(const struct scan *s, size_t i)
{
    return char_at(s, i) == '0' && char_at(s, i + 1) == 'x' &&
           (i == 0 || !is_word(char_at(s, i - 1)));
}

/* `0x' and digits at i: their end, or i. */
static size_t read_hex_number(const struct scan *s, size_t i, uint64_t *value)
{
    if (!has_prefix(s, i))
        return i;
    size_t end = read_digits(s, i + 2, 16, value);
    return end == i + 2 ? i : end;
}

/* --- NAME+OFFSET --- */

static bool ends_name(char c)
{
    return is_blank(c) || strchr("()[]<>,;\"'=", c);
}

/* `RIP: 0010:foo+0x1b': a segment precedes the name. */
static bool ends_segment(const struct scan *s, size_t colon)
{
    return s->line[colon] == ':' && colon && s->line[colon - 1] >= '0' && s->line[colon - 1] <= '9';
}

/* The word that ends before i. */
static struct logline_text word_before(const struct scan *s, size_t i)
{
    size_t start = i;
    while (start && !ends_name(s->line[start - 1]) && !ends_segment(s, start - 1))
        start--;
    return (struct logline_text){s->line + start, i - start};
}

/* `)' and `[0x...]' behind FILE(...): the same place once more. */
static size_t bracketed_address(const struct scan *s, size_t i, struct logline_place *out)
{
    size_t open = skip_blanks(s, char_at(s, i) == ')' ? i + 1 : i);
    uint64_t address;
    size_t end = char_at(s, open) == '[' ? read_hex_number(s, open + 1, &address) : 0;
    if (end <= open + 1 || char_at(s, end) != ']')
        return i;
    out->absolute = true;
    out->address = address;
    return end + 1;
}

/* ` [mod]' behind FUNCTION+OFFSET/SIZE. */
static size_t kernel_module(const struct scan *s, size_t i, struct logline_place *out)
{
    size_t open = skip_blanks(s, i), end = open + 1;
    if (char_at(s, open) != '[' || open == i)
        return i;
    while (is_word(char_at(s, end)) || char_at(s, end) == '-')
        end++;
    if (char_at(s, end) != ']' || end == open + 1)
        return i;
    out->module = (struct logline_text){s->line + open + 1, end - open - 1};
    return end + 1;
}

/* FUNCTION+0x1b/0x40: the size tells that it is a function. */
static size_t function_size(const struct scan *s, size_t i, struct logline_place *out)
{
    uint64_t size;
    size_t end = char_at(s, i) == '/' ? read_hex_number(s, i + 1, &size) : 0;
    if (end <= i + 1)
        return i;
    out->function = out->name;
    out->name = (struct logline_text){NULL, 0};
    return kernel_module(s, end, out);
}

static void in_parentheses(const struct scan *s, struct logline_place *out)
{
    size_t start = out->name.at ? (size_t)(out->name.at - s->line) : 0;
    if (!start || s->line[start - 1] != '(')
        return;
    out->module = word_before(s, start - 1);
    if (!out->module.len) {
        out->module.at = NULL;
        return;
    }
    if (out->name.len)
        out->function = out->name;
    out->name = (struct logline_text){NULL, 0};
}

/* The offset is [i, end), after a `+'. False when no name precedes that. */
static bool relative_place(const struct scan *s, size_t i, size_t *end, uint64_t offset,
                           struct logline_place *out)
{
    size_t plus = i && is_blank(s->line[i - 1]) ? i - 1 : i;
    if (!plus || s->line[plus - 1] != '+')
        return false;
    size_t name_end = plus - 1;
    while (name_end && name_end + 1 == plus && is_blank(s->line[name_end - 1]) && plus != i)
        name_end--;
    out->name = word_before(s, name_end);
    in_parentheses(s, out);
    if (!out->name.len && !out->module.at)
        return false;
    out->relative = true;
    out->offset = offset;
    size_t after = out->module.at ? *end : function_size(s, *end, out);
    *end = bracketed_address(s, after, out);
    return true;
}

/* --- addresses --- */

/* `[<c0112233>] (foo+0x1b/0x40)' or `? foo+0x1b/0x40' tell one place twice. */
static size_t repeated_by_name(const struct scan *s, size_t i)
{
    size_t p = i, end;
    uint64_t offset;
    struct logline_place repeat = {0};
    while (char_at(s, p) == '>' || char_at(s, p) == ']' || is_blank(char_at(s, p)) ||
           char_at(s, p) == '?' || char_at(s, p) == '(')
        p++;
    while (is_word(char_at(s, p)) || char_at(s, p) == '.')
        p++;
    if (char_at(s, p) != '+' || (end = read_hex_number(s, p + 1, &offset)) == p + 1)
        return i;
    return relative_place(s, p + 1, &end, offset, &repeat) ? end : i;
}

static void absolute_place(struct logline_place *out, uint64_t address)
{
    out->absolute = true;
    out->address = address;
}

/* Eight or sixteen digits, as registers are printed, and nothing else. */
static size_t read_bare_hex(const struct scan *s, size_t i, uint64_t *value)
{
    size_t end = read_digits(s, i, 16, value);
    return end - i == 8 || end - i == 16 ? end : i;
}

static bool is_register(const struct scan *s, size_t i, size_t *end)
{
    static const char *const names[] = {"pc", "lr", "epc", "rip", "eip", "ra"};
    for (size_t n = 0; n < sizeof names / sizeof names[0]; n++) {
        size_t len = strlen(names[n]);
        if (s->len - i > len && strncasecmp(s->line + i, names[n], len) == 0 &&
            !is_word(s->line[i + len])) {
            *end = i + len;
            return i == 0 || !is_word(s->line[i - 1]);
        }
    }
    return false;
}

/* `pc 00012345  /lib/libc.so': an offset in that file. */
static size_t android_file(const struct scan *s, size_t i, struct logline_place *out)
{
    size_t start = skip_blanks(s, i), end = start;
    if (char_at(s, start) != '/' || start == i)
        return i;
    while (end < s->len && !is_blank(char_at(s, end)))
        end++;
    out->module = (struct logline_text){s->line + start, end - start};
    out->relative = true;
    out->offset = out->address;
    out->absolute = false;
    return end;
}

/* `pc', `LR:', `epc =' and a number without 0x. */
static size_t register_place(const struct scan *s, size_t i, struct logline_place *out)
{
    size_t p, end;
    uint64_t value;
    if (!is_register(s, i, &p))
        return i;
    p = skip_blanks(s, p);
    if (char_at(s, p) == ':' || char_at(s, p) == '=')
        p = skip_blanks(s, p + 1);
    if ((end = read_bare_hex(s, p, &value)) == p)
        return i;
    absolute_place(out, value);
    return android_file(s, end, out);
}

/* `[<c0112233>]' */
static size_t kernel_address(const struct scan *s, size_t i, struct logline_place *out)
{
    uint64_t value;
    if (char_at(s, i) != '[' || char_at(s, i + 1) != '<')
        return i;
    size_t end = read_bare_hex(s, i + 2, &value);
    if (end == i + 2 || char_at(s, end) != '>')
        return i;
    absolute_place(out, value);
    return repeated_by_name(s, end);
}

static size_t hex_place(const struct scan *s, size_t i, struct logline_place *out)
{
    uint64_t value;
    size_t end = read_hex_number(s, i, &value);
    if (end == i || relative_place(s, i, &end, value, out))
        return end;
    if (i && s->line[i - 1] == '+')
        return end; /* of nothing that has a name */
    absolute_place(out, value);
    return repeated_by_name(s, end);
}

bool logline_next(const char *line, size_t len, size_t *from, struct logline_place *out)
{
    struct scan s = {line, len};
    for (size_t i = *from, end; i < len; i = end) {
        *out = (struct logline_place){0};
        end = hex_place(&s, i, out);
        if (end == i)
            end = kernel_address(&s, i, out);
        if (end == i)
            end = register_place(&s, i, out);
        if (end == i)
            end = i + 1;
        *from = end;
        if (out->absolute || out->relative)
            return true;
    }
    *from = len;
    return false;
}

bool logline_is_address(const char *line, size_t len, uint64_t *address)
{
    struct scan s = {line, len};
    size_t i = skip_blanks(&s, 0), end = read_hex_number(&s, i, address);
    if (end == i)
        end = read_digits(&s, i, 16, address);
    if (end == i)
        return false;
    end = skip_blanks(&s, end);
    if (char_at(&s, end) == '\r')
        end++;
    return end == len;
}
