#include "core/insn/arm_pc.h"

enum { SINGLE = 0x7c /* bits 31 to 25 of accesses with a distance of 12 bits */ };

bool arm_pc_access(uint32_t op, uint32_t *distance)
{
    bool up = op >> 23 & 1, single = (op & 0xfe1f0000) == 0xf81f0000,
         others = (op & 0xff3f0000) == 0xed1f0000 || (op & 0xff7f0000) == 0xe95f0000;
    *distance = single ? op & 0xfff : 4 * (op & 0xff);
    *distance = up ? *distance : 0 - *distance;
    return single || others;
}

uint32_t arm_pc_access_by(uint32_t op, unsigned reg)
{
    uint32_t fields = op >> 25 == SINGLE ? 0xf0fff : 0xf00ff;
    return (op & ~fields) | 1u << 23 | reg << 16;
}

bool arm_pc_address(uint32_t op, uint32_t *distance)
{
    uint32_t plain = (op >> 15 & 0x800) | (op >> 4 & 0x700) | (op & 0xff);
    *distance = op >> 21 & 1 ? 0 - plain : plain;
    return (op & 0xfbff8000) == 0xf20f0000 || (op & 0xfbff8000) == 0xf2af0000;
}
