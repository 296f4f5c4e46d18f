#include "core/base/bytes.h"
#include "core/insn/arm64.h"
#include "exclusive_code.h"

enum { NOP = 0xd503201f, BRK = 0xd4200000 };

/* LDXR, LDAXR and those of bytes, halves and pairs; not LDAR, CASP. */
bool exclusive_begins_arm64(uint32_t op)
{
    return (op & 0x3fe00000) == 0x08400000 || (op & 0xbfe00000) == 0x88600000;
}

static bool is_store(uint32_t op)
{
    return (op & 0x3fe00000) == 0x08000000 || (op & 0xbfe00000) == 0x88200000 ||
           (op & 0xfffff0ff) == 0xd503305f; /* CLREX */
}

static bool is_system(uint32_t op)
{
    return op >> 24 == 0xd4; /* calls of the system and the like */
}

static enum exclusive_kind kind_of(uint32_t op, const struct arm64_insn *i)
{
    if (exclusive_begins_arm64(op))
        return EXCLUSIVE_LOAD;
    if (is_store(op))
        return EXCLUSIVE_STORE;
    if (i->kind == INSN_BRANCH || i->kind == INSN_JUMP)
        return i->kind == INSN_BRANCH ? EXCLUSIVE_BRANCH : EXCLUSIVE_JUMP;
    if (i->relative != ARM64_NOT_RELATIVE && i->relative != ARM64_B)
        return EXCLUSIVE_FIXED;
    bool stays = i->kind == INSN_PLAIN || i->kind == INSN_NOP || i->kind == INSN_LANDING;
    return stays && !is_system(op) ? EXCLUSIVE_PLAIN : EXCLUSIVE_LEAVES;
}

static bool read_one(struct exclusive_copying *c, uint64_t address, uint8_t *it,
                     struct exclusive_insn *out)
{
    struct arm64_insn i;
    uint8_t b[4];
    if (!c->read(c->arg, address, b, sizeof b))
        return false;
    out->op = get_le32(b);
    out->len = 4;
    out->condition = EXCLUSIVE_ALWAYS;
    arm64_insn_read(out->op, &i);
    out->kind = kind_of(out->op, &i);
    out->target = arm64_insn_target(&i, address);
    return true;
}

static void put_one(struct exclusive_copying *c, const struct exclusive_insn *i)
{
    exclusive_put(c, i->kind == EXCLUSIVE_JUMP ? NOP : i->op, 4);
}

static void put_breakpoint(struct exclusive_copying *c)
{
    exclusive_put(c, BRK, 4);
}

/* TBZ and TBNZ have 14 bits for the distance, the others 19. */
static void lead(struct exclusive_copying *c, size_t branch, size_t to)
{
    uint8_t *at = c->out->bytes + branch;
    uint32_t op = get_le32(at), by = (uint32_t)to - (uint32_t)branch;
    uint32_t field = (op & 0x7e000000) == 0x36000000 ? 0x3fff : 0x7ffff;
    put_le32(at, (op & ~(field << 5)) | (by >> 2 & field) << 5);
}

static const struct exclusive_processor arm64 = {
    .read = read_one, .put = put_one, .put_breakpoint = put_breakpoint, .lead = lead};

bool exclusive_copy_arm64(exclusive_read *read, void *arg, uint64_t address, struct exclusive *out)
{
    struct exclusive_copying c = {.processor = &arm64, .read = read, .arg = arg};
    return exclusive_copy(&c, address, out);
}
