/*
 * sym_lines: sym's conversation: a line in, its answer out.
 */
#ifndef PSUITE_APPLETS_SYM_LINES_H
#define PSUITE_APPLETS_SYM_LINES_H

#include "applets/sym_files.h"

struct sym_lines {
    struct target *target;
    struct sym_files *files; /* LLVM: lines name their files, target is none; else NULL */
    bool by_llvm;            /* lines are read as llvm-symbolizer reads them */
    struct answer_format format;
};

/* Answers on standard output; 0, or -errno and f. Operands are answered as lines are. */
int sym_operands(struct sym_lines *s, int n, char **operand, struct fail *f);

/* Standard input to its end. What has come is answered before more is waited for. */
int sym_input(struct sym_lines *s, struct fail *f);

#endif
