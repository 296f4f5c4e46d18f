/*
 * standard: the standard descriptors of a command in a served root. It has inherited them, so that
 * what is read and written by them does not reach the server of its files; the server traces
 * these calls alone (plat/iotrace.h), and counts them as messages of the files /fd/0, 1 and 2.
 *
 *     s = standard_start(pid, done, arg, &f)     of a held command; NULL: it cannot be traced
 *     release the command as filtered
 *     standard_end(s, counts, &also)             at the report: adds what was counted
 *
 * Copies of a standard descriptor under a number above 2 are not seen. Never freed: the command's
 * daemons live on.
 */
#pragma once

#include "core/base/buf.h"
#include "core/base/fail.h"
#include "core/io/counts.h"

struct standard; /* opaque */

/* An operation as it was counted, on another thread than the one that started; error: an errno. */
typedef void standard_done(void *arg, int tid, const struct io_done *done, const char *path,
                           int error);
struct standard *standard_start(int pid, standard_done *done, void *arg, struct fail *f);
/* Counts no more from then on. uncounted: what the server does not see, to which is appended what
 * is not seen here. s NULL: it is not traced, for the reason f (err 0: it was not to be). */
void standard_end(struct standard *s, const struct fail *f, struct io_counts *counts,
                  struct buf *uncounted);
/* Until nothing of the command's is left: what is traced ends with this process. NULL: nothing. */
void standard_wait(const struct standard *s);
