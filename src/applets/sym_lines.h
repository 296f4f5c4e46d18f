/*
 * sym_lines: reads sym's input line by line and prints the answers.
 */
#pragma once

#include "applets/sym_llvm_lines.h"
#include "engine/symbols/target.h"

struct sym_lines {
    struct target *target;
    struct answer_format format;
    struct sym_llvm_lines
        *llvm; /* in the place of the two above, when the style is llvm; or NULL */
};

/* Answers on standard output; 0, or -errno and f. Operands are answered as lines are. */
int sym_operands(struct sym_lines *s, int n, char **operand, struct fail *f);

/* Standard input to its end. What has come is answered before more is waited for. */
int sym_input(struct sym_lines *s, struct fail *f);
