/* Ends in the way its argument tells, inside three calls. */
#include "known.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile int sink;

ALONE void leaf(void)
{
    sink++;
}

/* With a child, which is silent. */
static QUIET void kill_group(void)
{
    setpgid(0, 0);
    if (fork() == 0)
        for (;;)
            leaf();
    usleep(10000);
    kill(0, SIGKILL);
}

ALONE void end(const char *how)
{
    known_calls("main", 1);
    known_calls("work", 1);
    known_calls("leaf", 500);
    known_calls("end", 1);
    known("missed", 0);
    if (strcmp(how, "exit") == 0)
        known("status", 3), exit(3);
    if (strcmp(how, "_exit") == 0)
        known("status", 4), _exit(4);
    if (strcmp(how, "abort") == 0)
        known("status", 128 + SIGABRT), abort();
    if (strcmp(how, "segv") == 0)
        known("status", 128 + SIGSEGV), raise(SIGSEGV);
    known("status", 128 + SIGKILL);
    if (strcmp(how, "group") == 0)
        kill_group();
    kill(getpid(), SIGKILL);
}

ALONE void work(const char *how)
{
    for (int i = 0; i < 500; i++)
        leaf();
    end(how);
    leaf();
}

int main(int argc, char **argv)
{
    work(argc > 1 ? argv[1] : "kill");
    return 0;
}
