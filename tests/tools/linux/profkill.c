/*
 * profkill TIMES SEED PROGRAM: starts tests/work/prof/killed (PROGRAM) that many times in the
 * folder that it is called in, and kills it, its whole group, at a random instant: each eighth time
 * within its start, else while it runs. A line a time: `PID DONE BEGUN', calls that were surely
 * inside their function, and that were about to be: what prof.PID has lies between them. Exit
 * status 1 when a program cannot be started.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { COUNTERS = 4, START_US = 12000, RUN_US = 15000, PATIENCE_MS = 60000 };

struct counter {
    volatile uint64_t begun, done;
};

static struct counter *counters_new(char *name)
{
    int fd = mkstemp(name);
    size_t bytes = COUNTERS * sizeof(struct counter);
    if (fd < 0 || ftruncate(fd, (off_t)bytes) != 0)
        return NULL;
    void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    return at == MAP_FAILED ? NULL : at;
}

static void sleep_us(unsigned us)
{
    struct timespec t = {.tv_nsec = (long)us * 1000};
    nanosleep(&t, NULL);
}

static pid_t start(const char *program, const char *counters)
{
    pid_t pid = fork();
    if (pid == 0) {
        setpgid(0, 0);
        execl(program, program, counters, (char *)NULL);
        _exit(127);
    }
    setpgid(pid, pid);
    return pid;
}

static void wait_until_it_runs(const struct counter *c, pid_t pid)
{
    for (int ms = 0; ms < PATIENCE_MS && !c[COUNTERS - 1].done && kill(pid, 0) == 0; ms++)
        sleep_us(1000);
}

static int kill_one(const char *program, int in_start)
{
    char name[] = "counters.XXXXXX";
    struct counter *c = counters_new(name);
    uint64_t begun = 0, done = 0;
    int status;
    pid_t pid = c ? start(program, name) : -1;
    if (pid < 0)
        return 0;
    if (!in_start)
        wait_until_it_runs(c, pid);
    sleep_us((unsigned)rand() % (in_start ? START_US : RUN_US));
    kill(-pid, SIGKILL);
    if (waitpid(pid, &status, 0) != pid || !WIFSIGNALED(status))
        return 0;
    for (int i = 0; i < COUNTERS; i++) {
        begun += c[i].begun;
        done += c[i].done;
    }
    printf("%d %" PRIu64 " %" PRIu64 "\n", (int)pid, done, begun);
    munmap(c, COUNTERS * sizeof *c);
    return unlink(name) == 0;
}

int main(int argc, char **argv)
{
    if (argc != 4)
        return 2;
    srand((unsigned)strtoul(argv[2], NULL, 10));
    for (long i = 0; i < strtol(argv[1], NULL, 10); i++)
        if (!kill_one(argv[3], i % 8 == 0)) {
            fprintf(stderr, "profkill: %s does not run\n", argv[3]);
            return 1;
        }
    return 0;
}
