#include "relocate.h"

#include "core/base/bytes.h"
#include "core/insn/x86.h"

#include <errno.h>
#include <string.h>

enum { JMP = 0xe9, PUSH = 0x68, JMP_LEN = 5, TWO_BYTES = 0x0f, JCC = 0x80, SHORT_JMP = 0xeb };

struct writer {
    const struct probe_moved *m;
    uint8_t *out;
    size_t len;
    int err;
};

static void put(struct writer *w, const void *bytes, size_t len)
{
    if (w->len + len > PROBE_MAX_MOVED)
        w->err = -ENOEXEC;
    else
        memcpy(w->out + w->len, bytes, len);
    w->len += w->err ? 0 : len;
}

static void put_byte(struct writer *w, uint8_t byte)
{
    put(w, &byte, 1);
}

/* The distance from so many bytes behind what is written to the target. */
static void put_distance(struct writer *w, uint64_t target, size_t behind)
{
    uint8_t bytes[4];
    int64_t distance = (int64_t)(target - (w->m->to + w->len + behind));
    if (distance != (int32_t)distance)
        w->err = w->err ? w->err : -ERANGE;
    put_le32(bytes, (uint32_t)distance);
    put(w, bytes, 4);
}

static void put_jump(struct writer *w, uint64_t target)
{
    put_byte(w, JMP);
    put_distance(w, target, 4);
}

/* Pushes the address that a displaced call would have pushed: flags and registers stay. */
static void push_return(struct writer *w, uint64_t addr)
{
    uint8_t low[5] = {PUSH}, high[8] = {0xc7, 0x44, 0x24, 0x04}; /* movl to 4(%rsp) */
    put_le32(low + 1, (uint32_t)addr);
    put_le32(high + 4, (uint32_t)(addr >> 32));
    put(w, low, sizeof low);
    put(w, high, sizeof high);
}

/* LOOP and JRCXZ have short distances alone: they go over a jump that is not taken. */
static void move_branch(struct writer *w, const struct x86_insn *i, const uint8_t *bytes,
                        uint64_t target)
{
    if (i->map == X86_MAP_ONE && i->opcode >= 0xe0) {
        put(w, bytes, i->relative_at);
        put(w, (const uint8_t[]){2, SHORT_JMP, JMP_LEN}, 3);
        put_jump(w, target);
        return;
    }
    put_byte(w, TWO_BYTES);
    put_byte(w, (uint8_t)(JCC | (i->opcode & 0xf)));
    put_distance(w, target, 4);
}

/* The same bytes; a distance in them is another one. */
static void move_operand(struct writer *w, const struct x86_insn *i, const uint8_t *bytes,
                         uint64_t target)
{
    size_t behind = i->len - (size_t)i->relative_at;
    put(w, bytes, i->relative_at);
    put_distance(w, target, behind);
    put(w, bytes + i->relative_at + 4, behind - 4);
}

/* An indirect call becomes a jump, whose ModRM differs by its register field. */
static void move_indirect_call(struct writer *w, const struct x86_insn *i, const uint8_t *bytes,
                               uint64_t addr)
{
    uint8_t jump[X86_INSN_MAX];
    size_t modrm = i->prefixes + (i->rex ? 1u : 0u) + 1u;
    if (i->memory && i->base == X86_RSP) {
        w->err = -ENOEXEC;
        return;
    }
    memcpy(jump, bytes, i->len);
    jump[modrm] = (uint8_t)((jump[modrm] & ~0x38) | 4 << 3);
    push_return(w, addr + i->len);
    if (i->relative_size)
        move_operand(w, i, jump, x86_insn_target(i, addr));
    else
        put(w, jump, i->len);
}

static void move_one(struct writer *w, const struct x86_insn *i, const uint8_t *bytes,
                     uint64_t addr)
{
    uint64_t target = x86_insn_target(i, addr);
    switch (i->kind) {
    case INSN_JUMP:
        put_jump(w, target);
        break;
    case INSN_BRANCH:
        move_branch(w, i, bytes, target);
        break;
    case INSN_CALL:
        push_return(w, addr + i->len);
        put_jump(w, target);
        break;
    case INSN_CALL_INDIRECT:
        move_indirect_call(w, i, bytes, addr);
        break;
    default:
        if (i->relative_size)
            move_operand(w, i, bytes, target);
        else
            put(w, bytes, i->len);
    }
}

static bool jumps_inside(const struct probe_moved *m, const struct x86_insn *i, uint64_t target)
{
    return i->relative_size && !i->memory && target > m->from && target - m->from < m->len;
}

/* A call leaves, too: it returns to the original code, which must not be displaced. */
static bool is_call(enum insn_kind k)
{
    return k == INSN_CALL || k == INSN_CALL_INDIRECT;
}

int probe_x86_relocate(const struct probe_moved *m, uint8_t *out)
{
    struct writer w = {m, out, 0, 0};
    struct x86_insn i = {.kind = INSN_PLAIN};
    for (size_t at = 0; at < m->len; at += i.len) {
        uint64_t addr = m->from + at;
        if (!x86_insn_read(m->bytes + at, m->len - at, &i) ||
            jumps_inside(m, &i, x86_insn_target(&i, addr)) ||
            (is_call(i.kind) && at + i.len < m->len))
            return -ENOEXEC;
        move_one(&w, &i, m->bytes + at, addr);
    }
    if (!insn_ends_flow(i.kind) && !is_call(i.kind))
        put_jump(&w, m->from + m->len);
    return w.err ? w.err : (int)w.len;
}
