#include "plat/tty.h"

#include <sys/ioctl.h>
#include <unistd.h>

enum { USUAL_WIDTH = 80 };

int tty_err_width(void)
{
    struct winsize size;
    if (!isatty(STDERR_FILENO))
        return 0;
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) < 0 || size.ws_col == 0)
        return USUAL_WIDTH;
    return size.ws_col;
}
