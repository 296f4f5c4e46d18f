#include "tracee_cpu.h"

#include <string.h>
#include <sys/uio.h>

/* To the end of its page: then all of it can be read, or nothing. */
static bool fetch(struct tracee_memory *m, uint64_t address)
{
    size_t len = sizeof m->bytes - (size_t)(address % sizeof m->bytes);
    struct iovec local = {m->bytes, len}, remote = {(void *)(uintptr_t)address, len};
    m->at = address;
    m->len = 0;
    if (process_vm_readv(m->tid, &local, 1, &remote, 1, 0) == (ssize_t)len)
        m->len = len;
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
