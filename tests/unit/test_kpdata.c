/* The kernel's histogram: written and read again, in both its forms, and what is damaged or
 * hostile. Whole files are goldens of the applet. */
#include "unit.h"

#include "core/base/buf.h"
#include "core/base/bytes.h"
#include "core/report/kpdata.h"
#include "core/symbol/kernel_idle.h"

#include <errno.h>

enum { BASE = 0x10000 };

static struct symtab *two_functions(uint64_t first)
{
    struct symtab_builder *b = symtab_builder_new(NULL);
    symtab_add(
        b, &(struct symbol_found){.addr = first, .size = 0x40, .name = "early", .function = true});
    symtab_add(b, &(struct symbol_found){
                      .addr = first + 0x40, .size = 0x3c, .name = "late", .function = true});
    struct symtab *t = symtab_build(b);
    symtab_builder_free(b);
    return t;
}

static int report_by(const struct buf *data, uint64_t first, uint64_t base, struct buf *out,
                     struct fail *f)
{
    struct symtab *t = two_functions(first);
    int r = kpdata_report((const uint8_t *)data->data, data->len,
                          &(struct kpdata_text){.symbols = t, .base = base}, out, f);
    symtab_free(t);
    return r;
}

static int report(const uint32_t *counter, size_t n, uint64_t base, struct buf *out, struct fail *f)
{
    uint8_t bytes[4];
    struct buf data = BUF_INIT;
    for (size_t i = 0; i < n; i++) {
        put_be32(bytes, counter[i]);
        buf_add(&data, bytes, sizeof bytes);
    }
    int r = report_by(&data, BASE, base, out, f);
    buf_release(&data);
    return r;
}

TEST(what_is_written_is_read)
{
    struct kpdata k;
    struct buf data = BUF_INIT, out = BUF_INIT;
    CHECK_INT(kpdata_init(&k, BASE, BASE + 0x80, 2000), 0);
    CHECK_INT(k.count, 16);
    kpdata_count(&k, BASE + 0x30, 5); /* the first counter that is not a special number */
    kpdata_count(&k, BASE + 0x3f, 1);
    kpdata_count(&k, BASE + 0x7f, 14);
    kpdata_count(&k, BASE + 0x2f, 1); /* these are outside */
    kpdata_count(&k, BASE + 0x80, 2);
    kpdata_count(&k, BASE - 1, 3);
    kpdata_count(&k, 0, 4);
    kpdata_count(&k, UINT64_MAX, 5);
    kpdata_write(&k, &data);
    CHECK_INT(data.len, 16 * 4);
    CHECK_INT(get_be32(data.data + 12), 16);
    CHECK_INT(report_by(&data, BASE, BASE, &out, NULL), 0);
    CHECK_STR(buf_str(&out),
              "total: 35\tin kernel text: 20\toutside kernel text: 15\n"
              "KTZERO 00010000 PGSIZE 4Kb\nms\t  %\tsym\n28\t 70.0\tlate\n12\t 30.0\tearly\n");
    kpdata_release(&k);
    buf_release(&data);
    buf_release(&out);
}

TEST(sizes_that_are_refused)
{
    struct kpdata k;
    CHECK_INT(kpdata_init(&k, BASE, BASE - 1, 1), -EFBIG);
    CHECK_INT(kpdata_init(&k, 0, UINT64_MAX, 1), -EFBIG);
    CHECK_INT(kpdata_init(&k, BASE, BASE, 1), 0); /* room for the special numbers at least */
    CHECK_INT(k.count, 6);
    kpdata_release(&k);
}

/* The reader takes what a tick and a span are from the header. */
TEST(ticks_and_spans_of_the_header)
{
    struct buf out = BUF_INIT;
    const uint32_t c[] = {4, 1, 500, 8, 4, 4, 0, 3}; /* spans of 16 bytes: 0x70 is late's */
    CHECK_INT(report(c, 8, BASE, &out, NULL), 0);
    CHECK_STR(buf_str(&out), "total: 4\tin kernel text: 3\toutside kernel text: 1\n"
                             "KTZERO 00010000 PGSIZE 4Kb\nms\t  %\tsym\n1\t100.0\tlate\n");
    buf_release(&out);
}

/* Words that do not fit a header are counters, of ms. */
TEST(a_header_that_does_not_fit)
{
    static const uint32_t bad[][16] = {
        {9, 0, 0, 16, 4, 3}, {9, 0, 1, 15, 4, 3}, {9, 0, 1, 16, 5, 3}, {9, 0, 1, 16, 4, 21}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct buf out = BUF_INIT;
        char want[64];
        uint64_t sum = (uint64_t)bad[i][2] + bad[i][3] + bad[i][4] + bad[i][5];
        CHECK_INT(report(bad[i], 16, BASE, &out, NULL), 0);
        snprintf(want, sizeof want, "\n%" PRIu64 "\t", sum);
        CHECK(strstr(buf_str(&out), want));
        CHECK(strstr(buf_str(&out), "early"));
        buf_release(&out);
    }
}

TEST(errors_in_kprofs_words)
{
    struct buf out = BUF_INIT;
    struct fail f;
    const uint32_t two[] = {5, 5}, none[16] = {5, 5}, narrow[] = {5, 5, 1000, 12, 2, 3},
                   more_outside[] = {5, 9, 0, 1};
    CHECK(report(two, 1, BASE, &out, &f) < 0);
    CHECK_STR(f.what, "data file too short");
    CHECK(report(none, 16, BASE, &out, &f) < 0);
    CHECK_STR(f.what, "no counts");
    CHECK(strstr(buf_str(&out), "\nKTZERO 00010000 PGSIZE 4Kb\n"));
    CHECK(!strstr(buf_str(&out), "sym"));
    CHECK(report(narrow, 6, BASE, &out, &f) < 0);
    CHECK_STR(f.what, "only sample size 4 supported");
    buf_clear(&out);
    CHECK_INT(report(more_outside, 4, BASE, &out, &f), 0);
    CHECK(strncmp(buf_str(&out), "total: 5\tin kernel text: 0\toutside kernel text: 5\n", 50) == 0);
    buf_release(&out);
}

static void check_base(uint64_t first, uint64_t told, size_t counters, const char *want)
{
    struct buf data = BUF_INIT, out = BUF_INIT;
    uint8_t one[4];
    put_be32(one, 1);
    for (size_t i = 0; i < counters; i++)
        buf_add(&data, one, sizeof one);
    CHECK_INT(report_by(&data, first, told, &out, NULL), 0);
    const char *at = strchr(buf_str(&out), '\n');
    CHECK(at && strncmp(at + 1, want, strlen(want)) == 0);
    buf_release(&data);
    buf_release(&out);
}

/* The last function ends 4 bytes before the text's end at first + 0x80. */
TEST(kpdata_base_address_of_the_counters)
{
    check_base(0x10000, 0, 16, "KTZERO 00010000 ");
    check_base(0x30000, 0, (0x20000 + 0x80) / 8,
               "warning: kbase 00010000 != tbase 00030000\nKTZERO 00010000 ");
    check_base(0x30000, 0x10008, 0x8000, "warning: kbase 00010000 != tbase 00030000\n");
    check_base(0x10020, 0, 20, "KTZERO 00010000 ");
    check_base(0x80008000, 0, (0x8000 + 0x80) / 8, "KTZERO 80000000 "); /* ARM */
    check_base(0x80008000, 0x80000000, 0x2000, "KTZERO 80000000 ");
    check_base(0x80018000, 0x80008000, 0x4000,
               "warning: kbase 80008000 != tbase 80010000\nKTZERO 80008000 ");
}

TEST(kernel_idle_names_the_idle_functions)
{
    CHECK(kernel_idle("default_idle") && kernel_idle("cpu_v7_do_idle"));
    CHECK(kernel_idle("acpi_safe_halt.isra.0") && kernel_idle("cpu_do_idle"));
    CHECK(kernel_idle("pvm_safe_halt_hc") && kernel_idle("tdx_safe_halt"));
    CHECK(!kernel_idle("") && !kernel_idle("default") && !kernel_idle("default_idle_x"));
    CHECK(!kernel_idle("cpu__do_idle2") && !kernel_idle("cpu_idle") && !kernel_idle(".idle"));
}
