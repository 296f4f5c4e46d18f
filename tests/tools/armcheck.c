/*
 * armcheck: instructions of 32-bit ARM, A32 and T32, against objdump's.
 *
 *     objdump -d FILE | armcheck          compares each line of it
 *     armcheck FILE OUT                   writes to OUT the T32 instructions that begin at any even
 *                                         byte of FILE's code, for
 *                                         objdump -D -b binary -m arm -M force-thumb
 *     armcheck -a FILE OUT                those of A32, at each fourth byte; without force-thumb
 *
 * Compared are the length, where a jump or a literal is, and whether the instruction names the pc
 * and lr. Prints each line on which the two disagree, and at the end
 * `N instructions, N unknown, N disagreements'. Unknown are those that arm_registers refuses and
 * objdump does not; with V=1 they are printed, too. What objdump refuses and arm_registers does not
 * is a disagreement.
 */
#include "core/base/bytes.h"
#include "core/elf/elf.h"
#include "core/insn/arm_code.h"
#include "core/insn/arm_registers.h"
#include "plat/file.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- writing --- */

static size_t write_all(const uint8_t *code, size_t len, bool a32, FILE *out)
{
    size_t count = 0;
    for (size_t at = 0; at + 4 <= len; at += a32 ? 4 : 2, count++)
        fwrite(code + at, 1, a32 || get_le16(code + at) >> 11 >= 0x1d ? 4 : 2, out);
    return count;
}

static int write_file(const char *path, const char *to, bool a32)
{
    struct image image;
    struct fail f;
    struct elf_module *m;
    uint64_t start, end, avail;
    const uint8_t *code;
    FILE *out = fopen(to, "w");
    if (!out || file_map(path, SIZE_MAX, &image, &f) < 0 ||
        elf_open(image.data, image.len, &m, &f) < 0 || !elf_text(m, &start, &end) ||
        !(code = elf_memory_at(m, start, &avail))) {
        fprintf(stderr, "armcheck: %s: no code\n", path);
        return 1;
    }
    size_t len = end - start < avail ? (size_t)(end - start) : (size_t)avail;
    printf("%zu instructions\n", write_all(code, len, a32, out));
    return fclose(out) != 0;
}

/* --- comparing --- */

struct counts {
    uint64_t all, unknown, disagreements;
};

struct line {
    uint32_t addr, op; /* of T32 with 32 bits, the first half above */
    unsigned len;
    bool thumb;
    const char *text;
};

/* `  1234:\tb508      \tpush\t{r3, lr}', `f7ff fffe', `e52de004'. */
static bool read_line(const char *at, struct line *out)
{
    char *end;
    out->addr = (uint32_t)strtoul(at, &end, 16);
    if (end == at || strncmp(end, ":\t", 2) != 0)
        return false;
    at = end + 2;
    size_t digits = strspn(at, "0123456789abcdef");
    out->op = (uint32_t)strtoul(at, &end, 16);
    out->thumb = digits == 4;
    out->len = digits / 2;
    if (out->thumb && isxdigit((unsigned char)end[1])) {
        out->op = out->op << 16 | (uint32_t)strtoul(end + 1, &end, 16);
        out->len = 4;
    }
    out->text = strchr(end, '\t');
    return (digits == 4 || digits == 8) && out->text && out->text[1] != '.';
}

/* A word of the text before its comment. */
static bool names(const char *text, const char *word)
{
    size_t len = strlen(word), end = strcspn(text, "@;<\n");
    for (const char *at = text; (at = strstr(at, word)) && at < text + end; at++)
        if (!isalnum((unsigned char)at[-1]) && at[-1] != '_' && at[-1] != '.' &&
            !isalnum((unsigned char)at[len]))
            return true;
    return false;
}

/* The last number before the name of a place. */
static uint32_t read_target(const char *text)
{
    const char *at = text + strcspn(text, "<@\n;");
    while (at > text && isspace((unsigned char)at[-1]))
        at--;
    while (at > text && isxdigit((unsigned char)at[-1]))
        at--;
    return (uint32_t)strtoul(at, NULL, 16);
}

/* `@ (1234 <name>)', `@ 1234'. */
static uint32_t read_comment(const char *text)
{
    const char *at = strchr(text, '@');
    return at ? (uint32_t)strtoul(at + 1 + strspn(at + 1, " (0x"), NULL, 16) : 0;
}

static void read_code(const struct line *l, struct arm_code *out)
{
    if (l->thumb)
        thumb_code_read((uint16_t)(l->len == 4 ? l->op >> 16 : l->op), (uint16_t)l->op, out);
    else
        arm_code_read(l->op, out);
}

static bool read_registers(const struct line *l, struct arm_registers *out)
{
    return !l->thumb     ? arm_registers_a32(l->op, out)
           : l->len == 4 ? arm_registers_t32(l->op, out)
                         : arm_registers_t16((uint16_t)l->op, out);
}

/* `<und>' is a condition that IT cannot have. */
static bool is_none(const char *text)
{
    return strstr(text, "UNDEFINED") || strstr(text, "unknown") || strstr(text, "<und>") ||
           strstr(text, "illegal");
}

/* What no processor promises, and what is in the block of an IT that is none. */
static bool is_left_out(const char *text)
{
    return strstr(text, "UNPREDICTABLE") || strstr(text, "unpredictable") ||
           (strstr(text, "<und>") && strncmp(text, "\tit", 3) != 0);
}

static bool agrees(const struct line *l, struct counts *n)
{
    struct arm_code c;
    struct arm_registers r;
    bool bad = is_none(l->text);
    read_code(l, &c);
    if (c.len != l->len)
        return false;
    if (!read_registers(l, &r)) {
        n->unknown += !bad;
        if (!bad && getenv("V"))
            printf("unknown: %" PRIx32 ": %08" PRIx32 "%s", l->addr, l->op, l->text);
        return true;
    }
    if (bad)
        return false;
    uint16_t all = r.read | r.written;
    if (names(l->text, "pc") != (all >> ARM_PC & 1) || names(l->text, "lr") != (all >> ARM_LR & 1))
        return false;
    if (c.kind == ARM_JUMP || c.kind == ARM_BRANCH || (c.kind == ARM_CALL && c.direct))
        return arm_code_target(&c, l->thumb, l->addr) == read_target(l->text);
    if (c.kind == ARM_LITERAL)
        return (l->addr & ~UINT32_C(3)) + (uint32_t)c.by == read_comment(l->text);
    return true;
}

static void compare_line(const char *text, struct counts *n)
{
    struct line l;
    if (!read_line(text, &l) || is_left_out(l.text))
        return;
    n->all++;
    if (agrees(&l, n))
        return;
    n->disagreements++;
    printf("%s", text);
}

int main(int argc, char **argv)
{
    if (argc > 2)
        return write_file(argv[argc - 2], argv[argc - 1], strcmp(argv[1], "-a") == 0);
    struct counts n = {0};
    char *line = NULL;
    size_t cap = 0;
    while (getline(&line, &cap, stdin) > 0)
        compare_line(line, &n);
    free(line);
    printf("%" PRIu64 " instructions, %" PRIu64 " unknown, %" PRIu64 " disagreements\n", n.all,
           n.unknown, n.disagreements);
    return n.disagreements != 0;
}
