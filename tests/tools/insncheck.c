/*
 * insncheck: instruction lengths and targets of x86-64, and targets of arm64, against objdump's.
 *
 *     objdump -d -w --insn-width=16 FILE | insncheck     compares each line of it
 *     insncheck FILE OUT                                 writes to OUT, once each, the instructions
 *                                                        that begin at any byte of FILE's code, for
 *                                                        objdump -D -b binary -m i386:x86-64
 *
 * The comparison prints each line on which the two disagree, and at the end
 * `N instructions, N unknown, N disagreements'. Unknown are those that x86_insn_read refuses and
 * objdump does not; with V=1 they are printed, too. A line that has a prefix alone is none.
 */
#include "core/elf/elf.h"
#include "core/insn/arm64.h"
#include "core/insn/x86.h"
#include "plat/file.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- writing --- */

enum { SLOTS = 1 << 22 };

struct seen {
    uint8_t len, bytes[X86_INSN_MAX];
};

/* False when it is in the table already. */
static bool note_new(struct seen *table, const uint8_t *bytes, unsigned len)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (unsigned i = 0; i < len; i++)
        hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
    for (size_t at = hash >> 20 & (SLOTS - 1);; at = (at + 1) & (SLOTS - 1)) {
        if (table[at].len == len && memcmp(table[at].bytes, bytes, len) == 0)
            return false;
        if (table[at].len)
            continue;
        table[at].len = (uint8_t)len;
        memcpy(table[at].bytes, bytes, len);
        return true;
    }
}

static size_t write_all(const uint8_t *code, size_t len, FILE *out)
{
    struct seen *table = calloc(SLOTS, sizeof *table);
    size_t count = 0;
    for (size_t at = 0; table && at < len && count < SLOTS / 2; at++) {
        struct x86_insn i;
        if (!x86_insn_read(code + at, len - at, &i) || !note_new(table, code + at, i.len))
            continue;
        fwrite(code + at, 1, i.len, out);
        count++;
    }
    free(table);
    return count;
}

/* The segment that has the code: all of the file between its text's first and last byte. */
static int write_file(const char *path, const char *to)
{
    struct image image;
    struct fail f;
    struct elf_module *m;
    uint64_t start, end, vaddr;
    FILE *out = fopen(to, "w");
    if (!out || file_map(path, SIZE_MAX, &image, &f) < 0 ||
        elf_open(image.data, image.len, &m, &f) < 0 || !elf_text(m, &start, &end)) {
        fprintf(stderr, "insncheck: %s: no code\n", path);
        return 1;
    }
    size_t at = 0;
    while (at < image.len && !(elf_vaddr(m, at, &vaddr) && vaddr == start))
        at++;
    size_t len = end - start < image.len - at ? (size_t)(end - start) : image.len - at;
    printf("%zu instructions at %zu bytes\n", write_all(image.data + at, len, out), len);
    return fclose(out) != 0;
}

/* --- comparing --- */

struct counts {
    uint64_t all, unknown, disagreements;
    bool arm64;
};

static size_t read_bytes(const char *text, uint8_t *out)
{
    size_t n = 0;
    while (n < 32 && isxdigit((unsigned char)text[0]) && isxdigit((unsigned char)text[1])) {
        char pair[3] = {text[0], text[1], '\0'};
        out[n++] = (uint8_t)strtoul(pair, NULL, 16);
        text += text[2] == ' ' ? 3 : 2;
    }
    return n;
}

/* `rex.W', `data16', `fs': nothing follows that it would belong to. */
static bool is_prefix_alone(const char *text)
{
    static const char *const names[] = {"rex", "data16", "addr32", "repz", "repnz", "rep", "lock",
                                        "cs",  "ds",     "es",     "ss",   "fs",    "gs",  "fwait"};
    size_t len = strcspn(text, " .\n");
    if (text[len] == '.')
        return strncmp(text, "rex.", 4) == 0 && strcspn(text, " \n") == strspn(text, "rex.WRXB");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i]) == len && strncmp(text, names[i], len) == 0)
            return strspn(text + len, " \n") == strlen(text + len);
    return false;
}

/* The address that the operand or the comment behind it names; UINT64_MAX: none. */
static uint64_t read_target(const char *text, const struct x86_insn *i)
{
    size_t len = strcspn(text, "<\n");
    const char *at = i->memory ? strchr(text, '#') : text + len;
    if (!at)
        return UINT64_MAX;
    while (!i->memory && at > text && at[-1] == ' ')
        at--;
    while (!i->memory && at > text && at[-1] != ' ')
        at--;
    at += strspn(at, "# ");
    char *end;
    uint64_t target = strtoull(at, &end, 16);
    return end > at ? target : UINT64_MAX;
}

/* `tbz w0, #3, 1234 <name>', `ldr x0, 1234 <name>': the last word, if there is one with an address;
 * what is relative has one. */
static bool agrees_arm64(uint32_t word, uint64_t addr, const char *text)
{
    struct arm64_insn i;
    arm64_insn_read(word, &i);
    bool named = strchr(text, '<') && !strstr(text, "// #") && !strstr(text, ".inst");
    if (i.relative != ARM64_NOT_RELATIVE && !named)
        return strstr(text, ".inst") || strstr(text, "udf");
    if (i.relative == ARM64_NOT_RELATIVE)
        return !named;
    const char *at = strchr(text, '<') - 1;
    while (at > text && isxdigit((unsigned char)at[-1]))
        at--;
    return arm64_insn_target(&i, addr) == strtoull(at, NULL, 16);
}

static bool agrees(const uint8_t *bytes, size_t len, uint64_t addr, const char *text,
                   struct counts *n)
{
    struct x86_insn i;
    bool bad = strstr(text, "(bad)");
    if (!x86_insn_read(bytes, len, &i)) {
        n->unknown += !bad;
        if (!bad && getenv("V"))
            printf("unknown: %" PRIx64 ": %s", addr, text);
        return true;
    }
    if (bad || i.len != len)
        return false;
    return !i.relative_size || x86_insn_target(&i, addr) == read_target(text, &i);
}

static void compare_line(const char *line, struct counts *n)
{
    uint8_t bytes[32];
    char *at;
    uint64_t addr = strtoull(line, &at, 16);
    if (at == line || strncmp(at, ":\t", 2) != 0)
        return;
    const char *text = strchr(at + 2, '\t');
    if (n->arm64 && text) {
        n->all++;
        if (agrees_arm64((uint32_t)strtoul(at + 2, NULL, 16), addr, text + 1))
            return;
        n->disagreements++;
        printf("%s", line);
        return;
    }
    size_t len = read_bytes(at + 2, bytes);
    if (!text || !len || is_prefix_alone(text + 1))
        return;
    n->all++;
    if (agrees(bytes, len, addr, text + 1, n))
        return;
    n->disagreements++;
    printf("%s", line);
}

int main(int argc, char **argv)
{
    if (argc == 3)
        return write_file(argv[1], argv[2]);
    struct counts n = {0};
    char *line = NULL;
    size_t cap = 0;
    while (getline(&line, &cap, stdin) > 0) {
        n.arm64 |= strstr(line, "file format elf64-littleaarch64") != NULL;
        compare_line(line, &n);
    }
    free(line);
    printf("%" PRIu64 " instructions, %" PRIu64 " unknown, %" PRIu64 " disagreements\n", n.all,
           n.unknown, n.disagreements);
    return n.disagreements != 0;
}
