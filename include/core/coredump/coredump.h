/*
 * coredump: a core file: the memory of a process, its threads' registers, and which files it had
 * mapped, as Linux and gdb's gcore write it. An ELF file (elf(5), core(5)) of 32 or 64 bit
 * and either byte order: a PT_LOAD for each mapping, of which the file may hold a part or nothing,
 * and notes by the name CORE: NT_PRSTATUS for each thread, the first of them the one that was
 * killed, NT_PRPSINFO, NT_SIGINFO, NT_AUXV, NT_FILE (asm/elf.h, linux/elfcore.h of each processor).
 *
 * The bytes may be hostile or cut short: every offset and count is bounded, mappings that overlap
 * one before them are left out. What is read points into the caller's bytes, which must stay.
 */
#pragma once

#include "core/base/fail.h"
#include "core/unwind/unwind.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* More mappings, of memory and of files, or threads are left out. */
enum { COREDUMP_SEGMENTS_MOST = 1 << 20, COREDUMP_THREADS_MOST = 1 << 16 };

struct coredump_segment {
    uint64_t start, end;    /* addresses */
    uint64_t offset, bytes; /* what the file holds of it, from its start on */
    bool executable;
};

struct coredump_file { /* of NT_FILE */
    uint64_t start, end;
    uint64_t file_offset;
    const char *path;
};

struct coredump_note {
    const uint8_t *at;
    size_t len;
};

struct coredump {
    const uint8_t *image;
    size_t len;
    bool wide, big_endian;
    unsigned machine; /* e_machine */

    struct coredump_segment *segment; /* by their starts, as the files are */
    size_t segments, segment_cap;
    struct coredump_file *file;
    size_t files, file_cap;
    struct coredump_note *thread; /* NT_PRSTATUS */
    size_t threads, thread_cap;
    size_t left_out;        /* mappings and threads */
    uint64_t missing_bytes; /* so much longer the file would be if it were not cut short */

    int pid;         /* 0: not known */
    unsigned signal; /* that ended it; 0: none, or not known */
    bool has_fault;  /* fault: the address that could not be used */
    uint64_t fault;
    char command[17];     /* its name, as in /proc/PID/comm; empty: not known */
    char arguments[81];   /* the start of its command line */
    uint64_t entry, vdso; /* addresses of the program's first instruction and of the vDSO; 0: not
                             known */
};

/* Whether the bytes begin as a core file's. */
bool coredump_is(const uint8_t *image, size_t len);

/* -ENOEXEC, with what is wrong as f->what, when it is no core file; -ENOMEM. Release either way. */
int coredump_open(const uint8_t *image, size_t len, struct coredump *out, struct fail *f);
void coredump_release(struct coredump *c);

/* The memory at an address, and how many bytes of it follow in the file; NULL: it is not there. */
const uint8_t *coredump_memory(const struct coredump *c, uint64_t address, uint64_t *avail);

/* --- threads --- */

struct coredump_thread {
    int tid;
    unsigned signal;
    bool has_pc; /* false: of a processor whose registers are not known here */
    uint64_t pc;
    bool unwinds; /* machine and regs are there: its call chain can be found */
    enum unwind_machine unwinder;
    struct unwind_regs regs;
};

void coredump_thread(const struct coredump *c, size_t i, struct coredump_thread *out);

/* --- code --- */

/* A mapping of code, or of a file that may be: gcore does not say. */
struct coredump_code {
    uint64_t start, end;
    uint64_t file_offset;
    const char *path; /* "[vdso]" of the vDSO; "": memory without a file */
    uint64_t base;    /* where the first byte of the file is mapped, which should be an ELF header;
                         0: nowhere near */
};

struct coredump_cursor { /* starts as zeroes */
    size_t segment, file;
    uint64_t at;
};

/* The next by its address; false after the last. */
bool coredump_next_code(const struct coredump *c, struct coredump_cursor *at,
                        struct coredump_code *out);
