#include "core/symbol/jitdump.h"

#include "core/base/bytes.h"
#include "core/base/text.h"
#include "core/containers/imap.h"

#include <errno.h>
#include <string.h>

enum { MAGIC = 0x4a695444, VERSION = 1, HEADER_BYTES = 40, PREFIX_BYTES = 16 };
enum { RECORD_LOAD = 0, RECORD_MOVE = 1 };
enum { LOAD_BYTES = PREFIX_BYTES + 40, MOVE_BYTES = PREFIX_BYTES + 48 };

struct dump {
    const uint8_t *bytes;
    size_t len;
    bool swapped;      /* the compiler's machine is big-endian */
    struct imap names; /* a function's index -> its name's offset */
    struct jit_code *out;
};

bool jitdump_is_path(const char *path)
{
    const char *name = path_last(path);
    size_t digits = strncmp(name, "jit-", 4) == 0 ? strspn(name + 4, "0123456789") : 0;
    return digits && strcmp(name + 4 + digits, ".dump") == 0;
}

static uint32_t read_u32(const struct dump *d, size_t at)
{
    return get_u32(d->bytes + at, d->swapped);
}

static uint64_t read_u64(const struct dump *d, size_t at)
{
    return get_u64(d->bytes + at, d->swapped);
}

/* pid, tid: 4 bytes each; vma, address, size, index: 8 each; the name, and behind its end the code.
 */
static void add_load(struct dump *d, size_t at, size_t len)
{
    size_t name = at + LOAD_BYTES;
    if (len <= LOAD_BYTES || !memchr(d->bytes + name, '\0', len - LOAD_BYTES))
        return;
    uint64_t *known = imap_at(&d->names, read_u64(d, at + PREFIX_BYTES + 32));
    if (known)
        *known = name;
    else
        d->out->err = -ENOMEM;
    jit_code_add(d->out, read_u64(d, at + PREFIX_BYTES + 16), read_u64(d, at + PREFIX_BYTES + 24),
                 (const char *)d->bytes + name);
}

/* pid, tid: 4 bytes each; vma, old address, new one, size, index: 8 each. */
static void add_move(struct dump *d, size_t at, size_t len)
{
    uint64_t name = len < MOVE_BYTES ? 0 : imap_get(&d->names, read_u64(d, at + PREFIX_BYTES + 40));
    if (name)
        jit_code_add(d->out, read_u64(d, at + PREFIX_BYTES + 24),
                     read_u64(d, at + PREFIX_BYTES + 32), (const char *)d->bytes + name);
}

/* Its length; 0: it is incomplete. */
static size_t read_record(struct dump *d, size_t at)
{
    if (d->len - at < PREFIX_BYTES)
        return 0;
    uint32_t type = read_u32(d, at), len = read_u32(d, at + 4);
    if (len < PREFIX_BYTES || len > d->len - at)
        return 0;
    if (type == RECORD_LOAD)
        add_load(d, at, len);
    else if (type == RECORD_MOVE)
        add_move(d, at, len);
    return len;
}

/* Where the records begin; -EINVAL and f when it is none. */
static int read_header(struct dump *d, size_t *out, struct fail *f)
{
    if (d->len < HEADER_BYTES)
        return fail_set(f, 0, "not a jitdump file");
    d->swapped = get_be32(d->bytes) == MAGIC;
    if (read_u32(d, 0) != MAGIC)
        return fail_set(f, 0, "not a jitdump file");
    if (read_u32(d, 4) != VERSION)
        return fail_set(f, 0, "jitdump version %u, expected %u", read_u32(d, 4), VERSION);
    *out = read_u32(d, 8);
    return *out < HEADER_BYTES || *out > d->len ? fail_set(f, 0, "a damaged jitdump file") : 0;
}

int jitdump_read(const uint8_t *bytes, size_t len, struct jit_code *out, struct fail *f)
{
    struct dump d = {.bytes = bytes, .len = len, .out = out};
    size_t at = 0, step;
    if (read_header(&d, &at, f) < 0)
        return -EINVAL;
    while (!out->err && (step = read_record(&d, at)))
        at += step;
    imap_release(&d.names);
    return out->err ? fail_set(f, -out->err, "jitdump") : 0;
}
