#include "plat/tty.h"

#include "process/descriptors.h"
#include "state.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

enum { WRITE_TIMEOUT_MS = 1000, BLOCKING_BYTES = 256 };

static struct {
    bool open;
    volatile bool entered;
    int out;
    pid_t owner; /* a child of ours has no say */
    bool blocks; /* out is not ours alone: others rely on its writes waiting */
    const char *enter, *leave;
    struct termios before;
} view = {.out = -1};

/* --- the terminal's state --- */

/* ISIG stays, and the flow control of a serial line. */
static struct termios key_by_key(struct termios t)
{
    t.c_iflag &= ~(tcflag_t)(ICRNL | INLCR | IGNCR | ISTRIP);
    t.c_oflag &= ~(tcflag_t)OPOST;
    t.c_lflag &= ~(tcflag_t)(ICANON | ECHO | ECHONL | IEXTEN);
    t.c_cc[VMIN] = 1;
    t.c_cc[VTIME] = 0;
    return t;
}

/* Waits for the terminal, but not for ever: it may be held by ^S, or gone. */
static void write_sequence(const char *text)
{
    size_t left = strlen(text);
    while (left) {
        struct pollfd p = {.fd = view.out, .events = POLLOUT};
        ssize_t n = write(view.out, text, left);
        if (n < 0 && errno != EINTR && (errno != EAGAIN || poll(&p, 1, WRITE_TIMEOUT_MS) <= 0))
            return;
        text += n > 0 ? n : 0;
        left -= n > 0 ? (size_t)n : 0;
    }
}

bool tty_is_foreground(void)
{
    pid_t front = tcgetpgrp(view.out);
    return front < 0 ||
           front == getpgrp(); /* not our session's terminal: no other job can own it */
}

void tty_enter(void)
{
    struct termios t = key_by_key(view.before);
    view.entered = true;
    tcsetattr(view.out, TCSANOW, &t);
    write_sequence(view.enter);
}

void tty_leave(void)
{
    int err = errno;
    if (view.entered && view.owner == getpid() &&
        tty_is_foreground()) { /* else it is the shell's again, which has restored it */
        write_sequence(view.leave);
        tcsetattr(view.out, TCSANOW, &view.before);
    }
    view.entered = false;
    errno = err;
}

/* --- open and close --- */

/* A description of our own, whose writes do not wait; standard output's is shared with the shell.
 */
static int open_own_output(void)
{
    const char *name = ttyname(STDOUT_FILENO);
    int fd = open("/proc/self/fd/1", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd < 0 && name)
        fd = open(name, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    view.blocks = fd < 0;
    if (fd > STDERR_FILENO)
        return fd;
    int above = fcntl(view.blocks ? STDOUT_FILENO : fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    descriptor_close(&fd);
    return above;
}

static int open_terminal(struct fail *f)
{
    static bool registered;
    view.out = open_own_output();
    if (view.out < 0 || tcgetattr(view.out, &view.before) < 0)
        return fail_set(f, errno, "standard output");
    if (!registered)
        atexit(tty_close);
    registered = true;
    return 0;
}

int tty_open(const char *enter, const char *leave, struct fail *f)
{
    if (!tty_is_stdout_terminal())
        return fail_set(f, ENOTTY, "standard output");
    view.enter = enter;
    view.leave = leave;
    view.open = true;
    view.owner = getpid();
    int r = open_terminal(f);
    if (r == 0)
        r = tty_signals_open(f);
    if (r < 0)
        tty_close();
    else
        tty_enter();
    return r;
}

void tty_close(void)
{
    if (!view.open)
        return;
    tty_leave();
    tty_signals_close();
    descriptor_close(&view.out);
    view.open = false;
}

/* --- keys --- */

/* Nobody hands down a descriptor that closes itself: such a one is our own, opened where standard
 * input was missing. */
int tty_input(void)
{
    int flags = fcntl(STDIN_FILENO, F_GETFD);
    return flags < 0 || flags & FD_CLOEXEC ? -1 : STDIN_FILENO;
}

int tty_read(void *out, size_t len)
{
    ssize_t n = read(STDIN_FILENO, out, len);
    if (n < 0)
        return errno == EINTR ? -EAGAIN : -errno;
    return (int)n;
}

/* --- drawing --- */

int tty_output(void)
{
    return view.out;
}

bool tty_drained(void)
{
    struct pollfd p = {.fd = view.out, .events = POLLOUT};
    return poll(&p, 1, 0) > 0;
}

int tty_write(const void *bytes, size_t len)
{
    if (!view.entered)
        return (int)len;
    if (view.blocks && !tty_drained())
        return 0;
    if (view.blocks && len > BLOCKING_BYTES)
        len = BLOCKING_BYTES;
    ssize_t n = write(view.out, bytes, len);
    if (n < 0)
        return errno == EAGAIN || errno == EINTR ? 0 : -errno;
    return (int)n;
}
