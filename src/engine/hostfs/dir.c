/* Reading a directory: entries as the kernel gives them, as many as it gives at once. */
#include "hostfs.h"

#include <errno.h>
#include <stdlib.h>

enum { RAW_BYTES = 32 * 1024 };

struct hostfs_listing {
    uint64_t at;   /* where the descriptor is */
    uint64_t here; /* the cookie of the entry at used */
    size_t len, used;
    bool ended; /* behind what was read */
    _Alignas(8) uint8_t raw[RAW_BYTES];
};

static struct hostfs_listing *listing_of(struct hostfs_file *o)
{
    struct hostfs_listing *l = o->listing;
    if (!l && (l = o->listing = malloc(sizeof *l))) {
        l->at = l->here = l->len = l->used = 0;
        l->ended = false;
    }
    return l;
}

/* 1, or 0 at the end: a protocol asks twice for one end, behind other entries and by itself. */
static int fill_listing(struct hostfs_listing *l, int fd, uint64_t cookie)
{
    bool end_seen = l->ended && cookie && cookie == l->here;
    int64_t n = end_seen ? 0 : tree_entries(fd, cookie, &l->at, l->raw, sizeof l->raw);
    l->len = n > 0 ? (size_t)n : 0;
    l->used = 0;
    l->here = cookie;
    l->ended = n == 0 && !end_seen;
    return n < 0 ? (int)n : n > 0;
}

/* Moves to the entry at the cookie, if it was read: the one that was answered last, or the next. */
static void advance_listing(struct hostfs_listing *l, uint64_t cookie)
{
    struct ns_entry e;
    size_t each = tree_entry(l->raw + l->used, l->len - l->used, &e);
    if (!each || cookie == l->here)
        return;
    l->used = e.next == cookie ? l->used + each : l->len;
    l->here = cookie;
}

int hostfs_next(const struct hostfs *h, struct hostfs_file *o, uint64_t cookie,
                struct ns_entry *out)
{
    struct hostfs_listing *l = listing_of(o);
    if (!l)
        return -ENOMEM;
    advance_listing(l, cookie);
    int r = cookie && l->used < l->len ? 1 : fill_listing(l, o->fd, cookie);
    if (r <= 0)
        return r;
    tree_entry(l->raw + l->used, l->len - l->used, out);
    out->ino = hostfs_ino(h, o->dev, out->ino);
    return 1;
}
