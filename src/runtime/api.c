/* What psprof.h offers. */
#include "psprof.h"

#include "runtime.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static int fail_with(int err)
{
    errno = err;
    return -1;
}

int psprof_start(void)
{
    rt_start();
    if (!psprof_header)
        return fail_with(ENOENT);
    rt_mode_set(psprof_running);
    return 0;
}

int psprof_stop(void)
{
    rt_start();
    if (!psprof_header)
        return fail_with(ENOENT);
    rt_mode_set(RT_OFF);
    rt_park();
    return 0;
}

int psprof_mark(const char *name)
{
    if (!psprof_header)
        return fail_with(ENOENT);
    uint32_t slot = rt_store_claim(1, false);
    if (!slot)
        return fail_with(ENOSPC);
    struct psprof_mark *m = rt_slot(slot);
    m->tid = (uint32_t)rt_tid();
    m->ticks = rt_run_ticks(psprof_header);
    memcpy(m->name, name, strnlen(name, sizeof m->name - 1));
    uint32_t newest = __atomic_load_n(&psprof_header->marks, __ATOMIC_RELAXED);
    do
        m->next = newest;
    while (!__atomic_compare_exchange_n(&psprof_header->marks, &newest, slot, false,
                                        __ATOMIC_RELEASE, __ATOMIC_RELAXED));
    return 0;
}

static int write_all(int fd, const char *from, size_t bytes)
{
    while (bytes) {
        ssize_t n = write(fd, from, bytes);
        if (n < 0 && errno != EINTR)
            return -1;
        from += n > 0 ? n : 0;
        bytes -= n > 0 ? (size_t)n : 0;
    }
    return 0;
}

static int write_copy(int fd)
{
    size_t slots = __atomic_load_n(&psprof_header->slots_claimed, __ATOMIC_ACQUIRE);
    struct psprof_header h = *psprof_header;
    h.slots_claimed = (uint32_t)slots;
    char rest[PSPROF_HEADER_BYTES - sizeof h] = {0};
    return write_all(fd, (const char *)&h, sizeof h) || write_all(fd, rest, sizeof rest) ||
                   write_all(fd, (const char *)psprof_slots, slots * PSPROF_SLOT_BYTES)
               ? errno
               : 0;
}

int psprof_dump(const char *path)
{
    struct rt_quiet quiet;
    if (!psprof_header)
        return fail_with(ENOENT);
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, RT_FILE_MODE);
    if (fd < 0)
        return -1;
    rt_quiet_begin(&quiet);
    int err = write_copy(fd);
    rt_quiet_end(&quiet, err);
    if (close(fd) != 0 && !err)
        return -1;
    return err ? fail_with(err) : 0;
}

static int type_of(int kind)
{
    switch (kind) {
    case Profuser:
        return PSPROF_USER;
    case Profkernel:
        return PSPROF_KERNEL;
    case Profsample:
        return PSPROF_SAMPLE;
    default:
        return PSPROF_ELAPSED;
    }
}

static bool is_recording(void)
{
    return psprof_header && psprof_mode != RT_OFF;
}

void psprof_prof(void (*fn)(void *), void *arg, int entries, int what)
{
    rt_start();
    if (is_recording() || what == Profoff) {
        fn(arg);
        return;
    }
    if (!psprof_header)
        rt_start_with(entries > 0 ? (uint32_t)entries : 2000, type_of(what));
    if (psprof_header)
        rt_mode_set(psprof_running);
    fn(arg);
    psprof_stop();
}
