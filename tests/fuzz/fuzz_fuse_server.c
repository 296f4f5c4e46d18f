/* What the kernel asks, over a small tree: requests with their sizes put right, in a row. All that
 * is answered has its length, and nothing is held at the end. */
#include "fuzz.h"

#include "../unit/ninep_ram.h"
#include "core/fuse/server.h"
#include "core/fuse/wire.h"

/* A length, the operation, its node; then the body. */
static size_t frame(const uint8_t *data, size_t len, uint8_t *request, size_t *request_len)
{
    size_t n = data[0] < len - 1 ? data[0] : len - 1, body = n > 2 ? n - 2 : 0;
    uint32_t op = n ? data[1] & 63 : 0, whole = (uint32_t)(FUSE_HEAD_IN + body);
    uint64_t node = n > 1 ? data[2] & 7 : 1;
    memset(request, 0, FUSE_HEAD_IN);
    memcpy(request, &whole, sizeof whole);
    memcpy(request + 4, &op, sizeof op);
    request[8] = (uint8_t)(op & 3); /* unique */
    memcpy(request + 16, &node, sizeof node);
    if (body)
        memcpy(request + FUSE_HEAD_IN, data + 3, body);
    *request_len = whole;
    return 1 + n;
}

static void check(const struct fuse_server *s, struct buf *out)
{
    size_t at = 0, n;
    while ((n = fuse_reply_length(out, at)) != 0) {
        if (n < FUSE_HEAD_OUT || n > out->len - at)
            abort();
        at += n;
    }
    if (at != out->len || fuse_server_waiting(s) > FUSE_SERVER_WAITING)
        abort();
    buf_clear(out);
}

static void talk(struct fuse_server *s, const uint8_t *data, size_t len)
{
    uint8_t request[FUSE_HEAD_IN + 256];
    struct buf out = BUF_INIT;
    int handle[4];
    for (size_t at = 0, n; at < len;) {
        at += frame(data + at, len - at, request, &n);
        if (fuse_server_serve(s, request, n, &out, NULL) < 0)
            abort();
        fuse_server_handles(s, handle, 4);
        check(s, &out);
    }
    fuse_server_retry(s, &out, NULL);
    check(s, &out);
    buf_release(&out);
}

/* Every second time there is no answer yet. */
static int late_stat(void *state, uint64_t path, struct ns_stat *out, struct fail *f)
{
    static unsigned asked;
    return ++asked % 2 ? fail_set(f, EAGAIN, "stat") : ram_stat(state, path, out, f);
}

/* As another machine's are. */
static void read_directories_as_files(struct ns_served *tree, struct ns_calls *calls)
{
    calls->walk = ram_walk;
    calls->look = ram_look;
    calls->read_entry = ram_read_entry;
    calls->hold = ram_hold;
    calls->forget = ram_forget;
    tree->opens_directories = true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    static struct ram ram;
    if (len < 2)
        return 0;
    ram_init(&ram);
    ram.by_kernel = true;
    uint64_t d = (uint64_t)ram_dir(&ram, 0, "d");
    ram_put(&ram, d, "f", "contents");
    ram_put(&ram, 0, "wait", "x");
    struct ninep_tree tree = ram_tree(&ram, data[0] & 1);
    struct ns_calls late = *tree.files.files.calls;
    late.stat = late_stat;
    if (data[0] & 8)
        read_directories_as_files(&tree.files, &late);
    if (data[0] & (4 | 8))
        tree.files.files.calls = &late;
    struct fuse_server *s = fuse_server_new(&tree.files);
    if (!s)
        abort();
    talk(s, data + 1, len - 1);
    ram.ready = data[0] & 2;
    struct buf out = BUF_INIT;
    fuse_server_retry(s, &out, NULL);
    check(s, &out);
    buf_release(&out);
    fuse_server_free(s);
    for (size_t i = 0; i < RAM_FILES; i++) /* what the kernel knows it does not give back */
        if (ram.file[i].open)
            abort();
    ram_release(&ram);
    return 0;
}
