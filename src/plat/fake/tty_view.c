/*
 * The terminal of a live view. Lines in the order of their times, counted from tty_open:
 *     at MS type BYTES      keys come, with \e \r \n \t \\ \xHH as in C
 *     at MS resize WxH      another size
 *     at MS stop            ^Z, and back in the foreground
 *     at MS interrupt       ^C
 *     at MS end             end of input
 *     at MS hangup          the terminal is gone, and with it the input
 * Once the script is at its end the input ends; a wait for ever after that is the program's fault
 * and aborts.
 * slow BYTES: so much is taken a wait; default all.
 *
 * What was written goes to a terminal of ours, whose lines are put on standard output at each wait
 * that follows a change: --- MS WxH BYTES, then the screen.
 */
#include "core/base/time_ns.h"
#include "plat/tty.h"

#include "clock_pass.h"
#include "returns.h"
#include "scenario.h"
#include "terminal.h"
#include "tty_script.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
    bool open;
    const char *leave;
    struct terminal terminal;
    uint64_t start_ns;
    size_t line;               /* of the script: the next one */
    size_t bytes;              /* written since the last record */
    size_t queued, max_queued; /* of a slow terminal; most 0: takes all */
    struct buf typed;
    bool ended, gone, resized, resumed, interrupt;
} fake;

/* --- the record --- */

static void print_screen(void)
{
    SCOPED_BUF text = BUF_INIT;
    if (!fake.bytes)
        return;
    terminal_text(&fake.terminal, &text);
    printf("--- %llu ms %dx%d %zu bytes%s\n%s",
           (unsigned long long)((clock_peek_ns() - fake.start_ns) / NS_PER_MS), fake.terminal.width,
           fake.terminal.height, fake.bytes, fake.terminal.unknown ? " STRANGE" : "",
           buf_str(&text));
    fake.bytes = 0;
}

/* --- the script --- */

static unsigned char read_escape(const char **s)
{
    static const char from[] = "ernt\\", to[] = "\033\r\n\t\\";
    const char *at = strchr(from, **s);
    if (at && **s) {
        (*s)++;
        return (unsigned char)to[at - from];
    }
    char hex[3] = {0};
    memcpy(hex, *s + 1, strnlen(*s + 1, 2));
    *s += 1 + strlen(hex);
    return (unsigned char)strtoul(hex, NULL, 16);
}

static void type_keys(const char *s)
{
    while (*s)
        if (*s == '\\' && s[1]) {
            s++;
            buf_addc(&fake.typed, (char)read_escape(&s));
        } else
            buf_addc(&fake.typed, *s++);
}

static void resize_terminal(const char *size)
{
    int width, height;
    if (sscanf(size, "%dx%d", &width, &height) == 2)
        terminal_resize(&fake.terminal, width, height);
    fake.resized = true;
}

static void run_line(const char *command)
{
    if (strncmp(command, "type ", 5) == 0)
        type_keys(command + 5);
    else if (strncmp(command, "resize ", 7) == 0)
        resize_terminal(command + 7);
    else if (strcmp(command, "stop") == 0)
        fake.resumed = true;
    else if (strcmp(command, "interrupt") == 0)
        fake.interrupt = true;
    else if (strcmp(command, "end") == 0)
        fake.ended = true;
    else if (strcmp(command, "hangup") == 0)
        fake.ended = fake.gone = true;
    else {
        fprintf(stderr, "fake terminal: %s?\n", command);
        abort();
    }
}

/* The next line's time and text; false at the script's end. */
static bool next_line(uint64_t *ns, const char **command)
{
    const char *line = scenario_nth("at", fake.line);
    char *rest = NULL;
    if (!line)
        return false;
    *ns = fake.start_ns + strtoull(line, &rest, 10) * NS_PER_MS;
    *command = rest + strspn(rest, " ");
    return true;
}

static void run_due_lines(void)
{
    uint64_t ns;
    const char *command;
    while (next_line(&ns, &command) && ns <= clock_peek_ns()) {
        fake.line++;
        run_line(command);
    }
}

bool tty_script_runs(void)
{
    return fake.open;
}

void tty_script_wait(void)
{
    print_screen();
    fake.queued = fake.queued > fake.max_queued ? fake.queued - fake.max_queued : 0;
    run_due_lines();
}

void tty_script_advance(int timeout_ms)
{
    uint64_t now = clock_peek_ns(), ns = UINT64_MAX;
    uint64_t end = timeout_ms < 0 ? UINT64_MAX : now + (uint64_t)timeout_ms * NS_PER_MS;
    const char *command;
    if (!next_line(&ns, &command)) {
        if (fake.ended && timeout_ms < 0) {
            fprintf(stderr, "fake terminal: waits for ever after the script's end\n");
            abort();
        }
        if (!fake.ended)
            end = now;
        fake.ended = true;
    }
    uint64_t until = ns < end ? ns : end;
    clock_advance(until > now ? until - now : 0);
    run_due_lines();
}

bool tty_script_ready(int handle)
{
    if (handle == TTY_INPUT_HANDLE)
        return fake.typed.len || fake.ended;
    if (handle == TTY_NOTICE_HANDLE)
        return fake.resized || fake.resumed;
    return fake.gone || !fake.max_queued || fake.queued < fake.max_queued;
}

bool tty_script_interrupted(void)
{
    return fake.interrupt;
}

/* --- plat/tty.h --- */

void tty_size(int *width, int *height)
{
    tty_stream_size(false, width, height);
    if (fake.open) {
        *width = fake.terminal.width;
        *height = fake.terminal.height;
    }
}

int tty_open(const char *enter, const char *leave, struct fail *f)
{
    int width, height, r = scenario_fail("tty_open", f);
    if (r < 0)
        return r;
    if (!tty_is_stdout_terminal())
        return fail_set(f, ENOTTY, "standard output");
    tty_size(&width, &height);
    fake.open = true;
    fake.leave = leave;
    fake.start_ns = clock_peek_ns();
    fake.max_queued = scenario_value("slow", 0);
    terminal_init(&fake.terminal, width, height);
    terminal_write(&fake.terminal, enter, strlen(enter));
    return 0;
}

void tty_close(void)
{
    if (!fake.open)
        return;
    print_screen();
    terminal_write(&fake.terminal, fake.leave, strlen(fake.leave));
    if (fake.terminal.alternate || fake.terminal.hidden || fake.terminal.mouse)
        printf("--- the terminal was not restored\n");
    fake.open = false;
    terminal_release(&fake.terminal);
    buf_release(&fake.typed);
}

RETURNS(TTY_INPUT_HANDLE, int, tty_input, void)

int tty_read(void *out, size_t len)
{
    if (!fake.typed.len)
        return fake.ended ? 0 : -EAGAIN;
    if (len > fake.typed.len)
        len = fake.typed.len;
    memcpy(out, fake.typed.data, len);
    fake.typed.len -= len;
    memmove(fake.typed.data, fake.typed.data + len, fake.typed.len);
    return (int)len;
}

RETURNS(TTY_NOTICE_HANDLE, int, tty_notices, void)

enum tty_notice tty_notice(void)
{
    enum tty_notice notice = fake.resumed ? TTY_RESUMED : fake.resized ? TTY_RESIZED : TTY_NOTHING;
    if (fake.resumed) /* what the shell wrote meanwhile */
        terminal_resize(&fake.terminal, fake.terminal.width, fake.terminal.height);
    fake.resumed = fake.resized = false;
    return notice;
}

RETURNS(TTY_OUTPUT_HANDLE, int, tty_output, void)

bool tty_drained(void)
{
    return fake.gone || fake.queued == 0;
}

int tty_write(const void *bytes, size_t len)
{
    if (fake.gone)
        return -EIO;
    if (fake.max_queued && len > fake.max_queued - fake.queued)
        len = fake.max_queued - fake.queued;
    fake.queued += fake.max_queued ? len : 0;
    fake.bytes += len;
    terminal_write(&fake.terminal, bytes, len);
    return (int)len;
}
