/*
 * sym_threads: the threads of a core file with their call chains.
 */
#pragma once

#include "core/symbol/sym_output.h"
#include "engine/symbols/target.h"

/* On standard output: what the process was and which signal ended it, then each thread with its
 * call chain, the one that was killed first. As JSON an object a line. 0, or -errno and f. */
int sym_threads(struct target *t, const struct answer_format *format, struct fail *f);
