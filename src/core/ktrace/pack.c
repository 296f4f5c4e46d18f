#include "core/ktrace/pack.h"

#include <string.h>

/* Behind the event, if it has more than that; then the texts, or the frames. */
struct packed {
    uint64_t arg[KTRACE_MAX_ARGS - KTRACE_ARGS];
    uint16_t text[KTRACE_MAX_ARGS]; /* its length + 1; 0: none */
    uint16_t frames, what;
};

static bool describe(const struct ktrace_more *m, struct packed *p)
{
    bool any = m->what != KTRACE_EDGE || m->frame_count, is_stack = m->what == KTRACE_STACK;
    *p = (struct packed){.frames = (uint16_t)m->frame_count, .what = (uint16_t)m->what};
    for (int i = 0; i < KTRACE_MAX_ARGS - KTRACE_ARGS && !is_stack; i++) {
        p->arg[i] = m->arg[i];
        any = any || m->arg[i];
    }
    for (int i = 0; i < KTRACE_MAX_ARGS && !is_stack; i++) {
        p->text[i] = m->text[i].at ? (uint16_t)(m->text[i].len + 1) : 0;
        any = any || p->text[i];
    }
    return any;
}

void ktrace_pack(const struct ktrace_event *e, const struct ktrace_more *m, struct buf *out)
{
    struct packed p;
    buf_add(out, e, sizeof *e);
    if (!describe(m, &p))
        return;
    buf_add(out, &p, sizeof p);
    for (int i = 0; i < KTRACE_MAX_ARGS; i++)
        if (p.text[i])
            buf_add(out, m->text[i].at, m->text[i].len);
    buf_add(out, m->frame, m->frame_count * sizeof m->frame[0]);
}

static void unpack_more(const char *at, size_t len, struct ktrace_more *m)
{
    struct packed p = {.frames = 0};
    if (len >= sizeof p)
        memcpy(&p, at, sizeof p);
    at += len >= sizeof p ? sizeof p : 0;
    memcpy(m->arg, p.arg, sizeof m->arg);
    for (int i = 0; i < KTRACE_MAX_ARGS; i++) {
        m->text[i] = (struct ktrace_text){p.text[i] ? at : NULL, p.text[i] ? p.text[i] - 1U : 0};
        at += m->text[i].len;
    }
    m->what = p.what;
    m->frame_count = p.frames;
    memcpy(m->frame, at, p.frames * sizeof m->frame[0]);
}

void ktrace_unpack(const void *bytes, size_t len, struct ktrace_event *e, struct ktrace_more *m)
{
    memcpy(e, bytes, sizeof *e);
    unpack_more((const char *)bytes + sizeof *e, len - sizeof *e, m);
}
