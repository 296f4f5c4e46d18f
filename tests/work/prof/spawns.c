/* Programs started by posix_spawn, and by fork and exec: each has a file of its own, which the sums
   here are of. Then the process executes itself, which makes another file, and at last a program
   that is not recorded. */
#include "known.h"

#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SPAWNED = 3, FORKED = 2 };
extern char **environ;
static volatile int sink;

ALONE void leaf(void)
{
    sink++;
}

ALONE void started(void)
{
    for (int i = 0; i < 10; i++)
        leaf();
}

ALONE void spawn(void)
{
    char *args[] = {"spawned", "x", NULL};
    pid_t pid;
    leaf();
    if (posix_spawn(&pid, "/proc/self/exe", NULL, NULL, args, environ) != 0)
        exit(1);
    waitpid(pid, NULL, 0);
}

ALONE void fork_and_exec(void)
{
    pid_t pid = fork();
    if (pid == 0) {
        leaf(); /* silent */
        execl("/proc/self/exe", "forked", "x", (char *)NULL);
        _exit(1);
    }
    waitpid(pid, NULL, 0);
}

int main(int argc, char **argv)
{
    (void)argv;
    if (argc > 1) {
        started();
        if (argc > 2)
            execl("/bin/true", "true", (char *)NULL);
        return argc > 2;
    }
    for (int i = 0; i < SPAWNED; i++)
        spawn();
    for (int i = 0; i < FORKED; i++)
        fork_and_exec();
    known_calls("main", 2 + SPAWNED + FORKED);
    known_calls("spawn", SPAWNED);
    known_calls("fork_and_exec", FORKED);
    known_calls("started", 1 + SPAWNED + FORKED);
    known_calls("leaf", SPAWNED + 10 * (1 + SPAWNED + FORKED));
    known("files", 2 + SPAWNED + FORKED);
    known("threads", 2 + SPAWNED + FORKED);
    known("missed", 0);
    execl("/proc/self/exe", "again", "x", "y", (char *)NULL);
    return 1;
}
