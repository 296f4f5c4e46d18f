#include "signal_state.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

/* The signals that anything in psuite may ignore or block. */
static const int ours[] = {SIGINT,  SIGQUIT,  SIGTERM, SIGHUP, SIGPIPE,
                           SIGTSTP, SIGWINCH, SIGCHLD, SIGXFSZ};
enum { OURS = sizeof ours / sizeof ours[0] };

static struct sigaction saved[OURS];
static sigset_t saved_mask;
static bool have;

void dispositions_save(void)
{
    if (have)
        return;
    for (int i = 0; i < OURS; i++)
        sigaction(ours[i], NULL, &saved[i]);
    sigprocmask(SIG_SETMASK, NULL, &saved_mask);
    have = true;
}

void dispositions_restore(void)
{
    if (!have)
        return;
    for (int i = 0; i < OURS; i++)
        sigaction(ours[i], &saved[i], NULL);
    sigprocmask(SIG_SETMASK, &saved_mask, NULL);
}

void dispositions_spawn(posix_spawnattr_t *attr)
{
    sigset_t defaults;
    if (!have)
        return;
    sigemptyset(&defaults);
    for (int i = 0; i < OURS; i++)
        if (saved[i].sa_handler != SIG_IGN)
            sigaddset(&defaults, ours[i]);
    posix_spawnattr_setsigdefault(attr, &defaults);
    posix_spawnattr_setsigmask(attr, &saved_mask);
    posix_spawnattr_setflags(attr, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
}

void dispositions_reap(void)
{
    sigaction(SIGCHLD, &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
}

bool dispositions_ignored(int signal)
{
    for (int i = 0; i < OURS; i++)
        if (have && ours[i] == signal)
            return saved[i].sa_handler == SIG_IGN;
    return false;
}
