/*
 * Where stacks lie, by /proc/self/maps: without malloc, in any libc, also inside a signal handler.
 *
 * Linux 6.11 and later answer a question about one address. Before, the file is read up to it,
 * which takes longer the more threads there are.
 */
#include "runtime.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/ioctl.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <unistd.h>

enum { BUFFER = 4096 };
#define MAIN_STACK_MAX ((uintptr_t)(sizeof(void *) == 8 ? 1u << 30 : 64u << 20))

struct reader {
    int fd;
    size_t at, have;
    char bytes[BUFFER];
};

static int next_char(struct reader *r)
{
    if (r->at == r->have) {
        ssize_t n = read(r->fd, r->bytes, sizeof r->bytes);
        if (n <= 0)
            return -1;
        r->have = (size_t)n;
        r->at = 0;
    }
    return (unsigned char)r->bytes[r->at++];
}

static int hex_digit(int c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Reads a hexadecimal number and the character behind it; false at the end. */
static bool read_hex(struct reader *r, uintptr_t *out)
{
    int c = next_char(r);
    if (c < 0)
        return false;
    for (*out = 0; hex_digit(c) >= 0; c = next_char(r))
        *out = *out * 16 + (uintptr_t)hex_digit(c);
    return true;
}

/* The rest of the line: whether a word in brackets begins with that letter is all that is asked. */
static char bracket_letter(struct reader *r)
{
    char letter = 0;
    int c, before = 0;
    while ((c = next_char(r)) >= 0 && c != '\n') {
        if (before == '[' && !letter)
            letter = (char)c;
        before = c;
    }
    return letter;
}

static bool find_mapping(struct reader *r, uintptr_t address, struct rt_range *out,
                         uintptr_t *below)
{
    struct rt_range m;
    *below = 0;
    while (read_hex(r, &m.lo) && read_hex(r, &m.hi)) {
        char letter = bracket_letter(r);
        if (address >= m.lo && address < m.hi) {
            m.heap = letter == 'h';
            m.main_stack = letter == 's';
            *out = m;
            return true;
        }
        *below = m.hi;
    }
    return false;
}

static uintptr_t main_stack_bytes(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur > MAIN_STACK_MAX)
        return MAIN_STACK_MAX;
    return (uintptr_t)limit.rlim_cur;
}

/* The main stack grows down to its limit, or to what lies below it. */
static void extend_stack(struct rt_range *m, uintptr_t below)
{
    uintptr_t size = main_stack_bytes();
    uintptr_t lo = m->hi > size ? m->hi - size : 0;
    if (lo < below)
        lo = below;
    if (lo < m->lo)
        m->lo = lo;
}

/* PROCMAP_QUERY, which <linux/fs.h> has from 6.11 on. */
struct query {
    uint64_t size, flags, address, start, end, vma_flags, page_bytes, offset, inode;
    uint32_t major, minor, name_bytes, build_id_bytes;
    uint64_t name, build_id;
};
#define QUERY _IOWR('f', 17, struct query)

/* A name that does not fit is that of a file. */
static bool ask_kernel(int fd, uintptr_t address, struct query *q)
{
    static const struct query none;
    char name[32] = "";
    *q = none;
    q->size = sizeof *q;
    q->address = address;
    q->name = (uintptr_t)name;
    q->name_bytes = sizeof name;
    bool known = ioctl(fd, QUERY, q) == 0;
    if (!known && errno == ENAMETOOLONG) {
        q->name = q->name_bytes = 0;
        known = ioctl(fd, QUERY, q) == 0;
    }
    q->name = known && q->name_bytes && name[0] == '[' ? (unsigned char)name[1] : 0;
    return known;
}

/* The main stack's bounds depend on the mapping below it. */
static bool ask_mapping(int fd, uintptr_t address, struct rt_range *out)
{
    struct query q;
    if (rt_is_filtered() || !ask_kernel(fd, address, &q) || q.name == 's')
        return false;
    *out =
        (struct rt_range){.lo = (uintptr_t)q.start, .hi = (uintptr_t)q.end, .heap = q.name == 'h'};
    return true;
}

bool rt_mapping_of(uintptr_t address, struct rt_range *out)
{
    int kept = errno;
    struct rt_sigstate held;
    rt_signals_block(&held);
    struct reader r = {.fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC)};
    uintptr_t below = 0;
    bool found =
        r.fd >= 0 && (ask_mapping(r.fd, address, out) || find_mapping(&r, address, out, &below));
    if (r.fd >= 0)
        close(r.fd);
    if (found && out->main_stack)
        extend_stack(out, below);
    rt_signals_restore(&held);
    errno = kept;
    return found;
}

/* A thread's mapping may have grown together with its neighbours', but nothing of its stack lies
   above its thread pointer. Without /proc, a guess around sp. */
bool rt_own_stack(uintptr_t sp, struct rt_range *out)
{
    if (!rt_mapping_of(sp, out)) {
        uintptr_t lo = sp > (8u << 20) ? sp - (8u << 20) : 0;
        *out = (struct rt_range){.lo = lo, .hi = sp + 65536};
        return false;
    }
    uintptr_t pointer = (uintptr_t)__builtin_thread_pointer();
    if (!out->main_stack && pointer > sp && pointer < out->hi)
        out->hi = pointer;
    return true;
}
