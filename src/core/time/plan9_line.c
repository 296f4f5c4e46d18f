#include "plan9_line.h"

#include "core/base/buf.h"
#include "core/base/signal_name.h"
#include "core/text/shown.h"

#include <inttypes.h>
#include <string.h>

enum { MAX_WORDS = 5 };

static void add_time(struct buf *out, uint64_t ms, char kind)
{
    buf_printf(out, "%" PRIu64 ".%.2" PRIu64 "%c ", ms / 1000, ms % 1000 / 10, kind);
}

static const char *message_text(const char *status)
{
    const char *colon = strchr(status, ':');
    return colon && colon[1] ? colon + 1 : status;
}

void waitline_format(struct buf *out, uint64_t user_ms, uint64_t system_ms, uint64_t real_ms,
                     char *const words[], const char *status)
{
    add_time(out, user_ms, 'u');
    add_time(out, system_ms, 's');
    add_time(out, real_ms, 'r');
    buf_addc(out, '\t');
    for (int i = 0; i < MAX_WORDS && words[i]; i++)
        shown_printf(out, " %s%s", words[i], i == MAX_WORDS - 1 ? " ..." : "");
    if (status[0])
        shown_printf(out, "  # status=%s", message_text(status));
    buf_addc(out, '\n');
}

void waitline_status(struct buf *out, bool signalled, int code, bool core)
{
    if (signalled)
        buf_printf(out, "signal %d %s%s", code, signal_name(code), core ? " (core dumped)" : "");
    else if (code)
        buf_printf(out, "exit %d", code);
}
