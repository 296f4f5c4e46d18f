#include "core/insn/displaced.h"

#include "core/base/bytes.h"
#include "core/insn/x86.h"

#include <string.h>

/* An operand in memory, relative to the pc: its distance is counted anew. */
static bool move_operand(const struct x86_insn *i, uint64_t distance, struct displaced *out)
{
    int64_t moved = i->displacement + (int64_t)distance;
    if (i->relative_size != 4 || moved != (int32_t)moved)
        return false;
    put_le32(out->bytes + i->relative_at, (uint32_t)(int32_t)moved);
    return true;
}

static bool is_system_call(const uint8_t *code, size_t len)
{
    const uint8_t *end = code + len;
    return len >= 2 && ((end[-2] == 0x0f && (end[-1] == 0x05 || end[-1] == 0x34)) ||
                        (end[-2] == 0xcd && end[-1] == 0x80));
}

/* A jump behind it; 15 bytes leave no space for one. */
static bool add_return(struct displaced *out, uint64_t distance)
{
    enum { JMP = 0xe9, JMP_BYTES = 5 };
    int64_t back = (int64_t)distance - JMP_BYTES;
    if (out->len + JMP_BYTES > DISPLACED_SLOT_BYTES || back != (int32_t)back)
        return false;
    out->bytes[out->len] = JMP;
    put_le32(out->bytes + out->len + 1, (uint32_t)(int32_t)back);
    return true;
}

/* A system call is seen at its end. */
static bool returns(const struct x86_insn *i, uint64_t distance, struct displaced *out)
{
    if (out->fix == DISPLACED_NOTHING)
        return true;
    return out->fix == DISPLACED_MOVE && i->kind != INSN_TRAP &&
           !is_system_call(out->bytes, out->len) && add_return(out, distance);
}

/* A direct jump goes as far from the slot as from its place, and is not followed from there. */
bool displaced_x86(const uint8_t *code, size_t len, uint64_t from, uint64_t to,
                   struct displaced *out)
{
    struct x86_insn i;
    *out = (struct displaced){0};
    if (!x86_insn_read(code, len, &i))
        return false;
    out->len = i.len;
    out->fix = (uint8_t)displaced_fix_of(i.kind);
    memcpy(out->bytes, code, i.len);
    if (i.memory && i.base == X86_RIP && !move_operand(&i, from - to, out))
        return false;
    out->returns = returns(&i, from - to, out);
    return true;
}
