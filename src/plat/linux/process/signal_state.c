#include "signal_state.h"

#include "oom_score.h"

#include <signal.h>
#include <stddef.h>

/* The signals that anything in psuite may ignore or block. */
static const int handled_signals[] = {SIGINT,  SIGQUIT,  SIGTERM, SIGHUP, SIGPIPE,
                                      SIGTSTP, SIGWINCH, SIGCHLD, SIGXFSZ};
enum { HANDLED_SIGNALS = sizeof handled_signals / sizeof handled_signals[0] };

static struct sigaction saved[HANDLED_SIGNALS];
static sigset_t saved_mask;
static bool is_saved;

void dispositions_save(void)
{
    if (is_saved)
        return;
    for (int i = 0; i < HANDLED_SIGNALS; i++)
        sigaction(handled_signals[i], NULL, &saved[i]);
    sigprocmask(SIG_SETMASK, NULL, &saved_mask);
    is_saved = true;
}

void dispositions_restore(void)
{
    oom_score_restore();
    if (!is_saved)
        return;
    for (int i = 0; i < HANDLED_SIGNALS; i++)
        sigaction(handled_signals[i], &saved[i], NULL);
    sigprocmask(SIG_SETMASK, &saved_mask, NULL);
}

void dispositions_spawn(posix_spawnattr_t *attr)
{
    sigset_t defaults;
    if (!is_saved)
        return;
    sigemptyset(&defaults);
    for (int i = 0; i < HANDLED_SIGNALS; i++)
        if (saved[i].sa_handler != SIG_IGN)
            sigaddset(&defaults, handled_signals[i]);
    posix_spawnattr_setsigdefault(attr, &defaults);
    posix_spawnattr_setsigmask(attr, &saved_mask);
    posix_spawnattr_setflags(attr, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
}

void dispositions_default_sigchld(void)
{
    sigaction(SIGCHLD, &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
}

bool dispositions_was_ignored(int signal)
{
    for (int i = 0; i < HANDLED_SIGNALS; i++)
        if (is_saved && handled_signals[i] == signal)
            return saved[i].sa_handler == SIG_IGN;
    return false;
}
