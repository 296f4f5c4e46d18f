#include "unit.h"

#include "core/base/buf.h"
#include "core/io/failed.h"

#include <stdlib.h>

static void add(struct io_failed *failed, const char *call, int error, const char *program,
                const char *path)
{
    io_failed_add(failed, &(struct io_failure){call, error, program, path});
}

static const char *text_of(const struct io_failed *failed, struct io_report_options options)
{
    static struct buf out;
    buf_clear(&out);
    options.backend = "ptrace";
    io_failed_text(failed, 100, &options, &out);
    return buf_str(&out);
}

static struct io_failed *some_failures(void)
{
    struct io_failed *failed = io_failed_new();
    add(failed, "openat", 2, "cc1", "/b");
    add(failed, "openat", 13, "cc1", "/b");
    add(failed, "openat", 2, "cc1", "/b");
    add(failed, "stat", 2, "sh", "/a/x");
    return failed;
}

TEST(equal_failures_are_one_row)
{
    struct io_failed *failed = some_failures();
    CHECK_STR(text_of(failed, (struct io_report_options){0}),
              "\nFailed Error       Call       Program         File\n"
              "     2 ENOENT      openat     cc1             /b\n"
              "     1 ENOENT      stat       sh              /a/x\n"
              "     1 EACCES      openat     cc1             /b\n"
              "\n4 calls with a file's name failed, of 100 calls about files\n"
              "calls counted by ptrace; not seen: programs that could not be executed\n");
    io_failed_free(failed);
}

TEST(rows_by_name_of_a_pattern)
{
    struct io_failed *failed = some_failures();
    CHECK(strstr(text_of(failed, (struct io_report_options){.sort = IO_SORT_NAME}),
                 "/a/x\n     2 ENOENT      openat     cc1             /b\n     1 EACCES"));
    const char *some = text_of(failed, (struct io_report_options){.path = "/a/*"});
    CHECK(strstr(some, "/a/x\n\n1 call with a file's name failed, of 100 calls"));
    CHECK(!strstr(some, "/b"));
    io_failed_free(failed);
}

TEST(rows_that_do_not_fit_are_one)
{
    struct io_failed *failed = some_failures();
    struct io_report_options options = {.size = {.rows = 1}};
    CHECK(strstr(text_of(failed, options), "/b\n     2                                        "
                                           "(2 more)\n"));
    io_failed_free(failed);
}

TEST(names_cannot_end_a_line)
{
    struct io_failed *failed = io_failed_new();
    add(failed, "openat", 4000, "a\nb", "/x\ny");
    CHECK(strstr(text_of(failed, (struct io_report_options){0}),
                 "     1 error 4000  openat     a?b             /x\\012y\n"));
    io_failed_free(failed);
}

TEST(too_many_rows_are_counted)
{
    struct io_failed *failed = io_failed_new();
    char path[16];
    for (int i = 0; i < IO_FAILED_ROWS + 2; i++) {
        snprintf(path, sizeof path, "/%d", i);
        add(failed, "openat", 2, "sh", path);
    }
    add(failed, "openat", 2, "sh", "/0");
    const char *text = text_of(failed, (struct io_report_options){.size = {.rows = 1}});
    CHECK(strstr(text, "     2 ENOENT      openat     sh              /0\n"));
    CHECK(strstr(text, "\n2 failed calls are in no row: too many different ones\n"));
    io_failed_free(failed);
}

TEST(json_has_every_row)
{
    struct io_failed *failed = some_failures();
    struct buf out = BUF_INIT;
    io_failed_json(failed, 7, &(struct io_report_options){.backend = "ptrace", .path = "/a*"},
                   &out);
    CHECK_STR(buf_str(&out),
              "{\"psuite\":1,\"applet\":\"iostats\",\"method\":\"ptrace\",\"calls\":7,"
              "\"failed_calls\":1,\"unkept\":0,\"failed\":[{\"count\":1,\"call\":\"stat\","
              "\"error\":\"ENOENT\",\"errno\":2,\"program\":\"sh\",\"path\":\"/a/x\"}]}\n");
    buf_release(&out);
    io_failed_free(failed);
}
