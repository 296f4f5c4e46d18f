#include "reply.h"

#include <errno.h>
#include <stdlib.h>

/* A fid is at most this deep, and has that many places of its own on the way, on average. */
enum { DEPTH_MOST = 512, PLACES_A_FID = 8 };

struct ninep_place *ninep_place_new(struct ninep_server *s, struct ninep_place *up, uint64_t path,
                                    struct fail *f)
{
    unsigned depth = up ? up->depth + 1 : 0;
    bool fits = depth <= DEPTH_MOST && s->places < (size_t)s->limits.fids * PLACES_A_FID;
    struct ninep_place *p = fits ? malloc(sizeof *p) : NULL;
    if (!p) {
        if (up)
            ns_served_forget(&s->tree, path);
        fail_set(f, 0, "too many files");
        return NULL;
    }
    s->places++;
    *p = (struct ninep_place){up ? ninep_place_use(up) : NULL, path, 1, depth};
    return p;
}

struct ninep_place *ninep_place_use(struct ninep_place *p)
{
    p->users++;
    return p;
}

void ninep_place_leave(struct ninep_server *s, struct ninep_place *p)
{
    while (p && --p->users == 0) {
        struct ninep_place *up = p->up;
        if (up)
            ns_served_forget(&s->tree, p->path);
        free(p);
        s->places--;
        p = up;
    }
}

struct ninep_fid *ninep_fid_find(struct ninep_server *s, uint32_t number, struct fail *f)
{
    struct ninep_fid *fid = ninep_map_get(&s->fids, number);
    if (!fid)
        fail_set(f, EBADF, "fid %u", number);
    return fid && ninep_ask_as(s, fid->uid, f) == 0 ? fid : NULL;
}

struct ninep_fid *ninep_fid_new(struct ninep_server *s, uint32_t number, struct ninep_place *place,
                                uint8_t kind, struct fail *f)
{
    bool free_number = number != NINEP_NOFID && !ninep_map_get(&s->fids, number);
    struct ninep_fid *fid =
        free_number && s->fids.count < s->limits.fids ? calloc(1, sizeof *fid) : NULL;
    if (fid && ninep_map_put(&s->fids, number, fid)) {
        fid->number = number;
        fid->place = place;
        fid->kind = kind;
        return fid;
    }
    free(fid);
    ninep_place_leave(s, place);
    fail_set(f, free_number ? ENFILE : EBADF, "fid %u", number);
    return NULL;
}

void ninep_fid_close(struct ninep_server *s, struct ninep_fid *fid)
{
    if (!fid->opened)
        return;
    ns_file_close(&fid->open);
    if (fid->remove_on_close && NINEP_HAS(s, remove) && ninep_ask_as(s, fid->uid, NULL) == 0)
        s->host->remove(s->tree.files.state, fid->place->path, NULL);
    fid->opened = false;
    fid->open.file = NULL;
}

static void end(struct ninep_server *s, struct ninep_fid *fid)
{
    ninep_fid_close(s, fid);
    ninep_value_end(s, fid);
    ninep_place_leave(s, fid->place);
    free(fid);
}

void ninep_fid_end(struct ninep_server *s, struct ninep_fid *fid)
{
    ninep_map_take(&s->fids, fid->number);
    end(s, fid);
}

void ninep_fid_end_all(struct ninep_server *s)
{
    for (struct ninep_fid *fid; (fid = ninep_map_take_any(&s->fids));)
        end(s, fid);
}
