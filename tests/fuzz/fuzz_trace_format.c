/* A tracepoint's format file, and header_page: what is read lies where it says it does, and records
 * of any length are read within their bytes. */
#include "fuzz.h"

#include "core/trace/decode.h"

#include <stdlib.h>
#include <string.h>

static void take(void *arg, const struct sched_event *e)
{
    uint64_t *sum = arg;
    if (e->kind >= SCHED_KINDS)
        abort();
    *sum += e->time_ns + (uint64_t)e->pid;
}

/* The record is the text itself, cut at all lengths near its fields. */
static void read_records(const struct trace_format *f, const uint8_t *data, size_t len)
{
    for (size_t cut = 0; cut <= len && cut < 96; cut++) {
        uint8_t *record = malloc(cut + !cut); /* exactly: what is read beyond it shows */
        memcpy(record, data, cut);
        for (size_t i = 0; i < f->fields; i++) {
            size_t size;
            trace_field_number(&f->field[i], record, cut);
            const char *text = trace_field_text(&f->field[i], record, cut, &size);
            if (size > cut || (size && memchr(text, 0, size)))
                abort();
        }
        free(record);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    struct trace_format f;
    struct trace_page_layout l;
    struct sched_names names = {0};
    struct trace_decoder d;
    uint64_t sum = 0;
    trace_decoder_init(&d, &names);
    if (trace_format_read((const char *)data, len, &f) == 0)
        read_records(&f, data, len);
    if (trace_page_layout_read((const char *)data, len, &l) == 0 &&
        l.page_size > TRACE_PAGE_MAX * 2)
        abort();
    if (trace_decoder_learn(&d, (const char *)data, len) == 0) {
        struct trace_record r = {1, data, len < 64 ? len : 64};
        trace_decode_record(&d, 0, &r, take, &sum);
    }
    sched_names_release(&names);
    return 0;
}
