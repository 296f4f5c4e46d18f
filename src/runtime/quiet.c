/*
 * quiet: system calls of ours that must not be noticed. A write beyond RLIMIT_FSIZE raises SIGXFSZ
 * and one into a pipe without a reader SIGPIPE, in the calling thread; either would end a program
 * that did not write. The signal is blocked around the call and taken away, unless one was pending
 * before, which is the program's. Nor is a thread cancelled there.
 */
#include "runtime.h"

#include <errno.h>
#include <pthread.h>
#include <time.h>

static int signal_of(int err)
{
    return err == EFBIG ? SIGXFSZ : err == EPIPE ? SIGPIPE : 0;
}

void rt_quiet_begin(struct rt_quiet *q)
{
    sigset_t ours;
    sigemptyset(&ours);
    sigaddset(&ours, SIGXFSZ);
    sigaddset(&ours, SIGPIPE);
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &q->cancel);
    pthread_sigmask(SIG_BLOCK, &ours, &q->mask);
    sigpending(&q->pending);
}

/* The thread's own pending signal comes before one that was sent to the process. */
void rt_quiet_end(struct rt_quiet *q, int err)
{
    int kept = errno, raised = signal_of(err);
    sigset_t one;
    if (raised && !sigismember(&q->pending, raised)) {
        sigemptyset(&one);
        sigaddset(&one, raised);
        sigtimedwait(&one, NULL, &(struct timespec){0});
    }
    pthread_sigmask(SIG_SETMASK, &q->mask, NULL);
    pthread_setcancelstate(q->cancel, NULL);
    errno = kept;
}
