/* What a process was, and which files it had mapped. */
#include "core/base/grow.h"
#include "parts.h"

#include <errno.h>

enum {
    NT_PRSTATUS = 1,
    NT_PRPSINFO = 3,
    NT_AUXV = 6,
    NT_FILE = 0x46494c45,
    NT_SIGINFO = 0x53494749,
};
enum { AT_ENTRY = 9, AT_SYSINFO_EHDR = 33 };
enum { SIG_ILL = 4, SIG_TRAP = 5, SIG_BUS = 7, SIG_FPE = 8, SIG_SEGV = 11 };

static int add_thread(struct coredump *c, struct coredump_note n)
{
    if (c->threads == COREDUMP_THREADS_MOST) {
        c->left_out++;
        return 0;
    }
    return GROW_ADD(c->thread, c->thread_cap, c->threads, n) ? 0 : -ENOMEM;
}

/* NT_FILE: how many, the size of a page, three words for each mapping: start, end, offset in pages;
 * then the paths, each with a NUL behind. */
static int add_files(struct coredump *c, struct coredump_note n)
{
    size_t word = coredump_word_bytes(c), each = 3 * word, head = 2 * word;
    if (n.len < head)
        return 0;
    uint64_t count = coredump_word(c, n.at), page = coredump_word(c, n.at + word);
    uint64_t fit = (n.len - head) / (each + 1);
    if (count > fit)
        c->left_out += (size_t)(count - fit < COREDUMP_SEGMENTS_MOST ? count - fit : 1);
    count = count < fit ? count : fit;
    const char *path = (const char *)n.at + head + count * each, *end = (const char *)n.at + n.len;
    for (size_t i = 0; i < count && c->files < COREDUMP_SEGMENTS_MOST; i++) {
        const uint8_t *at = n.at + head + i * each;
        const char *nul = memchr(path, '\0', (size_t)(end - path));
        struct coredump_file f = {coredump_word(c, at), coredump_word(c, at + word),
                                  coredump_word(c, at + 2 * word) * page, path};
        if (!nul)
            return 0;
        path = nul + 1;
        if (f.start >= f.end)
            continue;
        if (!GROW_ADD(c->file, c->file_cap, c->files, f))
            return -ENOMEM;
    }
    return 0;
}

/* pr_state, pr_sname, pr_zomb, pr_nice, pr_flag, pr_uid, pr_gid, pr_pid, pr_ppid, pr_pgrp, pr_sid,
 * pr_fname[16], pr_psargs[80]. The user's number is of 16 bits on some 32-bit processors: the texts
 * are counted from the end. */
static void read_process(struct coredump *c, struct coredump_note n)
{
    enum { NAME = 16, ARGUMENTS = 80, NUMBERS = 16 };
    if (n.len < NUMBERS + NAME + ARGUMENTS)
        return;
    const uint8_t *texts = n.at + n.len - NAME - ARGUMENTS;
    c->pid = (int)get_u32(texts - NUMBERS, c->big_endian);
    memcpy(c->command, texts, NAME);
    memcpy(c->arguments, texts + NAME, ARGUMENTS);
}

static void read_auxv(struct coredump *c, struct coredump_note n)
{
    size_t word = coredump_word_bytes(c);
    for (; n.len >= 2 * word; n.at += 2 * word, n.len -= 2 * word) {
        uint64_t key = coredump_word(c, n.at), value = coredump_word(c, n.at + word);
        if (key == AT_ENTRY)
            c->entry = value;
        else if (key == AT_SYSINFO_EHDR)
            c->vdso = value;
    }
}

/* si_signo, si_errno, si_code; the address, aligned. Of these signals the kernel sends some itself:
 * si_code is positive then. */
static void read_signal(struct coredump *c, struct coredump_note n)
{
    size_t word = coredump_word_bytes(c), at = c->wide ? 16 : 12;
    if (n.len < at + word)
        return;
    uint32_t number = get_u32(n.at, c->big_endian), code = get_u32(n.at + 8, c->big_endian);
    bool faults = number == SIG_ILL || number == SIG_TRAP || number == SIG_BUS ||
                  number == SIG_FPE || number == SIG_SEGV;
    c->signal = number;
    c->has_fault = faults && code > 0 && code < 0x80;
    c->fault = coredump_word(c, n.at + at);
}

static int read_note(struct coredump *c, uint32_t type, struct coredump_note n)
{
    switch (type) {
    case NT_PRSTATUS:
        return add_thread(c, n);
    case NT_FILE:
        return c->files ? 0 : add_files(c, n);
    case NT_PRPSINFO:
        read_process(c, n);
        return 0;
    case NT_AUXV:
        read_auxv(c, n);
        return 0;
    case NT_SIGINFO:
        if (!c->signal)
            read_signal(c, n);
        return 0;
    default:
        return 0;
    }
}

/* Sizes of the name and the contents, a type; the name, the contents, each padded to 4 bytes. */
int coredump_notes(struct coredump *c, uint64_t offset, uint64_t len)
{
    enum { HEAD = 12, NAME = 8 };
    if (offset >= c->len)
        return 0;
    const uint8_t *at = c->image + offset;
    uint64_t left = c->len - offset < len ? c->len - offset : len;
    int r = 0;
    while (r == 0 && left >= HEAD) {
        uint64_t name = get_u32(at, c->big_endian), contents = get_u32(at + 4, c->big_endian);
        uint64_t start = HEAD + ((name + 3) & ~3ULL), end = start + ((contents + 3) & ~3ULL);
        if (start > left || contents > left - start)
            return 0;
        if (name == 5 && memcmp(at + HEAD, "CORE", 5) == 0)
            r = read_note(c, get_u32(at + 8, c->big_endian),
                          (struct coredump_note){at + start, (size_t)contents});
        end = end < left ? end : left;
        at += end;
        left -= end;
    }
    return r;
}
