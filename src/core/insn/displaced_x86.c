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
    return !i.memory || i.base != X86_RIP || move_operand(&i, from - to, out);
}
