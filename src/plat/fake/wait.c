/*
 * interrupt N: SIGNAL N arrives at the Nth wait (from 1), default never. asked N: likewise, once,
 * that somebody asks how it stands. Handles are ready at once:
 * scripted data never makes anybody wait. Only while a live view is open, and nothing is ready, the
 * clock goes on to the end of the wait or the next line of the terminal's script.
 */
#include "plat/wait.h"

#include "scenario.h"
#include "tty_script.h"

#include <stdlib.h>

enum { INTERRUPT_HANDLE = 900, ASKED_HANDLE = 903, SIGNAL_INT = 2 };
static unsigned long waits;
static bool answered;

static bool interrupted(void)
{
    const char *rest = scenario_get("interrupt");
    return (rest && waits >= strtoul(rest, NULL, 10)) || tty_script_interrupted();
}

static bool is_asked(void)
{
    const char *rest = scenario_get("asked");
    return rest && !answered && waits >= strtoul(rest, NULL, 10);
}

static bool is_ready(int handle)
{
    if (handle == ASKED_HANDLE)
        return is_asked();
    if (handle == INTERRUPT_HANDLE)
        return interrupted();
    if (handle >= TTY_INPUT_HANDLE && handle <= TTY_OUTPUT_HANDLE)
        return tty_script_ready(handle);
    return handle >= 0;
}

static int look(struct wait_on *set, size_t n)
{
    int ready = 0;
    for (size_t i = 0; i < n; i++) {
        set[i].ready = is_ready(set[i].handle);
        set[i].gone = false;
        ready += set[i].ready;
    }
    return ready;
}

int wait_ready(struct wait_on *set, size_t n, int timeout_ms)
{
    waits++;
    if (!tty_script_runs())
        return look(set, n);
    tty_script_wait();
    int ready = look(set, n);
    if (ready == 0)
        tty_script_pass(timeout_ms);
    return ready ? ready : look(set, n);
}

int interrupt_open(void)
{
    return INTERRUPT_HANDLE;
}

int interrupt_take(bool *typed)
{
    if (typed)
        *typed = true;
    return interrupted() ? SIGNAL_INT : 0;
}

int asked_open(void)
{
    return ASKED_HANDLE;
}

bool asked_take(void)
{
    bool asked = is_asked();
    answered |= asked;
    return asked;
}
