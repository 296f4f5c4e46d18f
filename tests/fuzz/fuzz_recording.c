/* A recording in any state, counted in each way, and reported. */
#include "fuzz.h"

#include "core/buf.h"
#include "core/demangle.h"
#include "core/flat.h"
#include "core/recording.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    struct sampled s;
    struct recording r;
    struct fail f;
    struct buf out = BUF_INIT;
    struct demangler names = {.off = true};
    struct flat_report report = {.method = "m", .mode = "u", .names = &names};
    enum sampled_by by = len > 8 ? data[len - 1] % 3 : SAMPLED_WHOLE;
    sampled_init(&s, &(struct sampled_want){.kernel = true, .by = by, .timeline = len & 1});
    int e = recording_read(data, len, &s, &r, &f);
    if (e == 0 && flat_make(&s, &report) == 0) {
        flat_text(&report, &out);
        flat_json(&report, &out);
    }
    flat_release(&report);
    recording_close(&r);
    sampled_release(&s);
    buf_release(&out);
    return 0;
}
