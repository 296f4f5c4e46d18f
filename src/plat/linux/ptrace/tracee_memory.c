#include "tracee_cpu.h"

#include "process/descriptors.h"
#include "process/proc_open.h"

#include <errno.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

enum { MAX_PIECES = 17, MIN_PAGE = 4096 };

/* Each piece lies within one page, so a read of it never returns a part. */
static size_t split_into_pages(uint64_t address, size_t len_left, size_t page,
                               struct iovec piece[MAX_PIECES])
{
    size_t n = 0;
    for (; len_left && n < MAX_PIECES; n++) {
        size_t len = page - (size_t)(address % page);
        if (len > len_left)
            len = len_left;
        piece[n] = (struct iovec){(void *)(uintptr_t)address, len};
        address += len;
        len_left -= len;
    }
    return n;
}

/* Of a kernel without CONFIG_CROSS_MEMORY_ATTACH. */
static ssize_t copy_from_proc_mem(int tid, uint64_t address, void *to, size_t max_bytes)
{
    SCOPED_FD fd = proc_open(tid, "mem");
    return fd < 0 ? -1 : pread64(fd, to, max_bytes, (off64_t)address);
}

size_t tracee_copy(int tid, uint64_t address, void *to, size_t max_bytes)
{
    long page = sysconf(_SC_PAGESIZE);
    struct iovec piece[MAX_PIECES], local = {to, max_bytes};
    size_t pieces =
        split_into_pages(address, max_bytes, page > MIN_PAGE ? (size_t)page : MIN_PAGE, piece);
    ssize_t n = process_vm_readv(tid, &local, 1, piece, pieces, 0);
    if (n < 0 && errno == ENOSYS)
        n = copy_from_proc_mem(tid, address, to, max_bytes);
    return n > 0 ? (size_t)n : 0;
}

static bool read_page(struct tracee_memory *m, uint64_t address)
{
    m->address = address;
    m->len = tracee_copy(m->tid, address, m->bytes,
                         sizeof m->bytes - (size_t)(address % sizeof m->bytes));
    return m->len != 0;
}

bool tracee_read_word(struct tracee_memory *m, uint64_t address, size_t bytes, uint64_t *out)
{
    *out = 0;
    if (address % sizeof m->bytes > sizeof m->bytes - bytes)
        return false;
    if ((address < m->address || address - m->address >= m->len) && !read_page(m, address))
        return false;
    memcpy(out, m->bytes + (address - m->address), bytes);
    return true;
}
