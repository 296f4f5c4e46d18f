/* The memory of a process, and the breakpoints in it. */
#include "breaks_parts.h"

#include "core/base/grow.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int open_memory(int pid)
{
    char path[48];
    snprintf(path, sizeof path, "/proc/%d/mem", pid);
    return open(path, O_RDWR | O_CLOEXEC);
}

bool breaks_read(const struct breaks_image *m, uint64_t address, void *to, size_t len)
{
    return pread64(m->mem_fd, to, len, (off64_t)address) == (ssize_t)len;
}

bool breaks_write(const struct breaks_image *m, uint64_t address, const void *from, size_t len)
{
    return pwrite64(m->mem_fd, from, len, (off64_t)address) == (ssize_t)len;
}

/* --- the table --- */

const struct breaks_point *breaks_point_at(const struct breaks_image *m, uint64_t address)
{
    uint64_t i = imap_get(&m->index, address);
    return i ? m->point + i - 1 : NULL;
}

static bool add_point(struct breaks_image *m, const struct breaks_point *p)
{
    uint64_t *index = NULL;
    if (grow(&m->point, &m->point_cap, m->points, sizeof *m->point))
        index = imap_at(&m->index, p->address);
    if (!index)
        return false;
    m->point[m->points++] = *p;
    *index = m->points;
    return true;
}

static bool copy_points(struct breaks_image *m, const struct breaks_image *from)
{
    if (!grow_to(&m->slots, &m->slots_cap, from->slots_count, sizeof *m->slots))
        return false;
    if (from->slots_count)
        memcpy(m->slots, from->slots, from->slots_count * sizeof *m->slots);
    m->slots_count = from->slots_count;
    m->system_call = from->system_call;
    for (size_t i = 0; i < from->points; i++)
        if (!add_point(m, &from->point[i]))
            return false;
    return true;
}

/* --- images --- */

struct breaks_image *breaks_image_new(int pid, const struct breaks_image *copied)
{
    struct breaks_image *m = calloc(1, sizeof *m);
    if (!m)
        return NULL;
    m->pid = pid;
    m->mem_fd = open_memory(pid);
    if (m->mem_fd >= 0 && (!copied || copy_points(m, copied)))
        return m;
    breaks_image_free(m);
    return NULL;
}

void breaks_image_free(struct breaks_image *m)
{
    if (m->mem_fd >= 0)
        close(m->mem_fd);
    imap_release(&m->index);
    free(m->point);
    free(m->slots);
    free(m);
}

void breaks_set_data(struct breaks_image *image, void *data)
{
    image->data = data;
}

void *breaks_data(const struct breaks_image *image)
{
    return image->data;
}

/* --- slots --- */

static const struct breaks_point *point_of_slot(const struct breaks_image *m, uint64_t slot)
{
    for (size_t i = 0; i < m->points; i++)
        if (m->point[i].slot == slot)
            return &m->point[i];
    return NULL;
}

uint64_t breaks_unslotted(const struct breaks_image *m, uint64_t pc)
{
    for (size_t i = 0; i < m->slots_count; i++) {
        const struct breaks_slots *s = &m->slots[i];
        if (pc < s->start || pc - s->start >= s->used * DISPLACED_SLOT_BYTES)
            continue;
        uint64_t within = (pc - s->start) % DISPLACED_SLOT_BYTES;
        const struct breaks_point *p = point_of_slot(m, pc - within);
        return p ? p->address + within : pc;
    }
    return pc;
}

/* --- setting --- */

bool breaks_is_set(const struct breaks_image *image, uint64_t address)
{
    return breaks_point_at(image, address) != NULL;
}

/* At the end of a mapping there are fewer bytes than an instruction may have. */
static size_t read_code(const struct breaks_image *m, uint64_t address, uint8_t to[16])
{
    ssize_t n = pread64(m->mem_fd, to, 16, (off64_t)address);
    return n > 0 ? (size_t)n : 0;
}

/* The first slot that the instruction works in. */
static int find_slot(struct breaks_image *m, struct breaks_point *p)
{
    uint8_t code[16];
    size_t len = read_code(m, p->address, code);
    bool space = false;
    for (size_t i = 0; len && i < m->slots_count; i++) {
        struct breaks_slots *s = &m->slots[i];
        p->slot = s->start + s->used * DISPLACED_SLOT_BYTES;
        space = space || s->used < s->cap;
        if (s->used < s->cap && tracee_displace(code, len, p->address, p->slot, &p->code))
            return s->used++, 0;
    }
    return !len ? -EFAULT : space ? -ENOTSUP : -ENOSPC;
}

int breaks_set(struct breaks_image *image, uint64_t address)
{
    struct breaks_point p = {.address = address};
    if (breaks_is_set(image, address))
        return 0;
    int r = find_slot(image, &p);
    if (r < 0)
        return r;
    if (!breaks_write(image, p.slot, p.code.bytes, sizeof p.code.bytes))
        return -EFAULT;
    if (!add_point(image, &p))
        return -ENOMEM;
    bool set = breaks_write(image, address, tracee_breakpoint.bytes, tracee_breakpoint.len);
    return set ? 0 : -EFAULT;
}
