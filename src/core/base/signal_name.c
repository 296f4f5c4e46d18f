#include "core/base/signal_name.h"

enum { REALTIME_FIRST = 32, REALTIME_LAST = 64 };

static const char *const names[REALTIME_FIRST] = {
    "unknown",   "SIGHUP",  "SIGINT",    "SIGQUIT", "SIGILL",   "SIGTRAP", "SIGABRT", "SIGBUS",
    "SIGFPE",    "SIGKILL", "SIGUSR1",   "SIGSEGV", "SIGUSR2",  "SIGPIPE", "SIGALRM", "SIGTERM",
    "SIGSTKFLT", "SIGCHLD", "SIGCONT",   "SIGSTOP", "SIGTSTP",  "SIGTTIN", "SIGTTOU", "SIGURG",
    "SIGXCPU",   "SIGXFSZ", "SIGVTALRM", "SIGPROF", "SIGWINCH", "SIGIO",   "SIGPWR",  "SIGSYS",
};

const char *signal_name(int number)
{
    if (number > 0 && number < REALTIME_FIRST)
        return names[number];
    return number >= REALTIME_FIRST && number <= REALTIME_LAST ? "SIGRT" : "unknown";
}
