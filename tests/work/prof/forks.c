/* A child that calls; the parent's file must not know of it. With PROFFORK the child has its own,
   whose calls the argument `child' makes the program tell. vfork, too: those are the parent's. */
#include "known.h"

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int sink;

ALONE void leaf(void)
{
    sink++;
}

ALONE void in_child(void)
{
    for (int i = 0; i < 30; i++)
        leaf();
}

ALONE void in_parent(void)
{
    for (int i = 0; i < 70; i++)
        leaf();
}

ALONE int forks(void)
{
    int pid = fork();
    if (pid == 0)
        in_child();
    else
        in_parent();
    return pid;
}

ALONE void vforks(void)
{
    int pid = vfork();
    if (pid == 0) {
        execl("/bin/true", "true", (char *)NULL);
        _exit(1);
    }
    waitpid(pid, NULL, 0);
}

int main(int argc, char **argv)
{
    int child = argc > 1 && strcmp(argv[1], "child") == 0;
    if (forks() == 0)
        _exit(0);
    wait(NULL);
    if (!child)
        vforks();
    known_calls("leaf", child ? 30 : 70);
    known_calls(child ? "in_child" : "in_parent", 1);
    known_calls("main", !child);
    known_calls("forks", !child);
    known("missed", 0);
    return 0;
}
