/*
 * symbol_opts: the options of every applet that names code.
 */
#pragma once

#include "applets/applet.h"
#include "core/elf/debugfile.h"

#include <stdbool.h>

enum { DEBUG_DIR = 1024, SYSROOT, NO_DEMANGLE, SYMBOL_MEMORY };

/* clang-format off */
#define SYMBOL_OPTS                                                                                \
    {OPT_ADVANCED | DEBUG_DIR, "debug-dir", "DIR", "look for debug files here (default " DEBUGFILE_DIR ")"},        \
    {OPT_ADVANCED | SYSROOT, "sysroot", "DIR", "look for the target's files below DIR first"},                     \
    {OPT_ADVANCED | NO_DEMANGLE, "no-demangle", NULL, "do not demangle names"},                           \
    {OPT_ADVANCED | SYMBOL_MEMORY, "symbol-memory", "MB", "limit the symbols and lines of all files to MB"}
/* clang-format on */

/* 1 when the option was one of these; 0 when not; -1 when it was, and wrong. */
int symbol_opt(struct debugfile_search *search, bool *no_demangle, const struct opt_state *o,
               int id);
