/*
 * target: the target whose addresses are looked up: a file, a process, a process's core file or
 * saved maps, or the kernel.
 */
#pragma once

#include "core/coredump/coredump.h"
#include "core/sample/mapped.h"
#include "core/symbol/crash_log.h"
#include "core/symbol/kallsyms.h"
#include "core/symbol/sym_output.h"
#include "engine/symbols/symbols.h"

/* What llvm-symbolizer does otherwise with a file. */
struct target_llvm {
    bool rules;               /* its rules choose the symbols */
    bool tagged;              /* symbols' addresses keep their tags */
    bool relative_paths;      /* of source files: without the compilation directory */
    const char *package;      /* the .dwp; NULL: FILE.dwp */
    struct frames_want names; /* what its frames have */
};

struct target_want {
    const char *file; /* an ELF file: addresses are its link-time ones */
    int pid;          /* else a process: its run-time addresses */
    const char *core; /* else the process of a core file; file may be its program */
    const char *maps; /* else one whose /proc/PID/maps was saved in this file */
    bool kernel;      /* else the kernel: its run-time addresses, by /proc/kallsyms, or by: */
    const char *system_map, *vmlinux;
    bool has_base; /* addresses count from base: where the file is loaded; the kernel's _text */
    uint64_t base;
    const char *section; /* of a file: addresses count from where this begins; NULL: they do not */
    bool returns;        /* they are where calls return to: the call before is asked about */
    struct target_llvm llvm;
    struct debugfile_search search;
};

struct target {
    struct target_want want;
    struct symbols symbols;
    struct mapped mapped;
    uint32_t process;    /* whose addresses are asked in mapped.spaces; 0: no process's */
    struct module *file; /* the one that was named; vmlinux; NULL */
    struct image core_image;
    struct coredump core;
    struct kallsyms kernel;
    struct buf text; /* the kernel's symbols */
    uint64_t slide;  /* run-time less link-time addresses */
    struct frames frames;
    struct llvm_symbols *llvm;
};

/* -errno and f with a hint. Release either way. */
int target_open(const struct target_want *want, struct target *t, struct fail *f);
void target_release(struct target *t);

/* The function at an address; true when it is known code. The answer's strings are valid until
 * the next question, those of frames as long as the target. */
bool target_address(struct target *t, uint64_t address, struct answer *out);

/* The same of a place in a line; false also when it is another file's. */
bool target_place(struct target *t, const struct logline_place *p, struct answer *out);

/* The same of a frame of a call chain: of what called, if it returns there. */
bool target_frame(struct target *t, const struct unwind_frame *frame, struct answer *out);

/* The call chain of a thread of the core file that `unwinds', by the memory there and, where that
 * holds none, by the files that were mapped. As unwind(); guarded. */
struct unwind_result target_chain(struct target *t, const struct coredump_thread *thread,
                                  struct unwind_frame *out, size_t cap);

/* For a file that has no symbols to speak of: what it lacks and where its debug file was looked
 * for; empty otherwise. */
void target_missing_symbols(struct target *t, struct buf *why, struct buf *paths);

/* Of a core file or saved maps: how many files were asked about that are not here, and how many are
 * here of which it is not known, or not so, that they are those that were mapped; and one of each.
 */
struct target_doubts {
    size_t missing, other;
    const struct module *one_missing, *one_other;
};
struct target_doubts target_doubts(const struct target *t);
