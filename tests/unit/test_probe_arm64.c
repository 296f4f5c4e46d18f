#include "unit.h"

#include "core/elf/elf.h"
#include "core/probe/plan.h"
#include "core/unwind/cfi.h"

#include <stdlib.h>

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
