#include "unit.h"

#include "core/base/bytes.h"
#include "core/elf/elf.h"
#include "core/probe/plan.h"
#include "core/probe/relocate.h"
#include "core/unwind/cfi.h"

#include <errno.h>
#include <stdlib.h>

/* --- relocation --- */

static const char *moved(uint32_t word, uint64_t to)
{
    static char text[9 * PROBE_MAX_MOVED / 4];
    uint8_t bytes[4], out[PROBE_MAX_MOVED];
    put_le32(bytes, word);
    struct probe_moved m = {.bytes = bytes, .len = sizeof bytes, .from = 0x10004, .to = to};
    int n = probe_arm64_relocate(&m, out);
    if (n < 0)
        return n == -ERANGE ? "too far" : "cannot be moved";
    text[0] = '\0';
    for (int i = 0; i < n; i += 4)
        sprintf(text + 9 * (i / 4), "%08x%s", get_le32(out + i), i + 4 < n ? " " : "");
    return text;
}

TEST(probe_arm64_plain_code_is_kept)
{
    CHECK_STR(moved(0xa9bf7bfd, 0x20000), "a9bf7bfd 17ffc001"); /* stp; b 10008 */
    CHECK_STR(moved(0xd65f03c0, 0x20000), "d65f03c0");          /* ret */
    CHECK_STR(moved(0xd61f0220, 0x20000), "d61f0220");          /* br x17 */
}

TEST(probe_arm64_distances_are_adjusted)
{
    CHECK_STR(moved(0x14000002, 0x20000), "17ffc003");                            /* b 1000c */
    CHECK_STR(moved(0x54000040, 0x20000), "54000040 14000002 17ffc001 17ffbfff"); /* b.eq */
    CHECK_STR(moved(0x37180040, 0x20000), "37180040 14000002 17ffc001 17ffbfff"); /* tbnz */
    CHECK_STR(moved(0x10000043, 0x20000), "90ffff83 91003063 17ffc000"); /* adr x3, 1000c */
    CHECK_STR(moved(0xb0000003, 0x20000), "b0ffff83 17ffc001");          /* adrp x3, 11000 */
    CHECK_STR(moved(0x58000043, 0x20000), "90ffff83 91003063 f9400063 17ffbfff"); /* ldr x3 */
    CHECK_STR(moved(0x9c000043, 0x20000), "90ffff91 91003231 3dc00223 17ffbfff"); /* ldr q3 */
    CHECK_STR(moved(0xd8000040, 0x20000), "d503201f 17ffc001");                   /* prfm */
    CHECK_STR(moved(0x5800005f, 0x20000), "d503201f 17ffc001");                   /* ldr xzr */
}

TEST(probe_arm64_calls_return_to_the_original_code)
{
    CHECK_STR(moved(0x94000002, 0x20000), "90ffff9e 910023de 17ffc001"); /* x30 = 10008; b 1000c */
}

TEST(probe_arm64_that_cannot_be_moved)
{
    CHECK_STR(moved(0xd63f0000, 0x20000), "cannot be moved"); /* blr x0 */
    CHECK_STR(moved(0xa9bf7bfd, 0x10000000), "too far");
}

/* --- the plan --- */

TEST(probe_arm64_plan_of_signed_functions)
{
    struct elf_module *m;
    struct cfi *c;
    struct probe_plan p;
    struct probe_counts n;
    size_t len, saved = 0;
    char *bytes = unit_file("data/cfi/arm64-pac", &len);
    CHECK_INT(elf_open((const uint8_t *)bytes, len, &m, NULL), 0);
    CHECK_INT(cfi_new(&(struct cfi_image){(const uint8_t *)bytes, len, NULL}, NULL, &c, NULL), 0);
    CHECK_INT(probe_plan_init(&p, m, c, NULL), 0);
    probe_plan_count(&p, &n);
    CHECK_INT(p.count, 11);
    CHECK_INT(n.way[PROBE_FIRST], 5);
    CHECK_INT(n.way[PROBE_SECOND], 6);
    for (size_t i = 0; i < p.count; i++) {
        CHECK_INT(p.site[i].at, p.site[i].way == PROBE_SECOND ? 4 : 0);
        saved += p.site[i].saved_at != PROBE_LR_KEPT;
        CHECK(p.site[i].saved_at <= 0);
    }
    CHECK(saved >= 4);
    probe_plan_release(&p);
    cfi_free(c);
    elf_close(m);
    free(bytes);
}

/* Clang's rules are behind its prologues: 0 is PROBE_LR_KEPT. */
TEST(probe_arm64_plan_of_clang)
{
    static const int saved_at[] = {0, 0, -24, -24, -24, -40, -72, -24, -24, -24};
    struct elf_module *m;
    struct cfi *c;
    struct probe_plan p;
    size_t len;
    char *bytes = unit_file("data/cfi/arm64-clang", &len);
    CHECK_INT(elf_open((const uint8_t *)bytes, len, &m, NULL), 0);
    CHECK_INT(cfi_new(&(struct cfi_image){(const uint8_t *)bytes, len, NULL}, NULL, &c, NULL), 0);
    CHECK_INT(probe_plan_init(&p, m, c, NULL), 0);
    CHECK_INT(p.count, 10);
    for (size_t i = 0; i < p.count; i++) {
        CHECK_INT(p.site[i].saved_at, saved_at[i % 10]);
        CHECK_INT(p.site[i].returns, PROBE_RETURN_HOOKED);
    }
    probe_plan_release(&p);
    cfi_free(c);
    elf_close(m);
    free(bytes);
}
