#include "core/procfs/disk_stat.h"

#include "core/base/scan.h"

enum { READS, READ_SECTORS = 2, WRITES = 4, WRITTEN_SECTORS = 6, BUSY_MS = 9, NUMBERS };

static bool read_line(const char *s, struct disk_stat *out)
{
    uint64_t device, n[NUMBERS];
    if (!scan_u64(&s, &device) || !scan_u64(&s, &device))
        return false;
    size_t len = scan_word(&s);
    if (!len || len > DISK_NAME_MAX)
        return false;
    const char *name = s;
    s += len;
    for (size_t i = 0; i < NUMBERS; i++)
        if (!scan_u64(&s, &n[i]))
            return false;
    *out = (struct disk_stat){.reads = n[READS],
                              .writes = n[WRITES],
                              .read_sectors = n[READ_SECTORS],
                              .written_sectors = n[WRITTEN_SECTORS],
                              .busy_ms = n[BUSY_MS]};
    memcpy(out->name, name, len);
    return true;
}

bool disk_stat_next(const char **at, struct disk_stat *out)
{
    bool found = false;
    for (; *at && !found; *at = scan_next(*at))
        found = read_line(*at, out);
    return found;
}
