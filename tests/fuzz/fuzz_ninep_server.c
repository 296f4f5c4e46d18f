/* What a client sends, over a host's tree and a device's, in any dialect: the first byte chooses.
 * The bytes are messages with their sizes, tags and types put right, so that most are understood,
 * or taken as they are. */
#include "fuzz.h"

#include "../unit/ninep_ram.h"
#include "core/base/bytes.h"
#include "core/ninep/server.h"

enum { HOST = 1, AS_THEY_ARE = 2, READ_ONLY = 4, DIALECT = 3 };

static void begin(struct ninep_server *s, enum ninep_dialect dialect, struct buf *out)
{
    struct buf in = BUF_INIT;
    struct ninep_msg version = {.type = NINEP_TVERSION,
                                .session.msize = 4096,
                                .session.version = ninep_text(ninep_dialect_name(dialect))};
    struct ninep_msg attach = {.type = NINEP_TATTACH, .fid = NINEP_NOFID};
    ninep_write(&version, NINEP_PLAIN, &in);
    ninep_write(&attach, dialect, &in);
    if (ninep_server_serve(s, in.data, in.len, out, NULL) != (long)in.len)
        abort();
    buf_release(&in);
}

/* Length, type and fields; the size is the length's and the head's. */
static size_t frame(const uint8_t *data, size_t len, struct buf *in)
{
    size_t n = data[0] < len - 1 ? data[0] : len - 1;
    uint8_t head[NINEP_HEAD] = {0, 0, 0, 0, n ? data[1] & 127 : 0, 0, 0};
    size_t fields = n ? n - 1 : 0;
    put_le32(head, (uint32_t)(NINEP_HEAD + fields));
    head[5] = (uint8_t)(in->len & 15);
    buf_add(in, head, sizeof head);
    if (fields)
        buf_add(in, data + 2, fields);
    return 1 + n;
}

/* All that is answered can be read, and is no longer than what was agreed on. */
static void check(const struct ninep_server *s, struct buf *out)
{
    for (size_t at = 0; at < out->len;) {
        struct ninep_msg m;
        long n = ninep_message_size(out->data + at, out->len - at, NINEP_MSIZE);
        if (n <= 0 || at + (size_t)n > out->len)
            abort();
        bool read = false;
        for (int d = NINEP_PLAIN; d <= NINEP_L; d++)
            read |= ninep_read(out->data + at, (size_t)n, (enum ninep_dialect)d, &m) == 0;
        if (!read || !(m.type & 1))
            abort();
        at += (size_t)n;
    }
    if (ninep_server_fids(s) > 8 || ninep_server_waiting(s) > 4)
        abort();
    buf_clear(out);
}

static void talk(struct ninep_server *s, const struct buf *in, struct buf *out)
{
    size_t used = 0;
    long n;
    int handle[4];
    do {
        n = ninep_server_serve(s, in->data + used, in->len - used, out, NULL);
        used += n > 0 ? (size_t)n : 0;
        ninep_server_handles(s, handle, 4);
        ninep_server_retry(s, out, NULL);
        check(s, out);
    } while (n > 0 && used < in->len);
}

static void fill(struct ram *ram)
{
    ram_init(ram);
    uint64_t d = (uint64_t)ram_dir(ram, 0, "d");
    ram_put(ram, d, "f", "contents");
    ram_put(ram, 0, "wait", "x");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    static struct ram ram;
    struct buf in = BUF_INIT, out = BUF_INIT;
    if (len < 2)
        return 0;
    uint8_t mode = data[0];
    fill(&ram);
    struct ninep_tree tree = ram_tree(&ram, mode & HOST);
    tree.files.writable = !(mode & READ_ONLY);
    struct ninep_server *s =
        ninep_server_new(&tree, &(struct ninep_limits){.fids = 8, .waiting = 4});
    if (!s)
        abort();
    if (mode & AS_THEY_ARE) {
        buf_add(&in, data + 1, len - 1);
    } else {
        begin(s, (enum ninep_dialect)(((mode >> 4) & DIALECT) % 3), &out);
        for (size_t at = 1; at < len;)
            at += frame(data + at, len - at, &in);
    }
    buf_clear(&out);
    talk(s, &in, &out);
    ram.ready = true;
    ninep_server_retry(s, &out, NULL);
    check(s, &out);
    ninep_server_free(s);
    if (ram_held(&ram))
        abort();
    ram_release(&ram);
    buf_release(&in);
    buf_release(&out);
    return 0;
}
