/*
 * pid_status: parses the texts of a process's files in /proc (proc(5)).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;

/* /proc/PID/stat: `PID (NAME) STATE ...`, numbers; the name may hold anything. */
struct pid_status {
    char name[64];
    char state;                     /* R S D T t Z X I ... */
    uint64_t user_ticks, sys_ticks; /* of the process, ended threads included */
    uint64_t child_user, child_sys; /* of children that were waited for */
    int64_t priority, nice;
    uint64_t start_ticks;    /* since the machine's start */
    uint64_t resident_pages; /* of memory */
};
bool pid_status_parse(const char *text, struct pid_status *out);

/* Plan 9's word for such a state: Running, Ready, Sleeping, Stopped, Broken, Moribund ... */
const char *pid_status_state_name(char state);

/* /proc/PID/status: the line `Uid: REAL EFFECTIVE ...`. */
bool pid_status_uid(const char *text, uint32_t *uid);

/* The lines `Tgid: PID' and `PPid: PID' of a thread: its process, and that one's parent (0: none).
 */
bool pid_status_process(const char *text, int32_t *process, int32_t *parent);

/* The line `Groups: ID ID ...` of the same file: how many, and at most so many of them to out.
 * -EAGAIN: the text has no such line, or not yet its end. A number that is no group id ends it. */
long pid_status_groups(const char *text, uint32_t *out, size_t max);

/* The primary group of a user in the text of /etc/passwd; false: the user has no line. */
bool pid_status_gid(const char *passwd, uint32_t uid, uint32_t *gid);

/* The groups of a user in the text of /etc/group (`NAME:PASSWORD:ID:USER,USER ...`), the primary
 * one not among them: how many, and at most max of them to out. */
size_t pid_status_member(const char *group, const char *user, uint32_t *out, size_t max);

/* The name of a user in the text of /etc/passwd: into out, at most so many bytes with the NUL. */
bool pid_status_user(const char *passwd, uint32_t uid, char *out, size_t cap);

/* /proc/PID/cmdline, whose words end with NULs: appended as Plan 9 quotes them, on one line. */
void pid_status_args(const char *bytes, size_t len, struct buf *out);

/* /proc/PID/fdinfo/N: lines `pos: N`, `flags: OCTAL`, since Linux 5.14 `ino: N`. */
struct proc_fdinfo {
    uint64_t offset, inode;
    unsigned access; /* 0 read, 1 write, 2 both */
};
bool proc_fdinfo_parse(const char *text, struct proc_fdinfo *out);
