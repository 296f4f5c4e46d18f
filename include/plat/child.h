/*
 * child: runs a command under an applet. The command has psuite's standard streams, directory,
 * environment, terminal and process group, and the signal dispositions that psuite itself was
 * started with. PATH is searched; a script without `#!' is given to /bin/sh, as execvp does.
 */
#pragma once

#include "core/base/buf.h"
#include "core/base/fail.h"

#include <stdbool.h>
#include <stdint.h>

/* How a command ended, descendants it waited for included. */
struct child_end {
    bool signalled; /* ended by a signal: code is its number, else the exit status */
    bool core;      /* and left a core file */
    int code;
    uint64_t real_ns, user_ns, sys_ns;
    uint64_t peak_rss_bytes; /* of the largest process */
    uint64_t
        floor_rss_bytes; /* peak_rss_bytes can not read lower: what was inherited at the start */
    uint64_t minor_faults, major_faults;
    uint64_t voluntary_switches, involuntary_switches;
    uint64_t blocks_in, blocks_out; /* of 512 bytes */
};

/* Whether there is such a command, as execvp searches: a file of this path, or one on PATH. */
bool child_finds(const char *name);

/* The exit status psuite gives on its behalf: the code, or 128 + the signal. */
int child_status(const struct child_end *end);

/*
 * A command held just before it becomes the command, so that a sampler can be attached to it by
 * pid:
 *
 *     child_hold -> (attach) -> child_release -> wait on child_handle -> child_wait
 *
 * child_release returns -ENOENT, -EACCES, ... when the command could not be executed; the child is
 * then gone. child_kill ends a held child that shall not run after all.
 */
struct child {
    int pid;
    int start_fd;      /* pipe: a byte lets it run */
    int exec_errno_fd; /* pipe: closed by a successful exec, else brings errno */
    int handle;        /* ready when it has ended */
    uint64_t start_ns;
    uint64_t floor_rss_bytes;
    const char *name; /* argv[0], which must outlive it */
    bool filtered; /* it is released behind a filter: iotrace_attach_held (plat/iotrace.h) traces it
                    */
};

int child_hold(char *const argv[], struct child *out, struct fail *f);
/* The same; while it is held, any process of this user may begin to trace it. */
int child_hold_traceable(char *const argv[], struct child *out, struct fail *f);
int child_release(struct child *c, struct fail *f);
void child_kill(struct child *c);
int child_handle(const struct child *c);
void child_signal(const struct child *c, int sig);

/* Runs a program to its end and appends what it wrote to standard output, at most most_bytes (then
 * -EFBIG). An exit status other than 0 is -ECHILD, and f has the last line of what it wrote to
 * standard error. */
int child_output(char *const argv[], size_t max_bytes, struct buf *out, struct fail *f);

/* Waits for the end (at once when the handle is ready) and releases c. */
int child_wait(struct child *c, struct child_end *out, struct fail *f);
