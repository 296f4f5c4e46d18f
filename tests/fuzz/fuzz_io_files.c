/* Calls, births, execs and ends, as a traced program would make them: 13 bytes each. */
#include "fuzz.h"

#include "core/io/files.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { TABLES = 4, STEP = 13 };

static size_t path(void *arg, int tid, int fd, char *to, size_t room)
{
    (void)arg;
    (void)tid;
    return fd % 7 == 6 ? 0 : (size_t)snprintf(to, room, fd % 5 == 4 ? "pipe:" : "/%d", fd % 50);
}

static bool is_open(void *arg, int tid, int fd)
{
    (void)arg;
    (void)tid;
    return fd % 3 != 0;
}

static uint64_t number(const uint8_t *p, size_t bytes)
{
    uint64_t v = 0;
    for (size_t i = bytes; i-- > 0;)
        v = v << 8 | p[i];
    return bytes == 2 ? (uint64_t)(int64_t)(int16_t)v : v;
}

static void call(struct io_files *f, struct io_fds **d, const uint8_t *p)
{
    struct io_called c = {.call = io_call_find((enum io_arch)(p[0] >> 5), number(p + 1, 2) & 511),
                          .arg = {number(p + 3, 2), number(p + 5, 2), number(p + 7, 2),
                                  number(p + 9, 2), number(p + 9, 2), 0},
                          .result = (int64_t)number(p + 11, 2)};
    if (p[0] & 16) /* far out */
        c.result *= 0x123457, c.arg[0] *= 0x1000003, c.arg[1] *= 0x1003;
    if (!c.call)
        return;
    c.how = io_called_how_addr(&c);
    if (io_files_enter(f, *d, 1, &c) && !io_called_restarts(&c))
        io_files_exit(f, d, 1, &c);
}

static void step(struct io_files *f, struct io_fds *d[TABLES], const uint8_t *p)
{
    unsigned at = p[0] & 3, other = p[0] >> 5 & 3;
    switch (p[0] >> 2 & 3) {
    case 1:
        io_fds_unref(d[at]);
        d[at] = NULL; /* before its copy: it may be the same */
        d[at] = p[1] & 1 ? io_fds_ref(d[other]) : io_fds_clone(d[other]);
        break;
    case 2:
        d[at] = io_fds_unshare(d[at]);
        if (p[1] & 1)
            io_fds_exec(d[at], 1);
        break;
    default:
        call(f, &d[at], p);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    const struct io_files_ops ask = {.path = path, .is_open = is_open};
    struct io_counts *counts = io_counts_new();
    struct io_files *f = io_files_new(counts, &ask);
    struct io_fds *d[TABLES] = {io_fds_new(f, true)};
    struct buf text = BUF_INIT;
    for (; len >= STEP; data += STEP, len -= STEP)
        step(f, d, data);
    for (int i = 0; i < TABLES; i++)
        io_fds_unref(d[i]);
    io_uncounted_text(io_files_uncounted(f), &text);
    buf_release(&text);
    io_files_free(f);
    io_counts_free(counts);
    return 0;
}
