/*
 * dispositions: the signal mask and dispositions that psuite was started with, which a command gets
 * back, as it does the score of oom_score.h.
 */
#pragma once

#include <spawn.h>
#include <stdbool.h>

/* Remembers them; the first call counts, so it comes before anything of ours changes one. */
void dispositions_save(void);

/* In the child, before exec (also after vfork: touches only the kernel's tables). */
void dispositions_restore(void);

/* The same for posix_spawn, but not the score: for programs that psuite needs. */
void dispositions_spawn(posix_spawnattr_t *attr);

/* A process started with SIGCHLD ignored cannot wait for its children: takes the default, after
 * dispositions_save. */
void dispositions_default_sigchld(void);

/* Whether psuite was started with the signal ignored (nohup, a shell's background job); it then
 * stays so. */
bool dispositions_was_ignored(int signal);
