#include "plat/tty.h"

#include "process/signal_handle.h"
#include "process/signal_state.h"
#include "state.h"

#include <signal.h>
#include <stdint.h>
#include <time.h>

static int notices = -1;

/* --- the ones that end us --- */

static const int deadly[] = {SIGHUP,  SIGINT,  SIGQUIT,   SIGILL,  SIGTRAP, SIGABRT, SIGBUS,
                             SIGFPE,  SIGUSR1, SIGSEGV,   SIGUSR2, SIGPIPE, SIGALRM, SIGTERM,
                             SIGXCPU, SIGXFSZ, SIGVTALRM, SIGPROF, SIGPOLL, SIGPWR,  SIGSYS};
enum { DEADLY = sizeof deadly / sizeof deadly[0], STACK_BYTES = 64 << 10 };

static bool caught[DEADLY];
static uint8_t stack[STACK_BYTES] __attribute__((aligned(16))); /* ours may be what overflowed */

/* The disposition is the default again, so that it ends us as it would have. */
static void on_deadly_signal(int sig)
{
    tty_leave();
    raise(sig);
}

static void catch_deadly(void)
{
    struct sigaction a = {.sa_handler = on_deadly_signal,
                          .sa_flags = (int)(SA_RESETHAND | SA_NODEFER | SA_ONSTACK)};
    sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, NULL);
    for (size_t i = 0; i < DEADLY; i++) {
        struct sigaction now;
        caught[i] = sigaction(deadly[i], NULL, &now) == 0 && now.sa_handler == SIG_DFL &&
                    sigaction(deadly[i], &a, NULL) == 0;
    }
}

static void release_deadly(void)
{
    for (size_t i = 0; i < DEADLY; i++)
        if (caught[i])
            signal(deadly[i], SIG_DFL);
    sigaltstack(&(stack_t){.ss_flags = SS_DISABLE}, NULL);
}

/* --- reported signals --- */

static void notice_signals(sigset_t *set)
{
    const int notified[] = {SIGTSTP, SIGCONT, SIGWINCH};
    sigemptyset(set);
    for (size_t i = 0; i < sizeof notified / sizeof notified[0]; i++)
        if (!dispositions_was_ignored(notified[i]))
            sigaddset(set, notified[i]);
}

int tty_signals_open(struct fail *f)
{
    sigset_t set;
    dispositions_save();
    notice_signals(&set);
    int handle = signal_handle_open(&set);
    if (handle < 0)
        return fail_set(f, -handle, "signals");
    notices = handle;
    catch_deadly();
    return 0;
}

void tty_signals_close(void)
{
    sigset_t set;
    if (notices < 0)
        return;
    release_deadly();
    signal_handle_close(notices);
    notices = -1;
    notice_signals(&set);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
}

int tty_notices(void)
{
    return notices;
}

/* --- stopping --- */

static bool end_is_pending(void)
{
    sigset_t set;
    sigpending(&set);
    return sigismember(&set, SIGTERM) || sigismember(&set, SIGINT) || sigismember(&set, SIGHUP);
}

/* In the background a program stops that would set the terminal. One that got a signal to end must
 * not; without job control the stop does not happen. */
static void resume_view(void)
{
    enum { TRIES = 3 };
    for (int i = 0; i < TRIES && !tty_is_foreground() && !end_is_pending(); i++)
        signal_raise_default(SIGTTOU);
    if (tty_is_foreground())
        tty_enter();
    else
        tty_leave();
}

static void discard_sigcont(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGCONT);
    while (sigtimedwait(&set, NULL, &(struct timespec){0}) > 0)
        ;
}

static void stop_view(void)
{
    tty_leave();
    signal_raise_default(SIGTSTP);
}

enum tty_notice tty_notice(void)
{
    struct signal_notice notice;
    if (!signal_handle_read(notices, &notice))
        return TTY_NOTHING;
    if (notice.signal == SIGWINCH)
        return TTY_RESIZED;
    if (notice.signal == SIGTSTP)
        stop_view();
    resume_view();
    discard_sigcont();
    return TTY_RESUMED;
}
