/*
 * ticker: a signal to one thread at regular times: a timer of the kernel or, in a kernel without
 * CONFIG_POSIX_TIMERS, a thread that sleeps and sends it.
 */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

struct ticker {
    bool runs;
    int signal;
    pid_t tid;     /* whose signal it is */
    timer_t timer; /* of the kernel, */
    struct ticker_thread {
        bool is_used; /* unless there is this one */
        pthread_t id;
        pthread_mutex_t lock;
        pthread_cond_t changed;
        uint64_t period_ns; /* 0: it is to end */
    } thread;
};

/* The calling thread gets signal every period_ns from now on. 0 or -errno. A ticker stays where it
 * is in memory. */
int ticker_start(struct ticker *t, int signal, uint64_t period_ns);
void ticker_set(struct ticker *t, uint64_t period_ns);
void ticker_stop(struct ticker *t); /* harmless if it does not run */
