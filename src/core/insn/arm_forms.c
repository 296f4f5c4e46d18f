#include "arm_fields.h"

enum { MULTIPLY = R0 | R8 | W16, LONG = R0 | R8 | W12 | W16 };

/* With a condition. */
const struct arm_form arm_a32_forms[] = {
    /* multiplications, and exclusive accesses */
    {0x0fe000f0, 0x00000090, MULTIPLY},
    {0x0fe000f0, 0x00200090, MULTIPLY | R12},
    {0x0ff000f0, 0x00400090, LONG | R12 | R16},
    {0x0ff000f0, 0x00500090, UNKNOWN},
    {0x0ff000f0, 0x00600090, MULTIPLY | R12},
    {0x0ff000f0, 0x00700090, UNKNOWN},
    {0x0f8000f0, 0x00800090, LONG},
    {0x0fb00ff0, 0x01000090, R0 | W12 | R16}, /* swp */
    {0x0ff00fff, 0x01b00f9f, R16 | W12 | PAIR12},
    {0x0ff00ff0, 0x01a00f90, R0 | W12 | R16}, /* strexd */
    {0x0f900fff, 0x01900f9f, R16 | W12},
    {0x0f900ff0, 0x01800f90, R0 | W12 | R16},
    {0x0f9003ff, 0x0190029f, UNKNOWN},
    {0x0f900fff, 0x01900c9f, R16 | W12}, /* lda */
    {0x0ff00fff, 0x01b00e9f, R16 | W12 | PAIR12},
    {0x0f900fff, 0x01900e9f, R16 | W12},
    {0x0f90fff0, 0x0180fc90, R0 | R16}, /* stl */
    {0x0f900ff0, 0x01800e90, R0 | W12 | R16},
    {0x0f0000f0, 0x01000090, UNKNOWN},
    {0x0e0000f0, 0x00000090, UNKNOWN},
    /* halves, signed bytes, and double words */
    {0x0e1010d0, 0x000010d0, UNKNOWN},
    {0x0e10f0d0, 0x0000e0d0, UNKNOWN},
    {0x0e5000f0, 0x004000d0, R16 | W12 | PAIR12},
    {0x0e5000f0, 0x004000f0, R16 | R12},
    {0x0e500ff0, 0x000000d0, R0 | R16 | W12 | PAIR12},
    {0x0e500ff0, 0x000000f0, R0 | R16 | R12},
    {0x0e5000f0, 0x004000b0, R16 | R12},
    {0x0e500ff0, 0x000000b0, R0 | R16 | R12},
    {0x0e500090, 0x00500090, R16 | W12},
    {0x0e500f90, 0x00100090, R0 | R16 | W12},
    /* miscellaneous */
    {0x0fbf0fff, 0x010f0000, W12},            /* mrs */
    {0x0fb0fff0, 0x0120f000, R0},             /* msr */
    {0x0ffffff0, 0x012fff10, R0},             /* bx */
    {0x0ffffff0, 0x012fff20, R0},             /* bxj */
    {0x0ffffff0, 0x012fff30, R0},             /* blx */
    {0x0fff0ff0, 0x016f0f10, R0 | W12},       /* clz */
    {0x0f900ff0, 0x01000050, R0 | R16 | W12}, /* qadd and the like */
    {0x0ff000f0, 0x01600040, UNKNOWN},
    {0x0f90fdf0, 0x0100f040, UNKNOWN},
    {0xff900df0, 0xe1000040, R0 | R16 | W12},   /* crc32 */
    {0xfff000f0, 0xe1200070, 0},                /* bkpt */
    {0x0ff00090, 0x01000080, MULTIPLY | R12},   /* smlaxy */
    {0x0ff000b0, 0x01200080, MULTIPLY | R12},   /* smlawy */
    {0x0ff0f0b0, 0x012000a0, MULTIPLY},         /* smulwy */
    {0x0ff00090, 0x01400080, LONG | R12 | R16}, /* smlalxy */
    {0x0ff0f090, 0x01600080, MULTIPLY},         /* smulxy */
    {0x0f900010, 0x01000000, UNKNOWN},
    {0x0f900090, 0x01000010, UNKNOWN},
    {0x0f900090, 0x01000090, UNKNOWN},
    /* data processing: by a register, by a number; mov has no second operand */
    {0x0fef0010, 0x01a00000, R0 | W12},
    {0x0fe00010, 0x01e00000, R0 | W12},
    {0x0f900010, 0x01100000, R0 | R16},
    {0x0fe00010, 0x01a00000, UNKNOWN},
    {0x0e000010, 0x00000000, R0 | R16 | W12},
    {0x0fef0090, 0x01a00010, R0 | R8 | W12},
    {0x0fe00090, 0x01e00010, R0 | R8 | W12},
    {0x0f900090, 0x01100010, R0 | R8 | R16},
    {0x0fe00090, 0x01a00010, UNKNOWN},
    {0x0e000090, 0x00000010, R0 | R8 | R16 | W12},
    {0x0ff00000, 0x03000000, W12},       /* movw */
    {0x0ff00000, 0x03400000, R12 | W12}, /* movt */
    {0x0fb0f000, 0x0320f000, 0},         /* msr, hints */
    {0x0fb00000, 0x03200000, UNKNOWN},
    {0x0fef0000, 0x03a00000, W12},
    {0x0fe00000, 0x03a00000, UNKNOWN},
    {0x0fe00000, 0x03e00000, W12},
    {0x0f900000, 0x03100000, R16},
    {0x0e000000, 0x02000000, R16 | W12},
    /* words and bytes */
    {0x0e100000, 0x04000000, R16 | R12},
    {0x0e100000, 0x04100000, R16 | W12},
    {0x0e100010, 0x06000000, R0 | R16 | R12},
    {0x0e100010, 0x06100000, R0 | R16 | W12},
    /* media */
    {0x0fb00010, 0x06000010, UNKNOWN},
    {0x0f8000f0, 0x060000b0, UNKNOWN},
    {0x0f8000f0, 0x060000d0, UNKNOWN},
    {0x0f800f10, 0x06000f10, R0 | R16 | W12}, /* of bytes and halves */
    {0x0ff00ff0, 0x06800fb0, R0 | R16 | W12}, /* sel */
    {0x0fb000f0, 0x06900070, UNKNOWN},
    {0x0f8003f0, 0x06800070, R0 | R16 | W12 | OPTIONAL16}, /* extend */
    {0x0ff00030, 0x06800010, R0 | R16 | W12},              /* pkh */
    {0x0fa00030, 0x06a00010, R0 | W12},                    /* saturate */
    {0x0fb00ff0, 0x06a00f30, R0 | W12},
    {0x0fbf0f70, 0x06bf0f30, R0 | W12},                    /* reverse */
    {0x0ff0f0f0, 0x0710f010, R0 | R8 | W16},               /* sdiv */
    {0x0ff0f0f0, 0x0730f010, R0 | R8 | W16},               /* udiv */
    {0x0ff00090, 0x07000010, MULTIPLY | R12 | OPTIONAL12}, /* smlad and the like */
    {0x0ff00090, 0x07400010, LONG | R12 | R16},
    {0x0ff000d0, 0x07500010, MULTIPLY | R12 | OPTIONAL12},
    {0x0ff0f0d0, 0x0750f0d0, UNKNOWN},
    {0x0ff000d0, 0x075000d0, MULTIPLY | R12},              /* smmls */
    {0x0ff000f0, 0x07800010, MULTIPLY | R12 | OPTIONAL12}, /* usada8 */
    {0x0fe00070, 0x07a00050, R0 | W12},                    /* sbfx */
    {0x0fe00070, 0x07c00010, R0 | R12 | W12 | OPTIONAL0},  /* bfi, bfc */
    {0x0fe00070, 0x07e00050, R0 | W12},                    /* ubfx */
    {0x0e000010, 0x06000010, UNKNOWN},
    /* several; jumps */
    {0x0e4f0000, 0x080f0000, UNKNOWN},
    {0x0e400000, 0x08000000, R16 | LIST},
    {0x0e400000, 0x08400000, UNKNOWN},
    {0x0e000000, 0x0a000000, 0},
    /* floating point: from and to general registers, loads and stores; data */
    {0x0ff00e00, 0x0c400a00, R12 | R16 | FLOAT_PAIR}, /* two */
    {0x0ff00e00, 0x0c500a00, W12 | W16 | FLOAT_PAIR},
    {0x0e000e00, 0x0c000a00, R16 | FLOAT_MEMORY},
    {0x0f100f10, 0x0e000a10, R12 | FLOAT_MOVE},
    {0x0f100f10, 0x0e100a10, W12 | OPTIONAL12 | FLOAT_MOVE},
    {0x0f100f10, 0x0e000b10, R12 | FLOAT_MOVE},
    {0x0f100f10, 0x0e100b10, W12 | FLOAT_MOVE},
    {0x0f000e10, 0x0e000a00, FLOAT},
    /* system registers */
    {0x0ff00e00, 0x0c400e00, R12 | R16},
    {0x0ff00e00, 0x0c500e00, W12 | W16},
    {0x0f100e10, 0x0e000e10, R12},
    {0x0f100e10, 0x0e100e10, W12 | OPTIONAL12},
    {0x0f000000, 0x0f000000, 0}, /* svc */
    {0x00000000, 0x00000000, UNKNOWN}};

/* Of those that have none. */
const struct arm_form arm_a32_always_forms[] = {
    {0xfe000000, 0xf2000000, SIMD},                      /* data of SIMD */
    {0xff100000, 0xf4000000, R16 | ADDRESS0 | ELEMENTS}, /* elements and structures */
    {0xff70f000, 0xf550f000, R16},                       /* pld, pli, pldw */
    {0xff70f000, 0xf510f000, R16},
    {0xff70f000, 0xf450f000, R16},
    {0xff70f010, 0xf750f000, R0 | R16},
    {0xff70f010, 0xf710f000, R0 | R16},
    {0xff70f010, 0xf650f000, R0 | R16},
    {0xffffffff, 0xf57ff01f, 0}, /* clrex */
    {0xffffffe0, 0xf57ff040, 0}, /* barriers */
    {0xfffffff0, 0xf57ff060, 0},
    {0xfe000000, 0xfa000000, 0},            /* blx */
    {0xff000e10, 0xfe000a00, FLOAT_ALWAYS}, /* data of floating point */
    {0x00000000, 0x00000000, UNKNOWN}};

enum { T_MULTIPLY = R0 | R16 | W8, T_LONG = R0 | R16 | W8 | W12 };

const struct arm_form arm_t32_forms[] = {
    /* several; two, exclusive ones, tables */
    {0xffc00000, 0xe8000000, UNKNOWN},
    {0xffc00000, 0xe9800000, UNKNOWN},
    {0xfe4f0000, 0xe80f0000, UNKNOWN},
    {0xfe400000, 0xe8000000, R16 | LIST},
    {0xfff00000, 0xe8400000, R16 | R12 | W8}, /* strex */
    {0xfff00f00, 0xe8500f00, R16 | W12},
    {0xfff0fff0, 0xe8d0f000, R0 | R16}, /* tbb */
    {0xfff0fff0, 0xe8d0f010, R0 | R16}, /* tbh */
    {0xfff00ff0, 0xe8c00f40, R0 | W0 | R16 | R12},
    {0xfff00ff0, 0xe8c00f50, R0 | W0 | R16 | R12},
    {0xfff000f0, 0xe8c00070, W0 | R16 | R12 | R8},
    {0xfff00fff, 0xe8d00f4f, R16 | W12},
    {0xfff00fff, 0xe8d00f5f, R16 | W12},
    {0xfff000ff, 0xe8d0007f, R16 | W12 | W8},
    {0xfff00fef, 0xe8c00f8f, R16 | R12}, /* stlb, stlh, stl */
    {0xfff00fff, 0xe8c00faf, R16 | R12},
    {0xfff00fef, 0xe8d00f8f, R16 | W12},
    {0xfff00fff, 0xe8d00faf, R16 | W12},
    {0xfff00fe0, 0xe8c00fc0, W0 | R16 | R12}, /* stlex */
    {0xfff00ff0, 0xe8c00fe0, W0 | R16 | R12},
    {0xfff000f0, 0xe8c000f0, W0 | R16 | R12 | R8},
    {0xfff00fef, 0xe8d00fcf, R16 | W12},
    {0xfff00fff, 0xe8d00fef, R16 | W12},
    {0xfff000ff, 0xe8d000ff, R16 | W12 | W8},
    {0xff600000, 0xe8400000, UNKNOWN},
    {0xfe500000, 0xe8400000, R16 | R12 | R8}, /* strd */
    {0xfe500000, 0xe8500000, R16 | W12 | W8},
    /* data processing with a shifted register */
    {0xfff08f00, 0xea100f00, R0 | R16},
    {0xfff08f00, 0xea900f00, R0 | R16},
    {0xfff08f00, 0xeb100f00, R0 | R16},
    {0xfff08f00, 0xebb00f00, R0 | R16},
    {0xffe08000, 0xea400000, R0 | R16 | W8 | OPTIONAL16}, /* orr; mov */
    {0xffe08000, 0xea600000, R0 | R16 | W8 | OPTIONAL16}, /* orn; mvn */
    {0xffc08000, 0xea000000, R0 | R16 | W8},
    {0xffe08000, 0xea800000, R0 | R16 | W8},
    {0xfff08010, 0xeac00000, R0 | R16 | W8},
    {0xffe08000, 0xeb000000, R0 | R16 | W8},
    {0xffc08000, 0xeb400000, R0 | R16 | W8},
    {0xffe08000, 0xebc00000, R0 | R16 | W8},
    {0xffe08000, 0xeba00000, R0 | R16 | W8},
    {0xfe000000, 0xea000000, UNKNOWN},
    /* floating point and system registers, as in A32 */
    {0xfff00e00, 0xec400a00, R12 | R16 | FLOAT_PAIR},
    {0xfff00e00, 0xec500a00, W12 | W16 | FLOAT_PAIR},
    {0xfe000e00, 0xec000a00, R16 | FLOAT_MEMORY},
    {0xff100f10, 0xee000a10, R12 | FLOAT_MOVE},
    {0xff100f10, 0xee100a10, W12 | OPTIONAL12 | FLOAT_MOVE},
    {0xff100f10, 0xee000b10, R12 | FLOAT_MOVE},
    {0xff100f10, 0xee100b10, W12 | FLOAT_MOVE},
    {0xff000e10, 0xee000a00, FLOAT},
    {0xff000e10, 0xfe000a00, FLOAT_ALWAYS},
    {0xef000000, 0xef000000, SIMD_T32}, /* data of SIMD */
    {0xfff00e00, 0xec400e00, R12 | R16},
    {0xfff00e00, 0xec500e00, W12 | W16},
    {0xff100e10, 0xee000e10, R12},
    {0xff100e10, 0xee100e10, W12 | OPTIONAL12},
    {0xec000000, 0xec000000, UNKNOWN},
    /* data processing with a number */
    {0xfbf08f00, 0xf0100f00, R16},
    {0xfbf08f00, 0xf0900f00, R16},
    {0xfbf08f00, 0xf1100f00, R16},
    {0xfbf08f00, 0xf1b00f00, R16},
    {0xfbe08000, 0xf0400000, R16 | W8 | OPTIONAL16}, /* orr; mov */
    {0xfbe08000, 0xf0600000, R16 | W8 | OPTIONAL16}, /* orn; mvn */
    {0xfbc08000, 0xf0000000, R16 | W8},
    {0xfbe08000, 0xf0800000, R16 | W8},
    {0xfbe08000, 0xf1000000, R16 | W8},
    {0xfbc08000, 0xf1400000, R16 | W8},
    {0xfbe08000, 0xf1a00000, R16 | W8},
    {0xfbe08000, 0xf1c00000, R16 | W8},
    {0xfbf08000, 0xf2000000, R16 | W8},                   /* addw, adr */
    {0xfbf08000, 0xf2a00000, R16 | W8},                   /* subw, adr */
    {0xfbf08000, 0xf2400000, W8},                         /* movw */
    {0xfbf08000, 0xf2c00000, R8 | W8},                    /* movt */
    {0xfff08020, 0xf3600000, R16 | R8 | W8 | OPTIONAL16}, /* bfi, bfc */
    {0xff508020, 0xf3000000, R16 | W8},                   /* saturate */
    {0xff708020, 0xf3400000, R16 | W8},                   /* bit fields */
    {0xf8008000, 0xf0000000, UNKNOWN},
    /* jumps, and what is between them */
    {0xffe0d000, 0xf3808000, R16}, /* msr */
    {0xfff0d000, 0xf3a08000, 0},   /* hints */
    {0xfff0d0f0, 0xf3b08020, 0},   /* clrex, barriers */
    {0xfff0d0c0, 0xf3b08040, 0},
    {0xffe0d000, 0xf3e08000, W8}, /* mrs */
    {0xfb80d000, 0xf3808000, UNKNOWN},
    {0xf800d001, 0xf000c001, UNKNOWN}, /* blx has no such distance */
    {0xf8008000, 0xf0008000, 0},
    /* one item: loads into the pc that are hints; loads and stores */
    {0xff700000, 0xf8700000, UNKNOWN},
    {0xfef0f000, 0xf890f000, R16},
    {0xfe70f000, 0xf830f000, UNKNOWN},
    {0xfff0f000, 0xf9b0f000, UNKNOWN},
    {0xfe5ff000, 0xf81ff000, R16},
    {0xfe50ff00, 0xf810fc00, R16},
    {0xfed0ffc0, 0xf810f000, R0 | R16},
    {0xfed0f000, 0xf810f000, UNKNOWN},
    {0xfe1f0000, 0xf81f0000, R16 | W12},
    {0xff100000, 0xf9000000, R16 | ADDRESS0 | ELEMENTS}, /* elements and structures */
    {0xff900000, 0xf8800000, R16 | R12},
    {0xfe900000, 0xf8900000, R16 | W12},
    {0xff900800, 0xf8000800, R16 | R12},
    {0xfe900800, 0xf8100800, R16 | W12},
    {0xff900fc0, 0xf8000000, R0 | R16 | R12},
    {0xfe900fc0, 0xf8100000, R0 | R16 | W12},
    {0xfe000000, 0xf8000000, UNKNOWN},
    /* data processing with registers; multiplications */
    {0xff80f0f0, 0xfa00f000, R0 | R16 | W8},
    {0xffe0f0c0, 0xfa60f080, UNKNOWN},
    {0xff80f0c0, 0xfa00f080, R0 | R16 | W8 | OPTIONAL16}, /* extend */
    {0xffb0f080, 0xfab0f000, UNKNOWN},
    {0xff80f0b0, 0xfa80f030, UNKNOWN},
    {0xff80f080, 0xfa80f000, R0 | R16 | W8}, /* of bytes and halves */
    {0xffe0f0c0, 0xfa80f080, R0 | R16 | W8}, /* saturating, reverse */
    {0xffe0f0f0, 0xfaa0f080, R0 | R16 | W8}, /* sel, clz */
    {0xffe0f0e0, 0xfac0f080, R0 | R16 | W8}, /* crc32 */
    {0xffe0f0f0, 0xfac0f0a0, R0 | R16 | W8},
    {0xff800f00, 0xfb000f00, UNKNOWN},
    {0xfff000f0, 0xfb000000, T_MULTIPLY | R12 | OPTIONAL12},
    {0xfff000f0, 0xfb000010, T_MULTIPLY | R12}, /* mls */
    {0xfff000c0, 0xfb100000, T_MULTIPLY | R12 | OPTIONAL12},
    {0xffe000e0, 0xfb200000, T_MULTIPLY | R12 | OPTIONAL12},
    {0xffe000e0, 0xfb400000, T_MULTIPLY | R12 | OPTIONAL12},
    {0xfff0f0e0, 0xfb60f000, UNKNOWN},
    {0xfff000e0, 0xfb600000, T_MULTIPLY | R12}, /* smmls */
    {0xfff000f0, 0xfb700000, T_MULTIPLY | R12 | OPTIONAL12},
    {0xffd0f0f0, 0xfb90f0f0, T_MULTIPLY}, /* sdiv, udiv */
    {0xffd000f0, 0xfb800000, T_LONG},
    {0xffd000f0, 0xfbc00000, T_LONG | R12 | R8},
    {0xfff000c0, 0xfbc00080, T_LONG | R12 | R8},
    {0xffe000e0, 0xfbc000c0, T_LONG | R12 | R8},
    {0xfff000f0, 0xfbe00060, T_LONG | R12 | R8},
    {0x00000000, 0x00000000, UNKNOWN}};
