/* hostile SECONDS [PAUSE_MS]: threads whose names a terminal would act upon. Each computes for as
 * long, of its own CPU time, with a pause between calls; when they have named themselves, `ready' is
 * printed. The names of the function and of its source are long so that a test can write others of
 * the same length over them. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>

/* All have PWN, so that a test sees that they came through. tests/native/hostile.py has the same.
 */
static const char *const names[] = {
    "\033]0;PWN\a",
    "\033[66;77HPWN",
    "a\nPWN\tb\r",
    "PWN\177\2339;9H",
    "PWN\302\2332J",
    "PWN\342\200\256\342\201\246",
    "PWN\330\234\342\200\250\342\200\216",
    "PWN\377\300\257",
    "PWN\001\005\016",
};
enum { NAMES = sizeof names / sizeof *names };

static double seconds;
static struct timespec pause_time;
static volatile unsigned sink;
static pthread_barrier_t named;

#line 1 "hostile_source_name_that_is_to_be_written_over_by_one_of_the_same_length_00.c"
__attribute__((noinline, noclone)) void
hostile_function_name_that_is_to_be_written_over_by_one_of_the_same_length_00(void)
{
    for (unsigned i = 0; i < 1000000; i++)
        sink += i;
}

static double used(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void *run(void *name)
{
    prctl(PR_SET_NAME, name);
    pthread_barrier_wait(&named);
    while (used() < seconds) {
        hostile_function_name_that_is_to_be_written_over_by_one_of_the_same_length_00();
        if (pause_time.tv_nsec > 0)
            nanosleep(&pause_time, NULL);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t thread[NAMES];
    seconds = argc > 1 ? atof(argv[1]) : 0.1;
    pause_time.tv_nsec = argc > 2 ? atol(argv[2]) * 1000000 : 0;
    pthread_barrier_init(&named, NULL, NAMES + 1);
    for (int i = 0; i < NAMES; i++)
        if (pthread_create(&thread[i], NULL, run, (void *)names[i]) != 0)
            return 1;
    prctl(PR_SET_NAME, names[2]); /* the process's own, with a newline */
    pthread_barrier_wait(&named);
    puts("ready");
    fflush(stdout);
    for (int i = 0; i < NAMES; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
