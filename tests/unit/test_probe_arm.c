#include "unit.h"

#include "core/base/bytes.h"
#include "core/elf/elf.h"
#include "core/probe/plan.h"
#include "core/probe/relocate.h"
#include "core/unwind/cfi.h"

#include "../lib/armelf.h"

#include <errno.h>
#include <string.h>

/* --- relocation, from 0x10000 --- */

static const char *shown(int n, const uint8_t *out, unsigned size)
{
    static char text[3 * PROBE_MAX_MOVED];
    text[0] = '\0';
    if (n < 0)
        return n == -ERANGE ? "too far" : "cannot be moved";
    for (int i = 0; i < n; i += (int)size)
        sprintf(text + strlen(text), size == 2 ? "%s%04x" : "%s%08x", i ? " " : "",
                size == 2 ? get_le16(out + i) : (unsigned)get_le32(out + i));
    return text;
}

static const char *moved_a32(uint32_t word, uint32_t to)
{
    uint8_t bytes[4], out[PROBE_MAX_MOVED];
    put_le32(bytes, word);
    struct probe_moved m = {bytes, sizeof bytes, 0x10000, to, false};
    return shown(probe_arm_relocate(&m, out), out, 4);
}

/* Up to three halves. */
static const char *moved_t32(const uint16_t *half, size_t count, uint32_t to)
{
    uint8_t bytes[8], out[PROBE_MAX_MOVED];
    for (size_t i = 0; i < count; i++)
        put_le16(bytes + 2 * i, half[i]);
    struct probe_moved m = {bytes, 2 * count, 0x10000, to, true};
    return shown(probe_arm_relocate(&m, out), out, 2);
}

#define MOVED_T32(...)                                                                             \
    moved_t32((const uint16_t[]){__VA_ARGS__},                                                     \
              sizeof((const uint16_t[]){__VA_ARGS__}) / sizeof(uint16_t), 0x20000)

TEST(probe_arm_plain_code_is_kept)
{
    CHECK_STR(moved_a32(0xe92d4010, 0x20000), "e92d4010 eaffbffe"); /* push; b 10004 */
    CHECK_STR(moved_a32(0xe12fff1e, 0x20000), "e12fff1e");          /* bx lr */
    CHECK_STR(MOVED_T32(0xb510, 0x4604), "b510 4604 f7ef bffe");    /* push; mov; b 10004 */
    CHECK_STR(MOVED_T32(0xe92d, 0x41f0), "e92d 41f0 f7ef bffe");
    CHECK_STR(MOVED_T32(0x4770, 0xbf00), "4770"); /* bx lr; padding */
}

TEST(probe_arm_jumps)
{
    CHECK_STR(moved_a32(0xea000002, 0x20000), "eaffc002");                           /* b */
    CHECK_STR(moved_a32(0x0a000002, 0x20000), "1a000000 eaffc001 eaffbffd");         /* beq */
    CHECK_STR(moved_a32(0xeb000002, 0x20000), "e300e004 e340e001 eaffc000");         /* bl */
    CHECK_STR(moved_a32(0xea000002, 0x8000000), "e51ff004 00010010");                /* b */
    CHECK_STR(MOVED_T32(0xb510, 0xb108), "b510 b908 f7f0 b800 f7ef bffc");           /* cbz */
    CHECK_STR(MOVED_T32(0xf000, 0xf802), "f240 0e05 f2c0 0e01 f7ef bffe");           /* bl */
    CHECK_STR(MOVED_T32(0xf000, 0xe802), "f240 0e05 f2c0 0e01 f8df f000 0008 0001"); /* blx */
}

TEST(probe_arm_what_reads_the_pc)
{
    CHECK_STR(moved_a32(0xe59f3004, 0x20000), "e300300c e3403001 e5933000 eaffbffc"); /* ldr */
    CHECK_STR(moved_a32(0xe08f3003, 0x20000),
              "e92d0001 e3000008 e3400001 e0803003 e8bd0001 eaffbffa"); /* add r3, pc, r3 */
    CHECK_STR(MOVED_T32(0x4b01, 0xb510), "f240 0308 f2c0 0301 f8d3 3000 b510 f7ef bff9");
    CHECK_STR(MOVED_T32(0x447b, 0xb510), "b401 f240 0004 f2c0 0001 4403 bc01 b510 f7ef bff8");
    CHECK_STR(MOVED_T32(0xa301, 0xb510), "f240 0308 f2c0 0301 b510 f7ef bffb"); /* adr */
}

TEST(probe_arm_conditions)
{
    /* it eq; moveq: its own block. it ne; ldrne r3, literal: skipped */
    CHECK_STR(MOVED_T32(0xbf08, 0x2000), "bf08 2000 f7ef bffe");
    CHECK_STR(MOVED_T32(0xbf18, 0x4b01), "d005 f240 0308 f2c0 0301 f8d3 3000 f7ef bff9");
    CHECK_STR(moved_a32(0x159f3004, 0x20000), "0a000002 e300300c e3403001 e5933000 eaffbffb");
    CHECK_STR(MOVED_T32(0xbf04, 0x2000), "cannot be moved"); /* half of a block */
}

TEST(probe_arm_that_cannot_be_moved)
{
    CHECK_STR(MOVED_T32(0xf000, 0xf802, 0xb510), "cannot be moved"); /* it would return there */
    CHECK_STR(MOVED_T32(0xe7ff, 0xb510), "cannot be moved");         /* b to the second */
    CHECK_STR(MOVED_T32(0xe8df, 0xf000), "cannot be moved");         /* tbb */
    CHECK_STR(MOVED_T32(0x4778, 0x46c0), "cannot be moved");         /* bx pc */
    CHECK_STR(moved_a32(0xe08ff003, 0x20000), "cannot be moved");    /* add pc, pc, r3 */
    CHECK_STR(moved_a32(0xe92dd800, 0x20000), "cannot be moved");    /* push {.., pc} */
    CHECK_STR(moved_a32(0xe7f000f0, 0x20000), "cannot be moved");    /* udf */
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
