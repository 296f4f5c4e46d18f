/* What passes in both directions, in pieces: a byte says the direction, another how many bytes. */
#include "fuzz.h"

#include "core/base/buf.h"
#include "core/io/report.h"
#include "core/ninep/proxy.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    struct io_counts *counts = io_counts_new();
    struct ninep_proxy *p = counts ? ninep_proxy_new(counts) : NULL;
    struct buf out = BUF_INIT;
    if (!p)
        abort();
    for (size_t at = 0; at + 2 <= len;) {
        size_t n = data[at + 1] < len - at - 2 ? data[at + 1] : len - at - 2;
        if (data[at] & 1)
            ninep_proxy_replies(p, data + at + 2, n, at);
        else
            ninep_proxy_requests(p, data + at + 2, n, at);
        at += 2 + n;
    }
    ninep_proxy_free(p);
    io_report_text(counts, &(struct io_report_options){.backend = "9p"}, &out);
    io_counts_free(counts);
    buf_release(&out);
    return 0;
}
