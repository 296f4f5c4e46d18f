/* What devices say, and the files that profiles are written as. */
#include "unit.h"

#include "core/base/buf.h"
#include "core/base/bytes.h"
#include "core/procfs/plan9_text.h"
#include "core/report/kpdata.h"
#include "core/report/profile_file.h"

#include <errno.h>

TEST(a_line_of_sysstat)
{
    struct buf out = BUF_INIT;
    int64_t column[SYSSTAT_COLUMNS] = {0, 1000, 20000, DEV_ABSENT, 70, 3, 1, 250, 90, 1};
    dev_sysstat_line(column, &out);
    CHECK_STR(buf_str(&out),
              "          0        1000       20000          -1          70           3           1"
              "         250          90           1 \n");
    buf_release(&out);
}

TEST(a_number_wider_than_its_column)
{
    struct buf out = BUF_INIT;
    int64_t column[SYSSTAT_COLUMNS] = {0, 123456789012345};
    dev_sysstat_line(column, &out);
    CHECK(strncmp(buf_str(&out), "          0 123456789012345           0 ", 40) == 0);
    buf_release(&out);
}

TEST(swap_space_and_memory)
{
    struct meminfo m = {.total_kb = 1000,
                        .available_kb = 600,
                        .kernel_kb = 56,
                        .slab_kb = 90,
                        .swap_total_kb = 400,
                        .swap_free_kb = 300};
    struct buf out = BUF_INIT;
    dev_swap(&m, 4096, &out);
    CHECK_STR(buf_str(&out), "1024000 memory\n4096 pagesize\n14 kernel\n86/236 user\n25/100 swap\n"
                             "92160/1024000 kernel malloc\n0/0 kernel draw\n");
    buf_clear(&out);
    m = (struct meminfo){.total_kb = 10, .available_kb = 99, .kernel_kb = 99, .swap_free_kb = 9};
    dev_swap(&m, 4096, &out); /* nonsense gives no negative number */
    CHECK_STR(buf_str(&out), "10240 memory\n4096 pagesize\n2 kernel\n0/0 user\n0/0 swap\n"
                             "0/10240 kernel malloc\n0/0 kernel draw\n");
    buf_release(&out);
}

TEST(dev_time_and_cputime_have_plan_9s_format)
{
    struct buf out = BUF_INIT;
    dev_time(1700568000123456789u, 42, &out);
    CHECK_STR(buf_str(&out), " 1700568000   1700568000123456789                    42            "
                             "1000000000 ");
    buf_clear(&out);
    dev_cputime((const uint64_t[]){10, 20, 30, 0, 0}, &out);
    CHECK_STR(buf_str(&out), "         10          20          30           0           0 ");
    buf_release(&out);
}

TEST(status_of_a_process)
{
    struct pid_status p = {"loop", 'S', 150, 30, 1, 2, 20, 5, 500, 250};
    struct dev_status s = {&p, "glenda", 100, 4096, 900};
    struct buf out = BUF_INIT;
    dev_status(&s, &out);
    CHECK_INT(out.len, 28 + 28 + 12 + 9 * 12);
    CHECK(strncmp(buf_str(&out),
                  "loop                        glenda                      Sleeping  "
                  "         1500         300        4000          10          20 ",
                  128) == 0);
    CHECK_STR(buf_str(&out) + out.len - 48, "         -1        1000           5           5 ");
    buf_release(&out);
}

/* --- profile --- */

TEST(a_profile_adds_up)
{
    const struct profile_hit hit[] = {{0x900, 5000000},
                                      {0x1000, 1600000},
                                      {0x1009, 1600000},
                                      {0x10f8, 1700000},
                                      {0x1100, 100000}};
    struct profile_counts c = {0x1000, 0x1100, 400000, hit, 5};
    struct buf out = BUF_INIT;
    CHECK_INT(profile_file_write(&c, &out), 0);
    CHECK_INT(out.len, 4 * (2 + 0x100 / 8));
    uint32_t total = get_be32(out.data), sum = 0;
    for (size_t at = 4; at < out.len; at += 4)
        sum += get_be32(out.data + at);
    CHECK_INT(total, 10); /* 10.4 ms */
    CHECK_INT(sum, total);
    CHECK_INT(get_be32(out.data + 8), 1);
    CHECK_INT(get_be32(out.data + 12), 2); /* with what the one before had left */
    CHECK_INT(get_be32(out.data + out.len - 4), 1);
    CHECK_INT(get_be32(out.data + 4), 6);
    buf_release(&out);
    c.end = c.base - 1;
    CHECK_INT(profile_file_write(&c, &out), -EFBIG);
    c.end = c.base + ((uint64_t)2 << 30);
    CHECK_INT(profile_file_write(&c, &out), -EFBIG);
}

TEST(histograms_of_a_kernel_are_added)
{
    struct kpdata k;
    struct buf a = BUF_INIT, b = BUF_INIT;
    CHECK_INT(kpdata_init(&k, 0x1000, 0x1080, 1003), 0);
    kpdata_count(&k, 0x1040, 5);
    kpdata_count(&k, 0, 2);
    kpdata_write(&k, &a);
    kpdata_count(&k, 0x1040, 1);
    kpdata_write(&k, &b);
    CHECK(kpdata_add(&a, &b));
    CHECK_INT(get_be32(a.data), 15);
    CHECK_INT(get_be32(a.data + 4), 4);
    CHECK_INT(get_be32(a.data + 8), 1003);
    CHECK_INT(get_be32(a.data + 4 * 8), 11);
    put_be32(b.data + 8, 1000); /* another clock */
    CHECK(!kpdata_add(&a, &b));
    b.len -= 4;
    CHECK(!kpdata_add(&a, &b));
    CHECK_INT(get_be32(a.data), 15);
    buf_release(&a);
    buf_release(&b);
    kpdata_release(&k);
}
