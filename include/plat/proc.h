/* proc: reads a process's files in /proc, as raw text, and the files mapped into it. */
#pragma once

#include "core/base/buf.h"
#include "core/base/fail.h"
#include "plat/file.h"

#include <stdbool.h>
#include <stdint.h>

/* Appends /proc/PID/NAME ("maps", "comm", "task/12/comm"). -ESRCH when there is no such process. */
int proc_text(int pid, const char *name, struct buf *out, struct fail *f);

/* Ticks of /proc/PID/stat a second. */
uint64_t proc_ticks_hz(void);

/* Path of the process's executable; out stays empty without permission. */
void proc_program(int pid, struct buf *out);

/* Its threads' ids into out, at most most; how many there are. -ESRCH. */
int proc_threads(int pid, int *out, int max_count, struct fail *f);

/* All processes' ids, in the same way. */
int proc_list(int *out, int max_count, struct fail *f);

/* 0; -ENOENT: /proc is not mounted. */
int proc_check(struct fail *f);
/* 0; -ESRCH: there is no such process, or /proc hides it. */
int proc_check_process(int pid, struct fail *f);

/* Ready when the process has ended; -1 where the kernel cannot (before 5.3): then ask proc_alive
 * now and then. */
int proc_handle(int pid);
void proc_handle_close(int handle);
bool proc_alive(int pid);

/* What can be done to a process from outside. -ESRCH, -EPERM. */
enum proc_order { PROC_STOP, PROC_CONTINUE, PROC_KILL };
int proc_order(int pid, enum proc_order order, struct fail *f);

/*
 * The file mapped into pid at [start, end), which pid knows as path, even when it is deleted or
 * replaced since, or lies in another mount namespace: by /proc/PID/map_files, else through
 * /proc/PID/root, else, when pid is gone, by path here, each held against the inode when that is
 * not 0. "[vdso]" is read from the process's memory; of pid 0, and when pid is gone, it is our own.
 * -ESTALE: only another file of that name is there.
 */
struct proc_mapping {
    int pid;
    uint64_t start, end;
    const char *path;
    uint32_t major, minor;
    uint64_t inode; /* 0: not known */
};
int proc_image(const struct proc_mapping *at, struct image *out, struct fail *f);

/* The same file held open, as long as it is regular, to be mapped when it is whole or the process
 * has ended: a handle, or -errno. */
int proc_hold(const struct proc_mapping *at, struct fail *f);
int proc_held_image(int handle, struct image *out, struct fail *f);
void proc_held_close(int handle);

/* Copies of the process's memory at from, 128 KB at most, what can be had before the first page of
 * 4 KB that cannot; how many bytes. 0 when the process is gone or may not be read. Where the
 * process has neither read nor written yet, the kernel puts pages of zeroes. */
size_t proc_memory(int pid, uint64_t from, void *bytes, size_t len);

/*
 * perf-PID.map, which a JIT compiler writes into its /tmp (core/symbol/perfmap.h): that of the
 * process's own root folder, under the pid that the process knows itself by. Only a regular file of
 * the process's user or of root's is read, of at most 256 MB. What proc_jit_open took hold of can
 * be read when the process has ended.
 */
struct proc_jit {
    int folder, pid;
    uint32_t uid;
};
int proc_jit_open(int pid, struct proc_jit *out, struct fail *f);
/* The same of a process that was recorded, by its pid in the folder's tmp ("": this machine's):
 * only a file of ours or of root's. */
int proc_jit_recorded(const char *root, int pid, struct proc_jit *out, struct fail *f);
int proc_jit_read(const struct proc_jit *j, struct buf *out, struct fail *f); /* -ENOENT: none */
void proc_jit_close(struct proc_jit *j);

/* Appends /proc/kallsyms; or gives it in parts, as file_read_parts. */
int proc_kallsyms(struct buf *out, struct fail *f);
int proc_kallsyms_parts(void (*part)(void *arg, char *text, size_t len), void *arg, struct fail *f);

/* Appends /proc/modules; -ENOENT when the kernel has none by its configuration. */
int proc_modules(struct buf *out, struct fail *f);
