/* /proc/diskstats and /proc/pressure/NAME as text. */
#include "fuzz.h"

#include "core/procfs/disk_stat.h"
#include "core/procfs/pressure.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    char *text = fuzz_text(data, len);
    const char *at = text;
    struct disk_stat d;
    struct pressure p;
    while (disk_stat_next(&at, &d))
        if (!d.name[0] || strlen(d.name) > DISK_NAME_MAX || (at && at > text + len))
            abort();
    pressure_parse(text, &p);
    free(text);
    return 0;
}
