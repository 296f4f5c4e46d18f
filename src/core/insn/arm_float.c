/* Floating point, and the memory of Advanced SIMD, by DDI0487 chapter F4.1 ("Advanced SIMD and
 * floating-point instructions"). */
#include "arm_exists.h"

static unsigned bit(uint32_t op, unsigned at)
{
    return op >> at & 1;
}

/* --- data --- */

/* One operand, by bits 19 to 16: with bit 7 clear, or set. Bit 6 is set. */
static bool one_operand_exists(uint32_t op)
{
    unsigned how = op >> 16 & 15;
    bool second = bit(op, 7), twice = bit(op, 8);
    if (how == 9) /* vjcvt */
        return second && twice;
    return how != 5 || !(op & 0x2f); /* a comparison with zero has no operand */
}

bool arm_float_exists(uint32_t op)
{
    unsigned how = bit(op, 23) << 2 | (op >> 20 & 3);
    if (how == 4) /* vdiv */
        return !bit(op, 6);
    if (how != 7)
        return true;
    return bit(op, 6) ? one_operand_exists(op) : !(op & 0xa0); /* vmov of a number */
}

bool arm_float_always_exists(uint32_t op)
{
    bool second = bit(op, 6);
    if (!bit(op, 23)) /* vsel */
        return !second;
    if ((op & 0x300000) == 0) /* vmaxnm, vminnm */
        return true;
    if ((op & 0x380000) != 0x380000)
        return (op & 0x3f0300) == 0x300200 && second; /* vmovx, vins */
    return second && (bit(op, 18) || !bit(op, 7));    /* vcvt; vrint */
}

/* --- moves --- */

/* An element of a double register: bits 22, 21, 6 and 5 have its size and its number. */
static bool element_exists(uint32_t op)
{
    unsigned how = (op >> 19 & 12) | (op >> 5 & 3);
    bool load = bit(op, 20), flag = bit(op, 23), word = !bit(op, 22) && !bit(op, 5);
    if (!load && flag) /* vdup */
        return !bit(op, 6) && !(bit(op, 22) && bit(op, 5)) && !(bit(op, 21) && bit(op, 16));
    bool none = (how & 11) == 2;
    return !none && !(word && flag);
}

bool arm_float_move_exists(uint32_t op)
{
    bool status = (op & 0xef0080) == 0xe10000; /* of the only register that programs may use */
    if (bit(op, 8))
        return !(op & 15) && element_exists(op);
    return !(op & 0x6f) && ((op & 0xe00000) == 0 || status);
}

bool arm_float_pair_exists(uint32_t op)
{
    return (op & 0xd0) == 0x10;
}

/* No processor promises what a base that is the pc becomes. */
static bool is_at_pc(uint32_t op)
{
    return (op >> 16 & 15) == 15;
}

bool arm_float_memory_exists(uint32_t op)
{
    bool before = bit(op, 24), up = bit(op, 23), back = bit(op, 21);
    return (before ? !(up && back) : up) && !((back || !before) && is_at_pc(op));
}

/* --- elements and structures --- */

/* Several structures, by bits 11 to 8: how many sizes there are, and which alignments. */
static const struct {
    uint8_t sizes, aligned;
} multiple[16] = {
    [0] = {3, 15}, [1] = {3, 15}, [2] = {4, 15}, [3] = {3, 15}, [4] = {3, 3}, [5] = {3, 3},
    [6] = {4, 3},  [7] = {4, 3},  [8] = {3, 7},  [9] = {3, 7},  [10] = {4, 7}};

/* One structure to one lane, of bytes, halves or words; aligned: bits 7 to 4. */
static bool lane_exists(unsigned of, unsigned size, unsigned aligned)
{
    unsigned low = aligned & 3;
    switch (of) {
    case 0:
        return size == 2 ? !(aligned & 4) && (low == 0 || low == 3) : !(aligned >> size & 1);
    case 1:
        return size != 2 || !(aligned & 2);
    case 2:
        return size == 2 ? low == 0 : !(aligned & 1);
    default:
        return size != 2 || low != 3;
    }
}

/* To all lanes. */
static bool lanes_exist(uint32_t op)
{
    unsigned of = op >> 8 & 3, size = op >> 6 & 3;
    bool aligned = bit(op, 4);
    if (!bit(op, 21) || of == 2)
        return bit(op, 21) && size != 3 && !aligned;
    if (of == 3)
        return size != 3 || aligned;
    return size != 3 && !(of == 0 && size == 0 && aligned);
}

bool arm_elements_exist(uint32_t op)
{
    unsigned how = op >> 8 & 15, size = op >> 10 & 3;
    if (is_at_pc(op))
        return false;
    if (!bit(op, 23))
        return (op >> 6 & 3) < multiple[how].sizes && multiple[how].aligned >> (op >> 4 & 3) & 1;
    return size == 3 ? lanes_exist(op) : lane_exists(how & 3, size, op >> 4 & 15);
}
