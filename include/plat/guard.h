/*
 * guard: turns a crash in a library's code, caused by a hostile file or one that was truncated
 * while mapped, into an error; and outside of such code what a truncated file has lost into zeros.
 */
#pragma once

#include "core/base/fail.h"

#include <stdbool.h>

/*
 * Runs fn(arg). Its result; or -EFAULT with f set when it was ended by SIGSEGV, SIGBUS, SIGILL,
 * SIGFPE or SIGABRT (f->what names the signal): what it held is lost, what it was changing must not
 * be used again. Calls nest: the innermost catches. Handlers and signal stack are those of before
 * when the outermost call returns; within one, a further call costs no system call. One thread at a
 * time.
 *
 * Under the address sanitizer it is a plain call, so that crashes are seen (see guard_is_active).
 */
int guard_call(int (*fn)(void *arg), void *arg, struct fail *f);
bool guard_is_active(void);

/*
 * From now on, what is read of a mapped file behind the end that it has meanwhile is zeros, as in a
 * hole, and no SIGBUS: linkers and copies rewrite files that are mapped for their names and code.
 * Within guard_call it is a crash as before.
 */
void guard_truncated_files(void);
