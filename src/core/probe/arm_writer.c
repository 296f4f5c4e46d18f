#include "arm_writer.h"

#include "core/base/bytes.h"

#include <errno.h>

enum { A32_NEAR = 1 << 25, T32_NEAR = 1 << 24, SKIPPED = 64 };

static uint32_t here(const struct arm_writer *w)
{
    return (uint32_t)(w->m->to + w->len);
}

static void put_half(struct arm_writer *w, uint32_t half)
{
    if (w->len + 2 > PROBE_MAX_MOVED) {
        w->err = -ENOEXEC;
        return;
    }
    put_le16(w->out + w->len, (uint16_t)half);
    w->len += 2;
}

void arm_put_code(struct arm_writer *w, uint32_t op, unsigned len)
{
    bool halves = w->m->thumb && len == 4;
    put_half(w, halves ? op >> 16 : op);
    if (len == 4)
        put_half(w, halves ? op : op >> 16);
}

void arm_put_long(struct arm_writer *w, uint32_t op)
{
    arm_put_code(w, op, 4);
}

/* MOVW and MOVT. */
void arm_put_number(struct arm_writer *w, unsigned reg, uint32_t value)
{
    for (unsigned high = 0; high < 2; high++, value >>= 16) {
        uint32_t half = value & 0xffff;
        if (w->m->thumb)
            arm_put_long(w, 0xf2400000 | high << 23 | (half >> 12) << 16 | (half >> 11 & 1) << 26 |
                                (half >> 8 & 7) << 12 | reg << 8 | (half & 0xff));
        else
            arm_put_long(w,
                         0xe3000000 | high << 22 | (half >> 12) << 16 | reg << 12 | (half & 0xfff));
    }
}

static uint32_t thumb_far(int32_t by)
{
    uint32_t far = (uint32_t)by, s = far >> 31, j1 = (~(far >> 23) ^ s) & 1,
             j2 = (~(far >> 22) ^ s) & 1;
    return s << 26 | (far >> 12 & 0x3ff) << 16 | j1 << 13 | j2 << 11 | (far >> 1 & 0x7ff);
}

/* LDR PC from the word behind it, which is aligned. */
void arm_put_far_jump(struct arm_writer *w, uint32_t target)
{
    if (w->m->thumb && here(w) % 4)
        put_half(w, 0xbf00);
    arm_put_long(w, w->m->thumb ? 0xf8dff000 : 0xe51ff004);
    put_half(w, target);
    put_half(w, target >> 16);
}

/* In the same instruction set. */
void arm_put_jump(struct arm_writer *w, uint32_t target)
{
    int32_t by = (int32_t)(target - here(w) - (w->m->thumb ? 4 : 8)),
            near = w->m->thumb ? T32_NEAR : A32_NEAR;
    if (by < -near || by >= near)
        arm_put_far_jump(w, target | w->m->thumb);
    else if (w->m->thumb)
        arm_put_long(w, 0xf0009000 | thumb_far(by));
    else
        arm_put_long(w, 0xea000000 | ((uint32_t)by >> 2 & 0xffffff));
}

/* --- skipping --- */

/* A short branch, whose distance put_skip_end sets. */
size_t arm_put_skip(struct arm_writer *w, unsigned condition)
{
    size_t at = w->len;
    arm_put_code(w, w->m->thumb ? 0xd000 | condition << 8 : condition << 28 | 0x0a000000,
                 w->m->thumb ? 2 : 4);
    return at;
}

void arm_put_skip_end(struct arm_writer *w, size_t at)
{
    int32_t by = (int32_t)(w->len - at) - (w->m->thumb ? 4 : 8);
    if (by > SKIPPED || w->err)
        w->err = -ENOEXEC;
    else if (w->m->thumb)
        w->out[at] = (uint8_t)(by / 2);
    else
        put_le32(w->out + at, get_le32(w->out + at) | ((uint32_t)by >> 2 & 0xffffff));
}

void arm_put_push(struct arm_writer *w, unsigned mask)
{
    arm_put_code(w, w->m->thumb ? 0xb400 | mask : 0xe92d0000 | mask, w->m->thumb ? 2 : 4);
}

void arm_put_pop(struct arm_writer *w, unsigned mask)
{
    arm_put_code(w, w->m->thumb ? 0xbc00 | mask : 0xe8bd0000 | mask, w->m->thumb ? 2 : 4);
}
