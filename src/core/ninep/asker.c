/* Whose requests are answered, and what that allows (enum ninep_trust). */
#include "reply.h"

#include <errno.h>

enum { SET_IDS = 06000 };

static bool is_trusted(const struct ninep_server *s)
{
    return s->peer.trust == NINEP_TRUSTED;
}

int ninep_attach_uid(const struct ninep_server *s, uint32_t uid, uint32_t *effective)
{
    *effective = uid;
    switch (s->peer.trust) {
    case NINEP_TRUSTED:
        return 0;
    case NINEP_USER:
        *effective = s->peer.uid;
        return uid == UINT32_MAX || uid == s->peer.uid ? 0 : -EPERM;
    case NINEP_FOREIGN:
        *effective = uid == 0 || uid == UINT32_MAX ? NINEP_NOBODY : uid;
        return 0;
    default:
        return -EACCES;
    }
}

uint64_t ninep_server_refused(const struct ninep_server *s)
{
    return s->refused;
}

int ninep_set_user(struct ninep_server *s, uint32_t uid, struct fail *f)
{
    int r = is_trusted(s) ? 0 : s->peer.set_user ? s->peer.set_user(s->peer.arg, uid) : 1;
    if (r < 0 || (r > 0 && s->host))
        return fail_set(f, EACCES, "user %u", uid);
    s->other_user = r > 0;
    if (s->host)
        s->host->set_user(s->tree.files.state, is_trusted(s) ? uid : UINT32_MAX);
    return 0;
}

/* By its mode's last three bits: devices belong to this server's own user, which is trusted. */
int ninep_may_open(struct ninep_server *s, uint64_t path, unsigned how, struct fail *f)
{
    struct ns_stat st = {.path = path};
    unsigned access = how & NS_ACCESS;
    uint32_t needed = (access != NS_WRITE ? 04u : 0) | (access != NS_READ ? 02u : 0) |
                      (how & NS_TRUNCATE ? 02u : 0);
    if (is_trusted(s) || s->host)
        return 0;
    int r = s->tree.files.calls->stat(s->tree.files.state, path, &st, f);
    if (r < 0)
        return r;
    bool may = (st.mode & needed) == needed && !(s->other_user && st.guarded) && !st.owner_only;
    return may ? 0 : -EACCES;
}

void ninep_device_attr(const struct ninep_server *s, const struct ns_stat *st, struct ns_attr *out)
{
    ns_served_attr(&s->tree, st, out);
    if (st->guarded)
        out->mode &= ~077u;
}

uint32_t ninep_allowed_mode(const struct ninep_server *s, uint32_t mode)
{
    return s->peer.trust == NINEP_FOREIGN ? mode & ~(uint32_t)SET_IDS : mode;
}

uint32_t ninep_allowed_gid(const struct ninep_server *s, uint32_t gid)
{
    return is_trusted(s) ? gid : UINT32_MAX;
}

int ninep_may_make(const struct ninep_server *s, uint32_t mode)
{
    uint32_t kind = mode & NS_S_KIND;
    bool device = kind == NS_S_BLOCK || kind == NS_S_CHAR;
    return device && !is_trusted(s) ? -EPERM : 0;
}
