/* The log of every operation. */
#include "rows.h"

#include "core/base/buf.h"
#include "core/base/time_ns.h"

#include <inttypes.h>
#include <stdio.h>

void io_log_line(const struct io_log *line, struct buf *out)
{
    const struct io_done *d = line->done;
    uint64_t at_ns = d->start_ns > line->origin_ns ? d->start_ns - line->origin_ns : 0;
    uint64_t took_ns = d->end_ns > d->start_ns ? d->end_ns - d->start_ns : 0;
    buf_printf(out, "%" PRIu64 ".%06" PRIu64 " %10.1f us %-7s %8" PRIu64 " %8" PRIu64,
               at_ns / NS_PER_S, at_ns % NS_PER_S / NS_PER_US, (double)took_ns / NS_PER_US,
               io_message_name(d->message), d->request, d->reply);
    if (line->path) {
        buf_addc(out, ' ');
        io_path_text(line->path, out);
    }
    if (line->error) {
        buf_adds(out, ": ");
        io_path_text(line->error, out); /* a server's words may be anything */
    }
    buf_addc(out, '\n');
}

bool io_log_detect(const char *bytes, size_t len)
{
    char head[128];
    int read = 0;
    snprintf(head, sizeof head, "%.*s", len < sizeof head ? (int)len : (int)sizeof head - 1, bytes);
    sscanf(head, "%*20[0-9].%*6[0-9] %*20[0-9].%*1[0-9] us %*7[a-z] %*20[0-9] %*20[0-9]%n", &read);
    return len == 0 || read > 0;
}
