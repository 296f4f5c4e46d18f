#include "ninep_trust.h"

#include "plat/rights.h"
#include "plat/tree.h"

/* A user's groups are known; what another machine says of groups is not believed. */
static int switch_rights(void *arg, uint32_t uid)
{
    const struct ninep_trusted *t = arg;
    struct rights r = {.uid = uid, .gid = RIGHTS_NOBODY};
    if (!rights_can_change())
        return 1;
    if (t->peer.trust == NINEP_USER)
        r = (struct rights){uid, t->net_peer.gid, t->net_peer.groups, t->net_peer.count};
    return rights_assume(&r);
}

static enum ninep_trust trust_of(const struct net_peer *peer)
{
    uint32_t uid, gid;
    tree_own_ids(&uid, &gid);
    switch (peer->kind) {
    case NET_PEER_USER:
        return peer->uid == uid || peer->uid == 0 ? NINEP_TRUSTED : NINEP_USER;
    case NET_PEER_REMOTE:
        return NINEP_FOREIGN;
    default:
        return NINEP_REFUSED;
    }
}

void ninep_trust_check(struct ninep_trusted *t, int connection)
{
    net_peer_find(connection, &t->net_peer);
    t->peer = (struct ninep_peer){.trust = trust_of(&t->net_peer),
                                  .uid = t->net_peer.uid,
                                  .set_user = switch_rights,
                                  .arg = t};
}

void ninep_trust_release(struct ninep_trusted *t)
{
    rights_restore();
    net_peer_release(&t->net_peer);
}
