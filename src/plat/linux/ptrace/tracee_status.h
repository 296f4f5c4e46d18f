/* tracee_status: what /proc/PID/status says about a thread that is traced, or shall be. */
#pragma once

#include "core/base/fail.h"

#include <stdbool.h>

/* A number behind a key such as "\nTracerPid:"; -1 when there is none. */
long ptrace_status(int pid, const char *key);

bool tracee_has_handler(int tid, int signal);
/* A signal is pending that is not blocked. One that is about to be delivered has a stop of its own.
 */
bool tracee_has_pending_signal(int tid);

bool tracee_is_thread_of(int pid, int tid);
/* Whether they have the same of what kcmp(2) compares, KCMP_FILES and the like. A kernel that does
 * not compare: threads of a process do. */
bool tracee_shares(int parent, int child, int what);

/* denied.c: err, with which a process may not be traced, and what to do about it; -err. */
int ptrace_fail_denied(int pid, int err, struct fail *f);
