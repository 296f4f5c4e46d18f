/*
 * sym_target: the options of every style that select the target of sym, and the warnings about it.
 */
#pragma once

#include "applets/applet.h"
#include "engine/symbols/target.h"

enum { SYM_BASE = 256, SYM_SYSTEM_MAP, SYM_VMLINUX, SYM_STYLE, SYM_CORE, SYM_MAPS, SYM_OWN };

/* clang-format off */
#define SYM_TARGET_OPTS                                                                            \
    {'k', "kernel", NULL, "look up addresses of the running kernel"},                             \
    {SYM_STYLE, "style", "STYLE", "output of psuite, gnu (addr2line) or llvm (llvm-symbolizer)"},  \
    {SYM_BASE, "base", "ADDRESS", "load address of BINARY; with -k of the kernel"},  \
    {OPT_ADVANCED | SYM_SYSTEM_MAP, "system-map", "FILE",                                            \
     "with -k: take symbols from a System.map or a kallsyms"},                                          \
    {SYM_VMLINUX, "vmlinux", "FILE", "with -k: take symbols from a kernel's ELF file"}
/* Not of llvm-symbolizer's style, where each question names a file. */
#define SYM_PROCESS_OPTS                                                                           \
    {SYM_CORE, "core", "FILE", "look up addresses or call chains of a core file"},                \
    {OPT_ADVANCED | SYM_MAPS, "maps", "FILE",                                                      \
     "look up addresses of a process by a saved /proc/PID/maps"}
/* clang-format on */

extern const struct applet applet_sym;

/* 1 when the option was one of these; 0 when not; -1 when it was, and wrong. The style is not
 * taken, as it decided what options there are. */
int sym_target_opt(struct target_want *want, const struct opt_state *o);

/* The first operand is the target, unless an option named one. DONE, or USAGE. With a core file or
 * saved maps all operands are addresses. */
int sym_parse_target(struct target_want *want, int *operands, char ***operand);

/* Warns of names that will be missing, with the places where they could have been. */
void sym_warn_missing(struct target *t);

/* Warns of what only the questions showed to be missing, and of files that may not be those that
 * were mapped. False when a file could not be read to the end. */
bool sym_all_read(const struct target *t);
