/*
 * execs: starts the programs of its arguments in turn, so many a second, without input and output:
 * `execs RATE SECONDS PROGRAM...'. At the end it prints how many it started. A machine that is too
 * slow for the rate gets as many as it can.
 */
#include <fcntl.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>

extern char **environ;

static uint64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void wait_until(uint64_t ns)
{
    uint64_t now = now_ns();
    if (ns <= now)
        return;
    struct timespec left = {(time_t)((ns - now) / 1000000000), (long)((ns - now) % 1000000000)};
    nanosleep(&left, NULL);
}

static int start(char *program, const posix_spawn_file_actions_t *quiet)
{
    pid_t pid;
    char *const command[] = {program, NULL};
    if (posix_spawnp(&pid, program, quiet, NULL, command, environ))
        return 0;
    return waitpid(pid, NULL, 0) == pid;
}

int main(int argc, char **argv)
{
    if (argc < 4)
        return 2;
    double rate = atof(argv[1]), seconds = atof(argv[2]);
    uint64_t begin = now_ns(), end = begin + (uint64_t)(seconds * 1e9), started = 0;
    posix_spawn_file_actions_t quiet;
    posix_spawn_file_actions_init(&quiet);
    posix_spawn_file_actions_addopen(&quiet, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&quiet, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&quiet, 2, "/dev/null", O_WRONLY, 0);
    for (uint64_t i = 0; now_ns() < end; i++) {
        started += (uint64_t)start(argv[3 + i % (uint64_t)(argc - 3)], &quiet);
        wait_until(begin + (uint64_t)((double)(i + 1) * 1e9 / rate));
    }
    printf("%llu\n", (unsigned long long)started);
    return 0;
}
