#include "core/procfs/socket_owner.h"

#include "core/base/hex.h"
#include "core/base/scan.h"

/* Exactly so many digits. */
static bool read_word(const char **s, int digits, uint32_t *out)
{
    *out = 0;
    for (int i = 0; i < digits; i++, ++*s) {
        unsigned v = hex_digit(**s);
        if (v > 15)
            return false;
        *out = *out << 4 | v;
    }
    return true;
}

/* ADDRESS:PORT, of one word or four. */
static bool read_end(const char **s, struct socket_end *out)
{
    uint32_t word[4] = {0, 0, 0, 0}, port;
    int words = 0;
    *s += strspn(*s, " ");
    while (words < 4 && **s != ':' && read_word(s, 8, &word[words]))
        words++;
    if ((words != 1 && words != 4) || *(*s)++ != ':' || !read_word(s, 4, &port))
        return false;
    memset(out->address, 0, 10);
    memset(out->address + 10, 0xff, 2);
    memcpy(out->address + (words == 1 ? 12 : 0), word, (size_t)words * 4);
    out->port = (uint16_t)port;
    return true;
}

static bool is_same(const struct socket_end *a, const struct socket_end *b)
{
    return a->port == b->port && memcmp(a->address, b->address, sizeof a->address) == 0;
}

/* The columns between state and owner: queues, timers, retransmissions. */
static bool read_owner(const char *s, struct socket_owner *out)
{
    enum { BETWEEN = 3 };
    uint32_t state;
    uint64_t uid, timeout, inode;
    s += strspn(s, " ");
    if (!read_word(&s, 2, &state))
        return false;
    for (int i = 0; i < BETWEEN; i++) {
        size_t len = scan_word(&s);
        s += len;
    }
    if (!scan_u64(&s, &uid) || !scan_u64(&s, &timeout) || !scan_u64(&s, &inode) || uid > UINT32_MAX)
        return false;
    *out = (struct socket_owner){state, (uint32_t)uid, inode};
    return true;
}

static bool read_line(const char *s, const struct socket_end *local,
                      const struct socket_end *remote, struct socket_owner *out)
{
    struct socket_end here, there;
    s += strcspn(s, ":\n");
    if (*s++ != ':' || !read_end(&s, &here) || !read_end(&s, &there))
        return false;
    return is_same(&here, local) && is_same(&there, remote) && read_owner(s, out);
}

bool socket_owner_find(const char *table, const struct socket_end *local,
                       const struct socket_end *remote, struct socket_owner *out)
{
    for (const char *s = table; s; s = scan_next(s))
        if (read_line(s, local, remote, out))
            return true;
    return false;
}

bool socket_owner_is_known(const struct socket_owner *o)
{
    enum { ESTABLISHED = 1, FIN_WAIT1 = 4, FIN_WAIT2 = 5, CLOSE_WAIT = 8 };
    bool connected = o->state == ESTABLISHED || o->state == FIN_WAIT1 || o->state == FIN_WAIT2 ||
                     o->state == CLOSE_WAIT;
    return connected && o->inode != 0;
}
