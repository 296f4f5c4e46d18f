/*
 * mounts: /proc/PID/mountinfo (Linux's Documentation/filesystems/proc.rst, 3.5): a mount a line,
 *
 *     36 35 98:0 /root /mnt opts [shared:1 ...] - fuse.psuite SOURCE superopts
 *
 * in the order in which they were made, so that of several at one place the last is seen.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MOUNTS_TEXT = 4097 };

struct mount_line {
    uint64_t device;        /* of the file system: major << 32 | minor; one a FUSE connection */
    char root[MOUNTS_TEXT]; /* which directory of the file system is mounted there */
    char mount_point[MOUNTS_TEXT]; /* where */
    char fs_type[64], source[MOUNTS_TEXT];
};

/* The mount whose line begins at *at, which moves behind it: true; false at the end. Lines that are
 * cut or have longer texts are passed over. */
bool mounts_next(const char **at, struct mount_line *out);
