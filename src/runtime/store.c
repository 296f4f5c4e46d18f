/*
 * The file: one shared mapping of the header and as many slots as there may ever be, of which the
 * file holds those that were claimed. Memory beyond the file's end is never touched: the file is
 * made longer, with its blocks on the disk, before slots are given out. So a full disk refuses
 * slots, and a SIGBUS cannot come. RLIMIT_FSIZE is a full disk, too.
 */
#include "runtime.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    FIRST_SLOTS = 192, /* with the header four pages: a small program needs no more */
    STEP = 64,
    EXTRA_SLOTS = 2048, /* slots for threads, modules and marks, */
    EXTRA_SHARE = 16,   /* and one for so many nodes */
    MIN_BLOCK = 4,
    MAX_BLOCK = 64,
    BLOCKS = 8192, /* that what is left is for */
    HIGH_FD = 400  /* so high that programs with fixed descriptor numbers do not collide */
};

struct psprof_header *psprof_header;
unsigned char *psprof_slots;

static struct {
    size_t mapped;
    uint32_t used, nodes, nodes_limit;
    int fd;
    dev_t dev;
    ino_t ino;
    char path[PSPROF_PATH_BYTES];
} store = {.fd = -1};
static int store_lock;

static bool is_file(int fd)
{
    struct stat st;
    return fd >= 0 && fstat(fd, &st) == 0 && st.st_dev == store.dev && st.st_ino == store.ino;
}

/* The program may have closed our descriptor, and another file may have its number. */
static int file_fd(void)
{
    if (is_file(store.fd))
        return store.fd;
    int fd = open(store.path, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
    if (fd >= 0 && !is_file(fd)) {
        close(fd);
        fd = -1;
    }
    return store.fd = fd;
}

static int write_zeros(int fd, off_t from, off_t to)
{
    static const char zero[4096];
    while (from < to) {
        size_t n = to - from < (off_t)sizeof zero ? (size_t)(to - from) : sizeof zero;
        ssize_t written = pwrite(fd, zero, n, from);
        if (written < 0 && errno != EINTR)
            return -errno;
        if (written > 0)
            from += written;
    }
    return 0;
}

static off_t bytes_of(uint32_t slots)
{
    return PSPROF_HEADER_BYTES + (off_t)slots * PSPROF_SLOT_BYTES;
}

static off_t page_end(off_t bytes)
{
    off_t page = (off_t)getauxval(AT_PAGESZ);
    return (bytes + page - 1) / page * page;
}

static bool exceeds_limit(off_t end)
{
    struct rlimit limit;
    return getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
           (uint64_t)end > limit.rlim_cur;
}

static int allocate_blocks(off_t at, off_t end)
{
    int fd = file_fd();
    if (fd < 0)
        return -EBADF;
    if (fallocate(fd, 0, at, end - at) == 0)
        return 0;
    return errno == EOPNOTSUPP || errno == ENOSYS ? write_zeros(fd, at, end) : -errno;
}

/* By pages: a full tmpfs takes back the part of the first page that is not yet written.
 * The limit is asked first, so that hardly any signal has to be taken away; it may change at any
 * time. */
static int extend_file(uint32_t from, uint32_t to)
{
    off_t at = from ? page_end(bytes_of(from)) : 0, end = page_end(bytes_of(to));
    struct rt_quiet quiet;
    if (at >= end)
        return 0;
    if (exceeds_limit(end))
        return -EFBIG;
    rt_quiet_begin(&quiet);
    int err = allocate_blocks(at, end);
    rt_quiet_end(&quiet, -err);
    return err;
}

/* A quarter more each time, in blocks: what is claimed is what the file holds. */
static bool ensure_slots(uint32_t need)
{
    uint32_t have = psprof_header->slots_claimed, limit = psprof_header->slots_limit;
    if (need <= have)
        return true;
    uint64_t want = (uint64_t)have + have / 4;
    if (want < need)
        want = need;
    want = (want + STEP - 1) / STEP * STEP;
    if (want > limit)
        want = limit;
    if (extend_file(have, (uint32_t)want) != 0) {
        if (want == need || extend_file(have, need) != 0)
            return false;
        want = need;
    }
    if (want > have)
        __atomic_store_n(&psprof_header->slots_claimed, (uint32_t)want, __ATOMIC_RELEASE);
    return true;
}

static uint32_t claim_slots(uint32_t n, bool nodes)
{
    if (!psprof_header || n > psprof_header->slots_limit - store.used)
        return 0;
    if (nodes && n > store.nodes_limit - store.nodes)
        return 0;
    if (!ensure_slots(store.used + n))
        return 0;
    uint32_t first = store.used;
    store.used += n;
    store.nodes += nodes ? n : 0;
    return first;
}

uint32_t rt_store_claim(uint32_t n, bool nodes)
{
    int kept = errno;
    struct rt_sigstate held;
    rt_lock(&store_lock, &held);
    uint32_t first = claim_slots(n, nodes);
    rt_unlock(&store_lock, &held);
    errno = kept;
    return first;
}

/* The fewer nodes are left, the smaller the blocks: many threads get one each. */
uint32_t rt_store_block(void)
{
    uint32_t left = store.nodes_limit - store.nodes, share = left / BLOCKS;
    uint32_t n = share < MIN_BLOCK ? MIN_BLOCK : share > MAX_BLOCK ? MAX_BLOCK : share;
    return n < left ? n : left;
}

static int open_new(const char *path)
{
    int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, RT_FILE_MODE);
    if (fd < 0)
        return -errno;
    int high = fcntl(fd, F_DUPFD_CLOEXEC, HIGH_FD);
    if (high < 0)
        return fd;
    close(fd);
    return high;
}

/* As much as the address space allows. */
static int map_file(uint32_t nodes)
{
    for (;; nodes /= 2) {
        uint32_t slots = nodes + nodes / EXTRA_SHARE + EXTRA_SLOTS;
        size_t size = (size_t)bytes_of(slots);
        void *at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, store.fd, 0);
        if (at != MAP_FAILED) {
            store.mapped = size;
            store.nodes_limit = nodes;
            psprof_header = at;
            psprof_slots = (unsigned char *)at + PSPROF_HEADER_BYTES;
            psprof_header->slots_limit = slots;
            return 0;
        }
        if (errno != ENOMEM || nodes < 1024)
            return -errno;
    }
}

static int open_and_map(const char *path, uint32_t nodes)
{
    store.fd = open_new(path);
    if (store.fd < 0)
        return store.fd;
    struct stat st;
    if (fstat(store.fd, &st) != 0)
        return -errno;
    store.dev = st.st_dev;
    store.ino = st.st_ino;
    int err = extend_file(0, FIRST_SLOTS);
    return err ? err : map_file(nodes);
}

int rt_store_open(const char *path, uint32_t nodes)
{
    size_t n = strlen(path);
    if (n >= sizeof store.path)
        return -ENAMETOOLONG;
    memcpy(store.path, path, n + 1);
    store.used = 1; /* index 0 is none */
    store.nodes = 0;
    int err = open_and_map(path, nodes ? nodes : 1);
    if (err && store.fd >= 0) {
        unlink(path);
        close(store.fd);
        store.fd = -1;
    }
    if (!err)
        psprof_header->slots_claimed = FIRST_SLOTS;
    return err;
}

/* A handler that forked may have interrupted a hook, which goes on when it returns, on this memory.
 */
void rt_store_forget(void)
{
    if (is_file(store.fd))
        close(store.fd);
    store.fd = -1;
    if (psprof_header)
        mmap(psprof_header, store.mapped, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    psprof_header = NULL;
    store_lock = 0;
}
