/* iotracedump [-p PID | COMMAND...]: what engine/iostats/io_trace.h counts, as iostats reports it;
 * its last line is how, and what is not in it. */
#include "core/base/buf.h"
#include "core/io/report.h"
#include "engine/iostats/io_trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int status_of(const struct io_trace_end *end)
{
    return child_status(&end->end);
}

static void print(struct io_counts *counts, const struct io_trace_end *end)
{
    struct buf text = BUF_INIT, unseen = BUF_INIT;
    struct io_report_options want = {.backend = end->method, .unit = "calls"};
    io_uncounted_text(&end->unseen, &unseen);
    want.uncounted = unseen.len ? buf_str(&unseen) : NULL;
    io_report_text(counts, &want, &text);
    fputs(buf_str(&text), stderr);
    fflush(stderr);
    buf_release(&text);
    buf_release(&unseen);
}

int main(int argc, char **argv)
{
    struct fail f = {0};
    struct io_trace_end end;
    struct io_counts *counts = io_counts_new();
    bool process = argc == 3 && strcmp(argv[1], "-p") == 0;
    struct io_trace_want want = {.argv = process ? NULL : argv + 1,
                                 .pid = process ? atoi(argv[2]) : 0};
    if (argc < 2 || !counts)
        return 2;
    if (io_trace_run(&want, counts, &end, &f) < 0) {
        fprintf(stderr, "iotracedump: %s: %s\n", f.what, strerror(f.err));
        if (f.hint[0])
            fprintf(stderr, "iotracedump: hint: %s\n", f.hint);
        io_counts_free(counts);
        return f.err == 2 ? 127 : 126;
    }
    print(counts, &end);
    int status = process ? 0 : status_of(&end);
    io_trace_exit(end.trace, status);
    io_counts_free(counts);
    return status;
}
