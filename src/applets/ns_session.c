#include "ns_session.h"

#include "applets/applet.h"
#include "core/base/duration.h"
#include "core/base/time_ns.h"
#include "plat/child.h"
#include "plat/clock.h"
#include "plat/input.h"
#include "plat/wait.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST_S = 1000000 };

/* How long to wait: until the name space or the caller has something to do; -1: for ever. */
static int next_timeout_ms(const struct ns_session *s, int ms)
{
    int tend = ns_run_timers(&s->ns);
    return tend < 0 || (ms >= 0 && ms < tend) ? ms : tend;
}

/* --- sleep --- */

static int ms_left(uint64_t end_ns)
{
    int left = ms_until(clock_mono_ns(), end_ns);
    return left > 3600000 ? 3600000 : left;
}

static int sleep_ns(struct ns_session *s, uint64_t ns)
{
    uint64_t end_ns = clock_mono_ns() + ns;
    struct wait_on on = {.handle = interrupt_open()};
    int ms;
    while ((ms = ms_left(end_ns)) > 0) {
        wait_ready(&on, 1, next_timeout_ms(s, ms));
        int sig = on.ready ? interrupt_read(NULL) : 0;
        if (sig)
            return SIGNALLED + sig;
    }
    ns_run_timers(&s->ns);
    return DONE;
}

static int do_sleep(struct ns_session *s, int words, char **word)
{
    double ns = 0;
    if (words != 2 || (strcmp(word[1], "0") != 0 && !duration_parse(word[1], NS_PER_S, &ns)) ||
        ns > (double)LONGEST_S * NS_PER_S)
        return applet_misuse(&applet_ns, "sleep: takes a time such as 5, 0.5s, 200ms or 2m");
    return sleep_ns(s, (uint64_t)ns);
}

/* --- standard input --- */

int ns_wait_input(struct ns_session *s)
{
    struct wait_on on[] = {{.handle = interrupt_open()}, {.handle = input_handle()}};
    while (!on[1].ready) {
        wait_ready(on, 2, next_timeout_ms(s, -1));
        int sig = on[0].ready ? interrupt_read(NULL) : 0;
        if (sig)
            return SIGNALLED + sig;
    }
    return DONE;
}

/* --- run --- */

static int wait_for(struct ns_session *s, struct child *c)
{
    struct wait_on on[] = {{.handle = interrupt_open()}, {.handle = child_handle(c)}};
    struct child_end end;
    struct fail f;
    bool typed;
    while (!on[1].ready) {
        wait_ready(on, 2, next_timeout_ms(s, -1));
        int sig = on[0].ready ? interrupt_read(&typed) : 0;
        if (sig && !typed)
            child_signal(c, sig);
    }
    ns_run_timers(&s->ns);
    return child_wait(c, &end, &f) < 0 ? applet_fail(&applet_ns, &f) : child_status(&end);
}

/* Held, until the name space knows of it. */
static int start_command(struct ns_session *s, char **command, struct child *c, struct fail *f)
{
    int r = child_hold_traceable(command, c, f);
    if (r < 0)
        return r;
    r = ns_program(&s->ns, c->pid, f);
    if (r < 0)
        child_kill(c);
    return r;
}

static int do_run(struct ns_session *s, int words, char **word)
{
    char *command[NS_MAX_WORDS + 1];
    struct child c;
    struct fail f;
    if (words < 2)
        return applet_misuse(&applet_ns, "run: COMMAND is missing");
    memcpy(command, word + 1, (size_t)(words - 1) * sizeof *command);
    command[words - 1] = NULL;
    applet_flush();
    interrupt_open();
    int r = start_command(s, command, &c, &f);
    if (r == 0)
        r = child_release(&c, &f);
    if (r < 0)
        return applet_fail(&applet_ns, &f), applet_not_executed(r);
    return wait_for(s, &c);
}

bool ns_waiting(struct ns_session *s, int words, char **word, int *status)
{
    if (strcmp(word[0], "sleep") == 0)
        *status = do_sleep(s, words, word);
    else if (strcmp(word[0], "run") == 0 && words <= NS_MAX_WORDS)
        *status = do_run(s, words, word);
    else
        return false;
    return true;
}
