/*
 * sym_llvm_options: the options of llvm-symbolizer.
 */
#pragma once

#include "applets/applet.h"
#include "applets/sym_llvm_lines.h"

extern const struct opt sym_llvm_options[];

/* What they ask for. */
struct sym_llvm_request {
    struct target_want want;
    struct sym_llvm_lines lines;
    const char *by_link; /* folder of debug files by debuglink; NULL: those of the search */
    bool no_demangle;
};

/* Takes one of them (opt_parse). */
int sym_llvm_option(void *request, struct opt_state *o, int id);
