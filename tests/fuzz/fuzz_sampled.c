/* A ring's bytes, in any state, through the whole of a sampling: decoded, ordered, counted,
 * reported. */
#include "fuzz.h"

#include "core/base/buf.h"
#include "core/perf/perfrec.h"
#include "core/perf/reorder.h"
#include "core/report/flat.h"
#include "core/sample/sampled.h"
#include "core/symbol/demangle.h"

static struct perfrec_format all = {.sample_id_all = true, .period = 1000000};

static void take(void *arg, const void *record, size_t len)
{
    struct perfrec r;
    if (perfrec_decode(record, len, &all, &r))
        sampled_add_record(arg, &r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    struct sampled s;
    struct order o = {0};
    struct buf out = BUF_INIT;
    struct perfrec rec;
    size_t size;
    if (!len)
        return 0;
    all.fields = PERFREC_IP | PERFREC_TID | PERFREC_TIME | (data[0] & 64 ? PERFREC_CALLCHAIN : 0) |
                 (data[0] & 128 ? PERFREC_PERIOD : 0);
    sampled_init(&s, &(struct sampled_want){.pid = data[0] & 1 ? 1 : 0,
                                            .children = data[0] & 2,
                                            .by = (data[0] >> 2 & 3) % 3,
                                            .kernel = data[0] & 16,
                                            .idle = data[0] & 32,
                                            .waits = data[0] & 128,
                                            .hz = 997});
    buf_add(&o.bytes, data, len);
    for (size_t at = 1; (size = perfrec_size(data + at, len - at)); at += size)
        if (perfrec_decode(data + at, size, &all, &rec))
            order_add(&o, at, size, rec.time);
    order_round(&o, take, &s);
    sampled_asleep(&s, 1, 1, 0x1000, 5);
    sampled_waits_until(&s, o.previous);
    order_flush(&o, take, &s);
    sampled_waits_end(&s, o.latest);
    struct demangler names = {.off = true};
    struct flat_report r = {.method = "m", .mode = "u", .names = &names};
    if (flat_make(&s, &r) == 0) {
        flat_text(&r, &out);
        flat_json(&r, &out);
    }
    flat_release(&r);
    demangler_release(&names);
    buf_release(&out);
    order_release(&o);
    sampled_release(&s);
    return 0;
}
