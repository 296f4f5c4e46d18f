#include "core/procfs/proc_io.h"

#include "core/procfs/counters.h"

#include <string.h>

static const char *const names[PROC_IO_FIELDS] = {
    [PROC_IO_READ] = "rchar:",
    [PROC_IO_WRITTEN] = "wchar:",
    [PROC_IO_READ_CALLS] = "syscr:",
    [PROC_IO_WRITE_CALLS] = "syscw:",
    [PROC_IO_DISK_READ] = "read_bytes:",
    [PROC_IO_DISK_WRITTEN] = "write_bytes:",
    [PROC_IO_CANCELLED] = "cancelled_write_bytes:",
};

bool proc_io_parse(const char *text, struct proc_io *out)
{
    bool any = false;
    *out = (struct proc_io){0};
    for (size_t i = 0; i < PROC_IO_FIELDS; i++)
        any |= kernel_count(text, names[i], &out->value[i]);
    return any;
}

void proc_io_add(struct proc_io *a, const struct proc_io *b)
{
    for (size_t i = 0; i < PROC_IO_FIELDS; i++)
        a->value[i] += b->value[i];
}

void proc_io_subtract(struct proc_io *a, const struct proc_io *b)
{
    for (size_t i = 0; i < PROC_IO_FIELDS; i++)
        a->value[i] -= b->value[i] < a->value[i] ? b->value[i] : a->value[i];
}

struct proc_io proc_io_min(const struct proc_io *a, const struct proc_io *b)
{
    struct proc_io min = *a;
    for (size_t i = 0; i < PROC_IO_FIELDS; i++)
        if (b->value[i] < min.value[i])
            min.value[i] = b->value[i];
    return min;
}

bool proc_io_is_zero(const struct proc_io *a)
{
    return proc_io_is_equal(a, &(struct proc_io){0});
}

bool proc_io_is_equal(const struct proc_io *a, const struct proc_io *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}
