/* The memory of a process, and the breakpoints in it. */
#include "breaks_parts.h"

#include "core/base/grow.h"
#include "process/descriptors.h"

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
    return pread64(m->mem_fd, to, len, (off64_t)(address & ~tracee_mode_bits)) == (ssize_t)len;
}

bool breaks_write(const struct breaks_image *m, uint64_t address, const void *from, size_t len)
{
    return pwrite64(m->mem_fd, from, len, (off64_t)(address & ~tracee_mode_bits)) == (ssize_t)len;
}

int breaks_peek(const struct breaks_image *image, uint64_t address, void *to, size_t len)
{
    return pread64(image->mem_fd, to, len, (off64_t)address) == (ssize_t)len ? 0 : -EFAULT;
}

static void uncover(const struct breaks_point *p, uint64_t address, uint8_t *to, size_t len)
{
    uint64_t start = p->address & ~tracee_mode_bits;
    for (size_t i = 0; p->set && i < p->covers; i++)
        if (start + i >= address && start + i - address < len)
            to[start + i - address] = p->covered[i];
}

/* A breakpoint that covers the first byte may begin before it. */
bool breaks_read_code(void *image, uint64_t address, void *to, size_t len)
{
    const struct breaks_image *m = image;
    if (!breaks_read(m, address, to, len))
        return false;
    uint64_t mode = address & tracee_mode_bits;
    address -= mode;
    uint64_t first = address > TRACEE_BREAKPOINT_BYTES ? address - TRACEE_BREAKPOINT_BYTES : 0;
    for (uint64_t at = first; at < address + len; at++) {
        const struct breaks_point *p = breaks_point_at(m, at | mode);
        if (p)
            uncover(p, address, to, len);
    }
    return true;
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
    if (!grow_to(&m->sequence, &m->sequence_cap, from->sequences, sizeof *m->sequence))
        return false;
    if (from->sequences)
        memcpy(m->sequence, from->sequence, from->sequences * sizeof *m->sequence);
    m->sequences = from->sequences;
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
    descriptor_close(&m->mem_fd);
    imap_release(&m->index);
    free(m->point);
    free(m->slots);
    free(m->sequence);
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

static bool is_within(const struct breaks_slots *s, uint64_t pc)
{
    return pc >= s->start && pc - s->start < s->used * DISPLACED_SLOT_BYTES;
}

const struct breaks_point *breaks_point_of_slot(const struct breaks_image *m, uint64_t pc)
{
    bool within = false;
    for (size_t i = 0; i < m->slots_count; i++)
        within = within || is_within(&m->slots[i], pc);
    for (size_t i = 0; within && i < m->points; i++)
        if (pc >= m->point[i].slot && pc - m->point[i].slot < DISPLACED_SLOT_BYTES)
            return &m->point[i];
    return NULL;
}

uint64_t breaks_unslotted(const struct breaks_image *m, uint64_t pc)
{
    const struct breaks_point *p = breaks_point_of_slot(m, pc);
    return p ? p->address + (pc - p->slot) : pc;
}

uint64_t breaks_take_slots(struct breaks_image *m, size_t slots)
{
    for (size_t i = 0; i < m->slots_count; i++) {
        struct breaks_slots *s = &m->slots[i];
        if (s->cap - s->used < slots)
            continue;
        s->used += slots;
        return s->start + (s->used - slots) * DISPLACED_SLOT_BYTES;
    }
    return 0;
}

/* --- setting --- */

bool breaks_is_attached(const struct breaks_image *image)
{
    return image->attached;
}

bool breaks_is_set(const struct breaks_image *image, uint64_t address)
{
    const struct breaks_point *p = breaks_point_at(image, address);
    return p && p->set;
}

/* At the end of a mapping there are fewer bytes than an instruction may have. */
static size_t read_code(const struct breaks_image *m, uint64_t address, uint8_t to[16])
{
    ssize_t n = pread64(m->mem_fd, to, 16, (off64_t)(address & ~tracee_mode_bits));
    return n > 0 ? (size_t)n : 0;
}

/* The first slot that the instruction works in; one that leads back, if there is any. */
static int find_slot(struct breaks_image *m, struct breaks_point *p)
{
    uint8_t code[16];
    size_t len = read_code(m, p->address, code);
    struct breaks_slots *found = NULL;
    bool space = false;
    for (size_t i = 0; len && i < m->slots_count && !p->code.returns; i++) {
        struct breaks_slots *s = &m->slots[i];
        struct displaced d;
        uint64_t slot =
            (s->start + s->used * DISPLACED_SLOT_BYTES) | (p->address & tracee_mode_bits);
        space = space || s->used < s->cap;
        if (s->used == s->cap || !tracee_displace(code, len, p->address, slot, &d) ||
            (found && !d.returns))
            continue;
        found = s;
        p->slot = slot;
        p->code = d;
    }
    if (found)
        return found->used++, 0;
    return !len ? -EFAULT : space ? -ENOTSUP : -ENOSPC;
}

static int make_point(struct breaks_image *m, uint64_t address)
{
    struct breaks_point p = {.address = address};
    int r = find_slot(m, &p);
    if (r < 0)
        return r;
    if (!breaks_write(m, p.slot, p.code.bytes, sizeof p.code.bytes))
        return -EFAULT;
    return add_point(m, &p) ? 0 : -ENOMEM;
}

const struct breaks_point *breaks_point_made(struct breaks_image *m, uint64_t address)
{
    if (!breaks_point_at(m, address) && make_point(m, address) < 0)
        return NULL;
    return breaks_point_at(m, address);
}

static int cover(const struct breaks_image *m, struct breaks_point *p)
{
    struct tracee_code code = tracee_breakpoint(&p->code);
    if (!breaks_read(m, p->address, p->covered, code.len))
        return -EFAULT;
    p->covers = (uint8_t)code.len;
    p->set = breaks_write(m, p->address, code.bytes, code.len);
    return p->set ? 0 : -EFAULT;
}

int breaks_set(struct breaks_image *image, uint64_t address)
{
    if (image->attached || breaks_is_set(image, address))
        return 0;
    int r = breaks_point_at(image, address) ? 0 : make_point(image, address);
    return r < 0 ? r : cover(image, &image->point[imap_get(&image->index, address) - 1]);
}

void breaks_uncover(struct breaks_image *m)
{
    for (size_t i = 0; i < m->points; i++) {
        struct breaks_point *p = &m->point[i];
        if (p->set)
            breaks_write(m, p->address, p->covered, p->covers);
        p->set = false;
    }
}
