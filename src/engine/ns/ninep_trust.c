#include "ninep_trust.h"

#include "plat/rights.h"
#include "plat/tree.h"

/* A user's groups are known; what another machine says of groups is not believed. */
static int take_rights(void *arg, uint32_t uid)
{
    const struct ninep_trusted *t = arg;
    struct rights r = {.uid = uid, .gid = RIGHTS_NOBODY};
    if (!rights_can_change())
        return 1;
    if (t->peer.trust == NINEP_USER)
        r = (struct rights){uid, t->who.gid, t->who.groups, t->who.count};
    return rights_take(&r);
}

static enum ninep_trust trust_of(const struct net_peer *who)
{
    uint32_t uid, gid;
    tree_self(&uid, &gid);
    switch (who->kind) {
    case NET_PEER_USER:
        return who->uid == uid || who->uid == 0 ? NINEP_TRUSTED : NINEP_USER;
    case NET_PEER_ELSEWHERE:
        return NINEP_FOREIGN;
    default:
        return NINEP_REFUSED;
    }
}

void ninep_trust_judge(struct ninep_trusted *t, int connection)
{
    net_peer_find(connection, &t->who);
    t->peer = (struct ninep_peer){
        .trust = trust_of(&t->who), .uid = t->who.uid, .as = take_rights, .arg = t};
}

void ninep_trust_end_turn(void)
{
    rights_give_back();
}

void ninep_trust_release(struct ninep_trusted *t)
{
    rights_give_back();
    net_peer_release(&t->who);
}
