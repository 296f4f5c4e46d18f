#include "reply.h"

#include <errno.h>
#include <stdlib.h>

/* The depth limit of a fid, and the average number of path elements it owns. */
enum { MAX_DEPTH = 512, NODES_PER_FID = 8 };

struct ninep_node *ninep_node_new(struct ninep_server *s, struct ninep_node *parent, uint64_t path,
                                  struct fail *f)
{
    unsigned depth = parent ? parent->depth + 1 : 0;
    bool fits = depth <= MAX_DEPTH && s->nodes < (size_t)s->limits.fids * NODES_PER_FID;
    struct ninep_node *p = fits ? malloc(sizeof *p) : NULL;
    if (!p) {
        if (parent)
            ns_served_forget(&s->tree, path, 1);
        fail_set(f, 0, "too many files");
        return NULL;
    }
    s->nodes++;
    *p = (struct ninep_node){parent ? ninep_node_ref(parent) : NULL, path, 1, depth};
    return p;
}

struct ninep_node *ninep_node_ref(struct ninep_node *p)
{
    p->refs++;
    return p;
}

void ninep_node_unref(struct ninep_server *s, struct ninep_node *p)
{
    while (p && --p->refs == 0) {
        struct ninep_node *parent = p->parent;
        if (parent)
            ns_served_forget(&s->tree, p->path, 1);
        free(p);
        s->nodes--;
        p = parent;
    }
}

struct ninep_fid *ninep_fid_find(struct ninep_server *s, uint32_t number, struct fail *f)
{
    struct ninep_fid *fid = ninep_fid_at(s, number);
    if (!fid)
        fail_set(f, EBADF, "fid %u", number);
    return fid && ninep_set_user(s, fid->uid, f) == 0 ? fid : NULL;
}

struct ninep_fid *ninep_fid_new(struct ninep_server *s, struct ninep_rpc *turn,
                                struct ninep_node *node, uint8_t kind)
{
    uint32_t number = turn->request->newfid;
    bool free_number = number != NINEP_NOFID && !ninep_fid_at(s, number);
    struct ninep_fid *fid =
        free_number && s->fid_count < s->limits.fids ? calloc(1, sizeof *fid) : NULL;
    if (fid && imap_set_pointer(&s->fids, number, fid)) {
        s->fid_count++;
        fid->number = number;
        fid->node = node;
        fid->kind = kind;
        fid->uid = turn->fid ? turn->fid->uid : 0;
        return fid;
    }
    free(fid);
    ninep_node_unref(s, node);
    fail_set(&turn->fail, free_number ? ENFILE : EBADF, "fid %u", number);
    return NULL;
}

void ninep_fid_close(struct ninep_server *s, struct ninep_fid *fid)
{
    if (!fid->opened)
        return;
    ns_file_close(&fid->open);
    if (fid->remove_on_close && s->host && ninep_set_user(s, fid->uid, NULL) == 0)
        s->host->remove(s->tree.files.state, fid->node->path);
    fid->opened = false;
    fid->open.file = NULL;
}

static void free_fid(struct ninep_server *s, struct ninep_fid *fid)
{
    ninep_fid_close(s, fid);
    ninep_xattr_free(s, fid);
    ninep_node_unref(s, fid->node);
    s->fid_count--;
    free(fid);
}

void ninep_fid_free(struct ninep_server *s, struct ninep_fid *fid)
{
    imap_take(&s->fids, fid->number);
    free_fid(s, fid);
}

void ninep_fid_free_all(struct ninep_server *s)
{
    struct ninep_fid *fid;
    for (size_t i = 0; (fid = imap_next_pointer(&s->fids, &i));)
        free_fid(s, fid);
    imap_release(&s->fids);
}
