/*
 * exec_path: execvp in two steps: the search once, the exec often and safe after vfork (no
 * allocation).
 */
#pragma once

struct exec_path {
    char *path;
    char *const *argv;       /* the caller's */
    const char **shell_argv; /* /bin/sh path arguments: for a script without `#!' */
};

/* As execvp searches: -ENOENT when it is nowhere, -EACCES when only what may not be executed was
 * found; nothing to release then. */
int exec_path_find(char *const argv[], struct exec_path *out);
void exec_path_release(struct exec_path *e);

/* Becomes the command, or returns the (positive) errno. */
int exec_path_run(const struct exec_path *e);
