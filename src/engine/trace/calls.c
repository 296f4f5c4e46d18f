/* Which tasks are 32-bit programs on a 64-bit machine: their system calls have other numbers. */
#include "plat/file.h"
#include "plat/host.h"
#include "private.h"

#include <stdio.h>
#include <string.h>

enum { BITS_32 = 32, BITS_64 = 64, ELF_CLASS = 4, ELF_CLASS_32 = 1 };

/* 0: it is no ELF file, or is gone. */
static unsigned bits_of(const char *program)
{
    struct image file;
    if (file_map_regular(program, &file, NULL) < 0)
        return 0;
    bool elf = file.len > ELF_CLASS && memcmp(file.data,
                                              "\x7f"
                                              "ELF",
                                              ELF_CLASS) == 0;
    unsigned bits = !elf ? 0 : file.data[ELF_CLASS] == ELF_CLASS_32 ? BITS_32 : BITS_64;
    file_unmap(&file);
    return bits;
}

static bool is_compat(const char *program)
{
    return bits_of(program) == BITS_32;
}

void tracing_calls_start(struct tracing *t)
{
    struct host host;
    host_describe(&host);
    t->names.machine = syscall_machine_by_name(host.machine);
    if (t->want && t->want->calls && syscall_machine_compat(t->names.machine))
        t->decoder.is_compat = is_compat;
}

static void set_bits(struct tracing *t, int32_t pid, uint64_t bits)
{
    uint64_t *at = imap_at(&t->tasks.bits, (uint32_t)pid);
    if (at)
        *at = bits;
}

/* A task that ran before the trace; an ended one has the value of its parent. */
static uint64_t look_up_bits(struct tracing *t, int32_t pid)
{
    char program[64];
    snprintf(program, sizeof program, "/proc/%d/exe", (int)pid);
    uint64_t bits = bits_of(program);
    if (!bits)
        bits = imap_get(&t->tasks.bits, (uint32_t)sched_names_parent(&t->names, pid));
    set_bits(t, pid, bits ? bits : BITS_64);
    return bits;
}

const struct sched_event *tracing_calls_apply(struct tracing *t, const struct sched_event *e,
                                              struct sched_event *changed)
{
    uint64_t bits = t->decoder.is_compat ? imap_get(&t->tasks.bits, (uint32_t)e->pid) : BITS_64;
    if (!t->decoder.is_compat)
        return e;
    if (e->kind == SCHED_EXEC)
        set_bits(t, e->pid, e->flags & SCHED_COMPAT ? BITS_32 : 0);
    else if (e->kind == SCHED_FORK)
        set_bits(t, e->pid, imap_get(&t->tasks.bits, (uint32_t)e->other));
    else if (e->kind == SCHED_DEAD)
        set_bits(t, e->pid, 0);
    if (e->kind != SCHED_CALL && e->kind != SCHED_RETURN)
        return e;
    if ((bits ? bits : look_up_bits(t, e->pid)) != BITS_32)
        return e;
    *changed = *e;
    changed->flags |= SCHED_COMPAT;
    return changed;
}
