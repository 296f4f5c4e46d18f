#include "core/prof/v1.h"

#include "build.h"
#include "core/base/bytes.h"
#include "core/base/time_ns.h"

#include <errno.h>
#include <stdlib.h>

enum { NO_LINK = 0xffff };

struct reading {
    const uint8_t *bytes;
    int32_t root_ms;
};

static uint32_t link_at(const uint8_t *b)
{
    uint16_t link = get_be16(b);
    return link == NO_LINK ? PROF_NONE : link;
}

static void read_record(void *arg, uint32_t index, struct prof_record *out)
{
    const struct reading *r = arg;
    const uint8_t *b = r->bytes + (size_t)index * PROF_V1_RECORD;
    int64_t ms = (int32_t)get_be32(b + 12);
    uint32_t count = get_be32(b + 8);
    *out = (struct prof_record){.pc = get_be32(b + 4),
                                .count = count,
                                .timed = count,
                                .open = ms < 0,
                                .time_ns = (ms < 0 ? ms + r->root_ms : ms) * NS_PER_MS,
                                .down = link_at(b),
                                .right = link_at(b + 2),
                                .module = 0};
}

/* The root's callee is followed without a look, as Plan 9 does: none at all is an index, too. */
static int read_all(struct prof_tree *t, struct prof_source *s, const uint8_t *bytes)
{
    struct reading *r = s->arg;
    if (!prof_add_module(t, "") || !prof_add_thread(t))
        return -ENOMEM;
    r->root_ms = t->about.root_ms = (int32_t)get_be32(bytes + 12);
    s->taken[0] = 1;
    int e = prof_graft(t, s, get_be16(bytes), 0);
    return e ? e : prof_tree_settle(t, false);
}

int prof_v1_read(const uint8_t *bytes, size_t len, struct prof_tree *t, struct fail *f)
{
    struct reading r = {.bytes = bytes};
    struct prof_source s = {.limit = len / PROF_V1_RECORD, .record = read_record, .arg = &r};
    prof_tree_init(t);
    t->about.version = 1;
    if (s.limit == 0)
        return 0;
    s.taken = calloc(s.limit / 8 + 1, 1);
    int e = s.taken ? read_all(t, &s, bytes) : -ENOMEM;
    free(s.taken);
    return e < 0 ? fail_set(f, ENOMEM, "profile") : 0;
}
