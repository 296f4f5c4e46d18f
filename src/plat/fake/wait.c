/*
 * interrupt N: SIGNAL N arrives at the Nth wait (from 1), default never. asked N: likewise, once,
 * that its status is polled. Handles are ready at once:
 * scripted data never makes anybody wait. Only while a live view is open, and nothing is ready, the
 * clock goes on to the end of the wait or the next line of the terminal's script.
 */
#include "plat/wait.h"

#include "returns.h"
#include "scenario.h"
#include "tty_script.h"

enum { INTERRUPT_HANDLE = 900, STATUS_REQUEST_HANDLE = 903, SIGNAL_INT = 2 };
static unsigned long waits;
static bool answered;

static bool is_interrupted(void)
{
    return waits >= scenario_value("interrupt", UINT64_MAX) || tty_script_interrupted();
}

static bool is_status_requested(void)
{
    return !answered && waits >= scenario_value("asked", UINT64_MAX);
}

static bool is_ready(int handle)
{
    if (handle == STATUS_REQUEST_HANDLE)
        return is_status_requested();
    if (handle == INTERRUPT_HANDLE)
        return is_interrupted();
    if (handle >= TTY_INPUT_HANDLE && handle <= TTY_OUTPUT_HANDLE)
        return tty_script_ready(handle);
    return handle >= 0;
}

static int update_ready(struct wait_on *set, size_t n)
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
        return update_ready(set, n);
    tty_script_wait();
    int ready = update_ready(set, n);
    if (ready == 0)
        tty_script_advance(timeout_ms);
    return ready ? ready : update_ready(set, n);
}

RETURNS(INTERRUPT_HANDLE, int, interrupt_open, void)

int interrupt_read(bool *typed)
{
    if (typed)
        *typed = true;
    return is_interrupted() ? SIGNAL_INT : 0;
}

RETURNS(STATUS_REQUEST_HANDLE, int, status_signal_open, void)

bool status_signal_read(void)
{
    bool asked = is_status_requested();
    answered |= asked;
    return asked;
}
