/*
 * iotrace: traces the file calls (core/io/call.h) of a command and its children, or of a running
 * process, and reports each call as it begins and ends.
 *
 * A command gets a seccomp filter before its exec, so that only file calls stop; each stops twice,
 * for what it was given and what it returned, except those whose end is not needed. Where there is
 * no such filter, and in a process that runs already, every call stops twice.
 *
 * What the command may notice: as long as it is traced, no other process can trace it (ptrace fails
 * with EPERM). Set-uid programs run without their privileges, unless we are root. The filter stays
 * for life, and without a tracer every filtered call would fail with ENOSYS. So psuite is two
 * processes then: the one that was started only waits, and the other one, its child, traces. When
 * the first is killed the command goes on, without a report; what outlives the command (a daemon)
 * is watched over in silence until it ends. When the tracer is killed all that it traces is killed
 * with it. (Notification in place of tracing, SECCOMP_RET_USER_NOTIF, does not report what a call
 * returned, and leaves the same ENOSYS behind.)
 */
#pragma once

#include "core/base/fail.h"
#include "core/io/call.h"
#include "plat/child.h"

#include <stdbool.h>
#include <stddef.h>

/* Called for each event. The thread tid is stopped until these return. *of is the taker's: what
 * born returned for that thread. */
struct iotrace_callbacks {
    void *arg;
    /* A thread, of parent's thread (NULL: not known); shares: its descriptors, too. */
    void *(*thread_started)(void *arg, void *parent, bool shares);
    void (*exec_done)(void *arg, void **of, int tid);
    void (*thread_exited)(void *arg, void *of);
    /* false: its end need not be reported. */
    bool (*call_entered)(void *arg, void *of, int tid, struct io_called *c);
    void (*call_returned)(void *arg, void **of, int tid, const struct io_called *c);
    /* About once a second while iotrace_run traces a process, also when it makes no calls; no
     * thread is stopped for it. NULL: not wanted. */
    void (*second_passed)(void *arg);
};

struct iotrace; /* opaque */

/*
 * Starts the command, with our standard streams, directory, terminal and process group. It returns
 * in the tracing process; the one that was started waits for iotrace_finish, or our end, to exit
 * with that status, and hands its signals on. argv must outlive it. -ENOENT, -EACCES: it could not
 * be executed, which only iotrace_run reports.
 */
int iotrace_command(char *const argv[], const struct iotrace_callbacks *callbacks,
                    struct iotrace **out, struct fail *f);

/* Takes hold of all threads of a process, and of what they start from now on. */
int iotrace_process(int pid, const struct iotrace_callbacks *callbacks, struct iotrace **out,
                    struct fail *f);

/*
 * A command that mount_hold holds, to be released as `filtered' (plat/child.h): only its calls on
 * descriptors 0, 1 and 2 stop, and those that copy or close these. The calling thread traces, and
 * must call iotrace_watch; the command's end is its parent's to wait for. All that it traces is
 * killed when that thread ends. -ENOSYS: there are no such filters here.
 */
int iotrace_attach_held(int pid, const struct iotrace_callbacks *callbacks, struct iotrace **out,
                        struct fail *f);
/* Installs its filter in the held command itself before its exec: 0 or -errno. Not on the fake
 * platform. */
int iotrace_filter_standard(void);
/* Reports calls until nothing of the command is left. */
void iotrace_watch(struct iotrace *t);

/* Until the command has ended, or the process, or (of a process) an interrupt or
 * end_ns (of clock_mono_ns; 0: never) came. Of end only
 * signalled, core, code and real_ns are set. */
int iotrace_run(struct iotrace *t, uint64_t end_ns, struct child_end *end, struct fail *f);

/* Tells no more, but that all threads are gone: what survives the command is only watched over. */
void iotrace_quiet(struct iotrace *t);

/* Nobody is there any more to report to. */
bool iotrace_is_orphaned(const struct iotrace *t);

/* "ptrace, seccomp" or "ptrace, all calls". */
const char *iotrace_method(const struct iotrace *t);

/* The last word: psuite exits with the status. Returns at once when nothing of the command's is
 * left; else, the first process having exited, when the last of it has ended. */
void iotrace_finish(struct iotrace *t, int status);
void iotrace_free(struct iotrace *t);

/* How a descriptor's file is asked for, in the terms of core/io/files.h. IO_CALL_CWD is the
 * thread's working directory. */
size_t iotrace_path(void *arg, int tid, int fd, char *to, size_t cap);
bool iotrace_is_open(void *arg, int tid, int fd);
/* Copies a string of a stopped thread's memory, terminated: its length, or -errno. -ENAMETOOLONG:
 * it does not end within cap. */
int iotrace_string(int tid, uint64_t address, char *to, size_t cap);
