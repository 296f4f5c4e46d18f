#include "tracee_cpu.h"

#include "process/proc_open.h"

#include <errno.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

enum { MOST_PIECES = 17, LEAST_PAGE = 4096 };

/* A piece is read whole or not at all: each lies within one page. */
static size_t cut(uint64_t address, size_t most, size_t page, struct iovec piece[MOST_PIECES])
{
    size_t n = 0;
    for (; most && n < MOST_PIECES; n++) {
        size_t len = page - (size_t)(address % page);
        if (len > most)
            len = most;
        piece[n] = (struct iovec){(void *)(uintptr_t)address, len};
        address += len;
        most -= len;
    }
    return n;
}

/* Of a kernel without CONFIG_CROSS_MEMORY_ATTACH. */
static ssize_t copy_by_file(int tid, uint64_t address, void *to, size_t most)
{
    int fd = proc_open(tid, "mem");
    if (fd < 0)
        return -1;
    ssize_t n = pread64(fd, to, most, (off64_t)address);
    close(fd);
    return n;
}

size_t tracee_copy(int tid, uint64_t address, void *to, size_t most)
{
    long page = sysconf(_SC_PAGESIZE);
    struct iovec piece[MOST_PIECES], local = {to, most};
    size_t pieces = cut(address, most, page > LEAST_PAGE ? (size_t)page : LEAST_PAGE, piece);
    ssize_t n = process_vm_readv(tid, &local, 1, piece, pieces, 0);
    if (n < 0 && errno == ENOSYS)
        n = copy_by_file(tid, address, to, most);
    return n > 0 ? (size_t)n : 0;
}

static bool fetch(struct tracee_memory *m, uint64_t address)
{
    m->at = address;
    m->len = tracee_copy(m->tid, address, m->bytes,
                         sizeof m->bytes - (size_t)(address % sizeof m->bytes));
    return m->len != 0;
}

bool tracee_word(struct tracee_memory *m, uint64_t address, size_t bytes, uint64_t *out)
{
    *out = 0;
    if (address % sizeof m->bytes > sizeof m->bytes - bytes)
        return false;
    if ((address < m->at || address - m->at >= m->len) && !fetch(m, address))
        return false;
    memcpy(out, m->bytes + (address - m->at), bytes);
    return true;
}
