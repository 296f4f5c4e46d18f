/* Recordings of coverage: what is read is written, and read again as the same. */
#include "fuzz.h"

#include "core/base/buf.h"
#include "core/coverage/record.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct coverage_record r = {0}, again = {0};
    struct buf once = BUF_INIT, twice = BUF_INIT;
    if (coverage_record_read(&r, (const char *)data, size, NULL) == 0) {
        coverage_record_write(&r, &once);
        if (coverage_record_read(&again, once.data, once.len, NULL) < 0)
            abort();
        coverage_record_write(&again, &twice);
        if (once.len != twice.len || memcmp(once.data, twice.data, once.len) != 0)
            abort();
    }
    buf_release(&once);
    buf_release(&twice);
    coverage_record_release(&r);
    coverage_record_release(&again);
    return 0;
}
