/* Operations of Advanced SIMD, by DDI0487 chapter F4.1 ("Advanced SIMD data-processing"). */
#include "arm_exists.h"

/* Which sizes an operation has, of bytes, halves, words and double words; and what else its
 * registers have to be. A register of 128 bits has an even number. */
enum {
    B = 1 << 0,
    H = 1 << 1,
    W = 1 << 2,
    D = 1 << 3,
    HW = H | W,
    BHW = B | HW,
    ALL = BHW | D,
    LOW = B | H,     /* the size has a bit that chooses the operation */
    SHORT = 1 << 4,  /* not of 128 bits */
    LONG = 1 << 5,   /* only of 128 bits */
    EVEN_D = 1 << 6, /* the result has 128 bits */
    EVEN_N = 1 << 7, /* so have operands */
    EVEN_M = 1 << 8,
    WIDTHS = 1 << 9,    /* bit 6 is not the width of all registers */
    PAIRS = 1 << 10,    /* the low sizes are SHORT */
    SHORT_BH = 1 << 11, /* in 64 bits, of bytes and halves */
    SIGNED = 1 << 12,   /* bit 24 is 0 */
    BY_U = 1 << 13,     /* bit 24 is the width, not bit 6 */
    SIZES = ALL
};
enum { VD = 1 << 12, VN = 1 << 16, VM = 1 << 0 };

static unsigned bit(uint32_t op, unsigned at)
{
    return op >> at & 1;
}

/* Numbers that must be even. */
static uint32_t even_registers(unsigned rule, bool wide)
{
    if (!(rule & (WIDTHS | BY_U)) && wide)
        return VD | VN | VM;
    return (rule & EVEN_D ? VD : 0) | (rule & EVEN_N ? VN : 0) | (rule & EVEN_M ? VM : 0) |
           (rule & BY_U && wide ? VD | VN : 0);
}

/* fields: those of VD, VN and VM that number registers. */
static bool follows(uint32_t op, unsigned rule, unsigned size, uint32_t fields)
{
    bool wide = bit(op, rule & BY_U ? 24 : 6);
    if (!(rule >> size & 1) || (rule & SHORT && wide) || (rule & LONG && !wide) ||
        (rule & SIGNED && bit(op, 24)) || (rule & PAIRS && wide && size < 2) ||
        (rule & SHORT_BH && !wide && size == 2))
        return false;
    return !(op & even_registers(rule, wide) & fields);
}

/* By bits 11 to 8 and 4, and by bit 24. */
static const uint16_t same_length[32][2] = {
    {BHW, BHW},                 /* halving add */
    {ALL, ALL},                 /* saturating add */
    {BHW, BHW},                 /* rounding halving add */
    {ALL, ALL},                 /* and, or, exclusive or, selections */
    {BHW, BHW},                 /* halving subtract */
    {ALL, ALL},                 /* saturating subtract */
    {BHW, BHW},                 /* compare: greater */
    {BHW, BHW},                 /* not less */
    {ALL, ALL},                 /* shifts by a register */
    {ALL, ALL},                 /* saturating */
    {ALL, ALL},                 /* rounding */
    {ALL, ALL},                 /* both */
    {BHW, BHW},                 /* maximum */
    {BHW, BHW},                 /* minimum */
    {BHW, BHW},                 /* absolute difference */
    {BHW, BHW},                 /* added to the result */
    {ALL, ALL},                 /* add, subtract */
    {BHW, BHW},                 /* test bits, compare: equal */
    {BHW, BHW},                 /* multiply and add, and subtract */
    {BHW, B},                   /* multiply; of polynomials */
    {BHW | SHORT, BHW | SHORT}, /* maximum of pairs */
    {BHW | SHORT, BHW | SHORT}, /* minimum */
    {HW, HW},                   /* high half of a doubled product */
    {BHW | SHORT, HW},          /* add of pairs; the same with an add */
    {ALL | LONG, BHW | LONG},   /* SHA */
    {ALL, HW},                  /* fused multiply and add; with a subtract */
    {ALL, ALL | PAIRS},         /* floating point: add, subtract; of pairs, difference */
    {ALL, LOW},                 /* multiply and add; multiply */
    {LOW, ALL},                 /* compare */
    {0, ALL},                   /* compare absolute values */
    {ALL, ALL | SHORT},         /* maximum, minimum; of pairs */
    {ALL, ALL},                 /* steps to a reciprocal; maximum as of IEEE 754-2008 */
};

static bool same_length_exists(uint32_t op)
{
    unsigned rule = same_length[(op >> 7 & 0x1e) | bit(op, 4)][bit(op, 24)];
    return follows(op, rule, op >> 20 & 3, VD | VN | VM);
}

/* By bits 11 to 8. */
static const uint16_t different_lengths[16] = {
    BHW | WIDTHS | EVEN_D,                                           /* long add */
    BHW | WIDTHS | EVEN_D | EVEN_N,                                  /* wide add */
    BHW | WIDTHS | EVEN_D,                                           /* subtract */
    BHW | WIDTHS | EVEN_D | EVEN_N,  BHW | WIDTHS | EVEN_N | EVEN_M, /* high half of a sum */
    BHW | WIDTHS | EVEN_D,                                  /* absolute difference, added */
    BHW | WIDTHS | EVEN_N | EVEN_M,                         /* high half of a difference */
    BHW | WIDTHS | EVEN_D,                                  /* absolute difference */
    BHW | WIDTHS | EVEN_D,                                  /* multiply and add */
    HW | WIDTHS | EVEN_D | SIGNED,                          /* doubled, saturating */
    BHW | WIDTHS | EVEN_D,                                  /* multiply and subtract */
    HW | WIDTHS | EVEN_D | SIGNED,   BHW | WIDTHS | EVEN_D, /* multiply */
    HW | WIDTHS | EVEN_D | SIGNED,                          /* doubled */
    B | W | WIDTHS | EVEN_D | SIGNED                        /* of polynomials */
};

/* The same, with one element of the last register. */
static const uint16_t by_scalar[16] = {
    HW | BY_U,                     /* multiply and add */
    HW | BY_U,                     /* floating point */
    HW | WIDTHS | EVEN_D,          /* long */
    HW | WIDTHS | EVEN_D | SIGNED, /* doubled, saturating */
    HW | BY_U,                     /* multiply and subtract */
    HW | BY_U,
    HW | WIDTHS | EVEN_D,
    HW | WIDTHS | EVEN_D | SIGNED,
    HW | BY_U, /* multiply */
    HW | BY_U,
    HW | WIDTHS | EVEN_D,
    HW | WIDTHS | EVEN_D | SIGNED,
    HW | BY_U, /* high half of a doubled product */
    HW | BY_U, /* rounded */
    HW | BY_U, /* with an add */
    HW | BY_U  /* with a subtract */
};

/* By bits 17 and 16, and 10 to 7. */
static const uint16_t two_registers[4][16] = {
    {BHW,                                                  /* reverse in double words */
     B | H,                                                /* in words */
     B,                                                    /* in halves */
     0, BHW,                                               /* add of neighbours */
     BHW, B | WIDTHS | EVEN_D | EVEN_M,                    /* AES */
     B | WIDTHS | EVEN_D | EVEN_M, BHW,                    /* count sign bits */
     BHW,                                                  /* zeros */
     B,                                                    /* ones */
     B,                                                    /* not */
     BHW,                                                  /* add of neighbours to the result */
     BHW, BHW,                                             /* saturating absolute value */
     BHW},                                                 /* negative value */
    {BHW, BHW, BHW, BHW, BHW,                              /* compare with zero */
     W | LONG,                                             /* SHA1H */
     BHW, BHW,                                             /* absolute value, negative value */
     HW, HW, HW, HW, HW, 0, HW, HW},                       /* of floating point */
    {B,                                                    /* swap */
     BHW,                                                  /* transpose */
     BHW | SHORT_BH,                                       /* unzip */
     BHW | SHORT_BH,                                       /* zip */
     BHW | WIDTHS | EVEN_M,                                /* narrow */
     BHW | WIDTHS | EVEN_M, BHW | WIDTHS | EVEN_D | SHORT, /* shift by the width, long */
     W | WIDTHS | EVEN_D | EVEN_M,                         /* SHA */
     HW, HW, HW, HW,                                       /* round to an integer */
     H | WIDTHS | EVEN_M | SHORT,                          /* to half precision */
     HW, H | WIDTHS | EVEN_D | SHORT,                      /* from half precision */
     HW},
    {HW, HW, HW, HW, HW, HW, HW, HW, /* convert with a rounding */
     W, W, HW, HW,                   /* estimates of reciprocals */
     HW, HW, HW, HW}                 /* convert */
};

static bool two_registers_exist(uint32_t op)
{
    unsigned rule = two_registers[op >> 16 & 3][op >> 7 & 15];
    return follows(op, rule, op >> 18 & 3, VD | VM);
}

/* Bits 23, 21 and 20 are set, bit 4 is not. */
static bool extract_or_other_exists(uint32_t op)
{
    bool wide = bit(op, 6);
    if (!bit(op, 24)) /* vext */
        return wide ? !(op & (VD | VN | VM)) : !bit(op, 11);
    if (!bit(op, 11))
        return two_registers_exist(op);
    if (!bit(op, 10)) /* vtbl */
        return true;
    return (op & 0x380) == 0 && op & 0x70000 && !(wide && op & VD); /* vdup */
}

/* A register and a number: bits 21 to 19 and 7, the width of elements, are not 0. */
static bool shift_exists(uint32_t op)
{
    bool wide = bit(op, 6), second = bit(op, 24), of_doubles = bit(op, 7);
    unsigned how = op >> 8 & 15, distance = op >> 16 & 63;
    if (how < 8)
        return (second || (how != 4 && how != 6)) && !(wide && op & (VD | VM));
    if (of_doubles)
        return false;
    if (how < 10) /* narrow */
        return !(op & VM);
    if (how == 10) /* long */
        return !wide && !(op & VD);
    bool halves = how < 14;
    return how >= 12 && distance >= (halves ? 48 : 32) && !(wide && op & (VD | VM));
}

static bool number_exists(uint32_t op)
{
    bool none = (op & 0xf20) == 0xf20;
    return !none && !(bit(op, 6) && op & VD);
}

bool arm_simd_exists(uint32_t op)
{
    unsigned size = op >> 20 & 3;
    if (!bit(op, 23))
        return same_length_exists(op);
    if (bit(op, 4))
        return op & 0x380080 ? shift_exists(op) : number_exists(op);
    if (size == 3)
        return extract_or_other_exists(op);
    if (bit(op, 6))
        return follows(op, by_scalar[op >> 8 & 15], size, VD | VN);
    return follows(op, different_lengths[op >> 8 & 15], size, VD | VN | VM);
}
