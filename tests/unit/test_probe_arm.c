#include "unit.h"

#include "../../src/core/probe/arm_movable.h"
#include "core/base/bytes.h"
#include "core/elf/elf.h"
#include "core/probe/plan.h"
#include "core/unwind/cfi.h"

#include "../lib/armelf.h"

#include <string.h>

/* --- what can be moved --- */

static bool is_movable_a32(uint32_t word)
{
    uint8_t bytes[4];
    put_le32(bytes, word);
    return arm_is_movable(&(struct arm_displaced){bytes, sizeof bytes, 0x10000, false});
}

/* Up to four halves. */
static bool is_movable_t32(const uint16_t *half, size_t count)
{
    uint8_t bytes[8];
    for (size_t i = 0; i < count; i++)
        put_le16(bytes + 2 * i, half[i]);
    return arm_is_movable(&(struct arm_displaced){bytes, 2 * count, 0x10000, true});
}

#define MOVABLE_T32(...)                                                                           \
    is_movable_t32((const uint16_t[]){__VA_ARGS__},                                                \
                   sizeof((const uint16_t[]){__VA_ARGS__}) / sizeof(uint16_t))

TEST(probe_arm_plain_code_is_movable)
{
    CHECK(is_movable_a32(0xe92d4010));   /* push */
    CHECK(is_movable_a32(0xe12fff1e));   /* bx lr */
    CHECK(MOVABLE_T32(0xb510, 0x4604));  /* push; mov */
    CHECK(MOVABLE_T32(0xe92d, 0x41f0));  /* push.w */
    CHECK(MOVABLE_T32(0x4770, 0xbf00));  /* bx lr; padding */
    CHECK(!MOVABLE_T32(0x4770, 0x4604)); /* bx lr; mov */
    CHECK(!is_movable_a32(0xe92dd800));  /* push {.., pc} */
    CHECK(!is_movable_a32(0xe7f000f0));  /* udf */
}

TEST(probe_arm_movable_jumps)
{
    CHECK(is_movable_a32(0xea000002));           /* b */
    CHECK(is_movable_a32(0x0a000002));           /* beq */
    CHECK(is_movable_a32(0xeb000002));           /* bl */
    CHECK(MOVABLE_T32(0xb510, 0xb108));          /* cbz */
    CHECK(MOVABLE_T32(0xf000, 0xf802));          /* bl */
    CHECK(MOVABLE_T32(0xf000, 0xe802));          /* blx */
    CHECK(is_movable_a32(0xe12fff33));           /* blx r3 */
    CHECK(!is_movable_a32(0xe12fff3e));          /* blx lr: it gets the return address */
    CHECK(!MOVABLE_T32(0xf000, 0xf802, 0xb510)); /* it would return there */
    CHECK(!MOVABLE_T32(0xe7ff, 0xb510));         /* b to the second */
    CHECK(!MOVABLE_T32(0xe8df, 0xf000));         /* tbb */
    CHECK(!MOVABLE_T32(0x4778, 0x46c0));         /* bx pc */
}

TEST(probe_arm_movable_readers_of_the_pc)
{
    CHECK(is_movable_a32(0xe59f3004));   /* ldr r3, literal */
    CHECK(!is_movable_a32(0xe59fd004));  /* ldr sp, literal */
    CHECK(is_movable_a32(0xe08f3003));   /* add r3, pc, r3 */
    CHECK(!is_movable_a32(0xe08ff003));  /* add pc, pc, r3 */
    CHECK(!is_movable_a32(0xe08fd003));  /* add sp, pc, r3 */
    CHECK(MOVABLE_T32(0x4b01, 0xb510));  /* ldr r3, literal */
    CHECK(MOVABLE_T32(0x447b, 0xb510));  /* add r3, pc */
    CHECK(MOVABLE_T32(0xa301, 0xb510));  /* adr r3 */
    CHECK(MOVABLE_T32(0xf20f, 0x0304));  /* adr.w r3 */
    CHECK(!MOVABLE_T32(0xf20f, 0x0d04)); /* adr.w sp */
    CHECK(MOVABLE_T32(0xed9f, 0x0b02));  /* vldr d0, literal */
}

TEST(probe_arm_movable_conditions)
{
    CHECK(MOVABLE_T32(0xbf08, 0x2000));  /* it eq; moveq */
    CHECK(MOVABLE_T32(0xbf18, 0x4b01));  /* it ne; ldrne r3, literal */
    CHECK(is_movable_a32(0x159f3004));   /* ldrne r3, literal */
    CHECK(!MOVABLE_T32(0xbf04, 0x2000)); /* half of a block */
}

/* --- the plan --- */

struct planned {
    uint8_t *image;
    struct elf_module *m;
    struct cfi *c;
    struct probe_plan p;
};

static void plan_bytes(struct planned *x, uint8_t *image, size_t len)
{
    x->image = image;
    CHECK_INT(elf_open(image, len, &x->m, NULL), 0);
    CHECK_INT(cfi_new(&(struct cfi_image){image, len, NULL}, NULL, &x->c, NULL), 0);
    CHECK_INT(probe_plan_init(&x->p, x->m, x->c, NULL), 0);
}

static void planned_release(struct planned *x)
{
    probe_plan_release(&x->p);
    cfi_free(x->c);
    elf_close(x->m);
    free(x->image);
}

/* Functions at 0x1000, 0x100c, 0x1014, 0x1028, in the index; 0x1020 is called by the third. The
 * last is A32. */
static void plan_five(struct planned *x)
{
    static const uint16_t code[] = {
        0xb510, 0x4604, 0x3c01, 0xd1fd, 0xbd10, 0xbf00,         /* push; mov; subs; bne; pop */
        0xb510, 0x3c01, 0xd1fd, 0xbd10,                         /* bne to the second */
        0xe92d, 0x41f0, 0xf000, 0xf802, 0xe8bd, 0x81f0,         /* push.w; bl 0x1020; pop.w */
        0xb108, 0x3801, 0x4770, 0x4770,                         /* cbz; subs; bx lr */
        0x4010, 0xe92d, 0x4000, 0xe1a0, 0x000e, 0xe1a0, 0x8010, /* push; mov r4, r0; */
        0xe8bd};                                                /* mov r0, lr; pop */
    static const uint32_t start[] = {0x1000, 0x100c, 0x1014, 0x1028};
    uint8_t table[8 * 4], bytes[sizeof code];
    for (uint32_t i = 0; i < 4; i++) {
        put_le32(table + 8 * i, (start[i] - (ARMELF_TABLE + 8 * i)) & 0x7fffffff);
        put_le32(table + 8 * i + 4, 1);
    }
    for (size_t i = 0; i < sizeof code / 2; i++)
        put_le16(bytes + 2 * i, code[i]);
    struct armelf_parts parts = {bytes, sizeof bytes, table, sizeof table, sizeof table};
    size_t len;
    uint8_t *image = armelf_new(&parts, &len);
    plan_bytes(x, image, len);
}

TEST(probe_arm_plan_of_both_sets)
{
    static const struct probe_site wanted[] = {
        {.start = 0x1000, .way = PROBE_SEVERAL, .thumb = true, .saved_at = -4},
        {.start = 0x100c, .reason = PROBE_JUMP_TARGET, .thumb = true, .saved_at = -4},
        {.start = 0x1014, .way = PROBE_FIRST, .thumb = true, .saved_at = -4},
        {.start = 0x1020, .way = PROBE_SEVERAL, .thumb = true},
        {.start = 0x1028, .way = PROBE_FIRST, .returns = PROBE_RETURN_READ, .saved_at = -4}};
    struct planned x;
    plan_five(&x);
    CHECK_INT(x.p.count, 5);
    for (size_t i = 0; i < x.p.count && i < 5; i++) {
        const struct probe_site *s = &x.p.site[i], *w = &wanted[i];
        CHECK_INT(s->start, w->start);
        CHECK_INT(s->way, w->way);
        CHECK_INT(s->reason, w->reason);
        CHECK_INT(s->returns, w->returns);
        CHECK_INT(s->thumb, w->thumb);
        CHECK_INT(s->saved_at, w->saved_at);
    }
    planned_release(&x);
}

TEST(probe_arm_plan_of_a_stripped_program)
{
    struct planned x;
    struct probe_counts n;
    size_t len;
    char *bytes = unit_file("data/cfi/armhf", &len);
    plan_bytes(&x, (uint8_t *)bytes, len);
    probe_plan_count(&x.p, &n);
    CHECK_INT(x.p.count, 7);
    CHECK_INT(n.way[PROBE_SEVERAL], 7);
    CHECK_INT(n.returns[PROBE_RETURN_HOOKED], 7);
    planned_release(&x);
}
