/* What a server sends to our client, while files are walked to, listed, read and written. Replies
 * are given as length, type, tag and fields; a byte between them chooses a call. */
#include "fuzz.h"

#include "core/base/bytes.h"
#include "core/ninep/files.h"

struct world {
    struct ninep_client *client;
    struct ns_server ns;
    uint64_t path;
    void *file[4];
};

/* Those that a kernel's file server has in the place of walk and entry. */
static void call_tree(struct world *w, uint8_t what)
{
    static const char *const name[] = {"dev", "a", "sysstat", "b"};
    const struct ns_calls *c = w->ns.calls;
    void *file = w->file[(what >> 3) & 3];
    struct ns_stat st;
    struct fail f;
    uint64_t path = w->path;
    switch (what & 7) {
    case 0:
        c->look(w->ns.state, w->path, name[(what >> 3) & 3], &w->path, &st, &f);
        break;
    case 2:
        if (!file || c->read_entry(w->ns.state, file, w->path, what >> 5, &st, &f) <= 0)
            break;
        if (!st.name[0] || strchr(st.name, '/'))
            abort();
        if (c->hold(w->ns.state, w->path, &st, &w->path, &f) < 0)
            w->path = path;
        break;
    default:
        w->path = 0;
        c->forget(w->ns.state, path, 1);
        break;
    }
}

/* Any of the calls, with what an answer was taken from them. */
static void call(struct world *w, uint8_t what)
{
    bool of_tree = w->ns.calls->look && ((what & 7) == 0 || (what & 7) == 2 || (what & 7) == 7);
    if (of_tree) {
        call_tree(w, what);
        return;
    }
    static const char *const name[] = {"dev", "a", "sysstat", "b"};
    const struct ns_calls *c = w->ns.calls;
    void **file = &w->file[(what >> 3) & 3];
    struct ns_stat st;
    struct fail f;
    char bytes[600] = {0};
    switch (what & 7) {
    case 0:
        c->walk(w->ns.state, w->path, name[(what >> 3) & 3], &w->path, &f);
        break;
    case 1:
        c->stat(w->ns.state, w->path, &st, &f);
        break;
    case 2:
        if (c->entry(w->ns.state, w->path, (what >> 3) & 3, &st, &f) > 0 &&
            (!st.name[0] || strchr(st.name, '/')))
            abort();
        break;
    case 3:
        if (!*file && c->open(w->ns.state, w->path, NS_BOTH, file, &f) < 0)
            *file = NULL;
        break;
    case 4:
        if (*file &&
            c->read(w->ns.state, &(struct ns_io){*file, w->path, what >> 5, 100}, bytes, &f) > 100)
            abort();
        break;
    case 5:
        if (*file && c->write(w->ns.state, &(struct ns_io){*file, w->path, 0, 3}, bytes, &f) > 3)
            abort();
        break;
    case 6:
        if (*file)
            c->close(w->ns.state, *file, w->path);
        *file = NULL;
        break;
    default:
        w->path = 0;
        break;
    }
}

static long reply(struct world *w, uint8_t type, uint8_t tag, const uint8_t *fields, size_t len)
{
    uint8_t head[NINEP_HEAD] = {0, 0, 0, 0, type, tag == 255 ? 255 : tag, tag == 255 ? 255 : 0};
    struct buf b = BUF_INIT;
    put_le32(head, (uint32_t)(NINEP_HEAD + len));
    buf_add(&b, head, sizeof head);
    if (len)
        buf_add(&b, fields, len);
    long r = ninep_client_receive(w->client, b.data, b.len, NULL);
    buf_release(&b);
    buf_clear(ninep_client_out(w->client));
    return r;
}

static void attach(struct world *w, bool is_linux)
{
    static const uint8_t version[] = {0, 2, 0, 0, 6, 0, '9', 'P', '2', '0', '0', '0'};
    static const uint8_t none[] = {0, 2, 0, 0, 1, 0, '?'};
    static const uint8_t of_linux[] = {0, 2, 0, 0, 8, 0, '9', 'P', '2', '0', '0', '0', '.', 'L'};
    static const uint8_t qid[13] = {0x80};
    if (is_linux)
        reply(w, NINEP_RVERSION, 255, none, sizeof none);
    if (is_linux)
        reply(w, NINEP_RVERSION, 255, of_linux, sizeof of_linux);
    else
        reply(w, NINEP_RVERSION, 255, version, sizeof version);
    reply(w, NINEP_RATTACH, 255, qid, sizeof qid);
    if (ninep_client_ready(w->client, NULL) != 1)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    if (len < 1)
        return 0;
    struct world w = {.client = ninep_client_new(512, "u", "")};
    struct ninep_files *files = w.client ? ninep_files_new(w.client, 1) : NULL;
    if (!files)
        abort();
    w.ns = data[0] & 0x80 ? ninep_files_tree(files) : ninep_files_server(files);
    if (data[0] & 1) {
        ninep_client_receive(w.client, data + 1, len - 1, NULL);
    } else {
        attach(&w, data[0] & 4);
        for (size_t at = 1; at + 4 <= len;) {
            size_t n = data[at + 3] < len - at - 4 ? data[at + 3] : len - at - 4;
            call(&w, data[at]);
            reply(&w, data[at + 1], data[at + 2], data + at + 4, n);
            at += 4 + n;
        }
    }
    if (data[0] & 2)
        ninep_client_hangup(w.client, &(struct fail){.err = 5});
    for (int i = 0; i < 32; i++)
        call(&w, (uint8_t)(data[0] >> 3 | i << 3));
    ninep_files_free(files);
    ninep_client_free(w.client);
    return 0;
}
