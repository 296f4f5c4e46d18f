#include "plat/tty.h"

#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { DEFAULT_WIDTH = 80, DEFAULT_HEIGHT = 24 };

bool tty_is_stdout_terminal(void)
{
    return isatty(STDOUT_FILENO);
}

bool tty_is_stdin_terminal(void)
{
    return isatty(STDIN_FILENO);
}

void tty_environment(struct caps_env *out)
{
    *out = (struct caps_env){
        .term = getenv("TERM"),
        .colorterm = getenv("COLORTERM"),
        .no_color = getenv("NO_COLOR"),
        .lc_all = getenv("LC_ALL"),
        .lc_ctype = getenv("LC_CTYPE"),
        .lang = getenv("LANG"),
    };
}

static int or_environment(int size, const char *name, int usual)
{
    enum { MAX_SIZE = 10000 };
    const char *text = getenv(name);
    long n = size > 0 ? size : text ? strtol(text, NULL, 10) : 0;
    return n > 0 && n < MAX_SIZE ? (int)n : usual;
}

static void read_size(int stream, int *width, int *height)
{
    struct winsize size = {0};
    if (ioctl(stream, TIOCGWINSZ, &size) < 0)
        size = (struct winsize){0};
    *width = or_environment(size.ws_col, "COLUMNS", DEFAULT_WIDTH);
    *height = or_environment(size.ws_row, "LINES", DEFAULT_HEIGHT);
}

void tty_size(int *width, int *height)
{
    read_size(STDOUT_FILENO, width, height);
}

bool tty_stream_size(bool err, int *width, int *height)
{
    int stream = err ? STDERR_FILENO : STDOUT_FILENO;
    if (!isatty(stream))
        return false;
    read_size(stream, width, height);
    return true;
}
