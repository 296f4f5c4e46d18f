#include "core/symbol/llvm_input.h"

#include <ctype.h>
#include <string.h>

static const char blanks[] = " \n\r";

/* The base that the number's beginning tells, which is skipped. */
static unsigned base_of(const char **text, size_t *len)
{
    char second = *len > 1 && **text == '0' ? (*text)[1] : '\0';
    bool hex = second == 'x' || second == 'X', binary = second == 'b' || second == 'B';
    size_t skipped = hex || binary || second == 'o' ? 2 : isdigit((unsigned char)second) != 0;
    *text += skipped;
    *len -= skipped;
    return hex ? 16 : binary ? 2 : skipped ? 8 : 10;
}

static unsigned digit_of(char c)
{
    if (c >= '0' && c <= '9')
        return (unsigned)(c - '0');
    int lower = tolower((unsigned char)c);
    return lower >= 'a' && lower <= 'f' ? (unsigned)(lower - 'a' + 10) : 16;
}

bool llvm_number(const char *text, size_t len, uint64_t *out)
{
    unsigned base = base_of(&text, &len);
    uint64_t n = 0;
    for (size_t i = 0; i < len; i++)
        if (digit_of(text[i]) >= base || __builtin_mul_overflow(n, base, &n) ||
            __builtin_add_overflow(n, digit_of(text[i]), &n))
            return false;
    *out = n;
    return len > 0;
}

/* Where the name ends with its quote; NULL: it does not end. */
static const char *read_file(const char *at, struct llvm_request *out)
{
    at += strspn(at, blanks);
    bool quoted = *at == '"' || *at == '\'';
    const char *start = at + quoted, *end = quoted ? strchr(start, *at) : at + strcspn(at, blanks);
    if (!end)
        return NULL;
    out->file = start;
    out->file_len = (size_t)(end - start);
    return end + quoted;
}

bool llvm_request(const char *line, bool names, struct llvm_request *out)
{
    *out = (struct llvm_request){.file = line};
    const char *at = strncmp(line, "CODE ", 5) == 0 ? line + 5 : line;
    if (names)
        at = read_file(at, out);
    if (!at)
        return false;
    at += strspn(at, blanks);
    return llvm_number(at, strcspn(at, blanks), &out->address);
}
