#include "exec_path.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char shell[] = "/bin/sh";

/* 0, or why the file cannot be executed. */
static int check_executable(const char *path)
{
    struct stat st;
    if (stat(path, &st) < 0)
        return -errno;
    if (!S_ISREG(st.st_mode))
        return -EACCES;
    return faccessat(AT_FDCWD, path, X_OK, AT_EACCESS) < 0 ? -errno : 0;
}

static char *join_path(const char *dir, size_t len, const char *name)
{
    char *path;
    int n = asprintf(&path, "%.*s%s%s", (int)len, dir, len ? "/" : "", name);
    return n < 0 ? NULL : path;
}

/* EACCES is remembered while the search goes on; what is only absent is passed over. */
static int search_path(const char *name, char **out)
{
    const char *dirs = getenv("PATH");
    bool denied = false;
    if (!dirs)
        dirs = "/bin:/usr/bin";
    for (const char *dir = dirs;; dir++) {
        size_t len = strcspn(dir, ":");
        char *path = join_path(dir, len, name);
        if (!path)
            return -ENOMEM;
        int r = check_executable(path);
        if (r == 0) {
            *out = path;
            return 0;
        }
        free(path);
        denied |= r == -EACCES;
        dir += len;
        if (!*dir)
            return denied ? -EACCES : -ENOENT;
    }
}

static int find_executable(const char *name, char **out)
{
    if (!name[0])
        return -ENOENT;
    if (!strchr(name, '/'))
        return search_path(name, out);
    int r = check_executable(name);
    if (r == 0 && !(*out = strdup(name)))
        r = -ENOMEM;
    return r;
}

int exec_path_find(char *const argv[], struct exec_path *out)
{
    struct exec_path e = {.argv = argv};
    size_t n = 0;
    while (argv[n])
        n++;
    int r = find_executable(argv[0], &e.path);
    if (r < 0)
        return r;
    e.shell_argv = calloc(n + 2, sizeof *e.shell_argv);
    if (!e.shell_argv) {
        free(e.path);
        return -ENOMEM;
    }
    e.shell_argv[0] = shell;
    e.shell_argv[1] = e.path;
    for (size_t i = 1; i < n; i++)
        e.shell_argv[i + 1] = argv[i];
    *out = e;
    return 0;
}

void exec_path_release(struct exec_path *e)
{
    free(e->path);
    free(e->shell_argv);
    *e = (struct exec_path){0};
}

int exec_path_run(const struct exec_path *e)
{
    execve(e->path, e->argv, environ);
    if (errno == ENOEXEC)
        execve(shell, (char *const *)e->shell_argv, environ);
    return errno;
}
