#include "unit.h"

#include "core/base/buf.h"
#include "core/io/processes.h"

#include <string.h>

static struct io_process *begin(struct io_processes *all, int32_t pid, const char *name)
{
    return io_processes_begin(all, &(struct io_process_id){pid, 1, name});
}

static void did(struct io_process *p, enum io_message message, uint64_t bytes)
{
    struct io_done done = {.message = message,
                           .start_ns = 1000,
                           .end_ns = 3000,
                           .request = message == IO_WRITE ? bytes : 0,
                           .reply = message == IO_READ ? bytes : 0};
    io_process_done(p, &done);
}

static void check_json(const struct io_processes *all, enum io_sort sort, const char *want)
{
    struct buf out = BUF_INIT;
    struct io_report_options options = {.sort = sort, .backend = "a test"};
    io_processes_json(all, &options, &out);
    const char *at = strstr(buf_str(&out), "\"processes\":");
    CHECK(at);
    if (at)
        CHECK_STR(at, want);
    buf_release(&out);
}

TEST(a_process_has_its_operations_and_total_has_all)
{
    struct io_processes *all = io_processes_new();
    struct io_process *a = begin(all, 5, "sh"), *b = begin(all, 6, "cat");
    CHECK(begin(all, 5, "sh") == a); /* another thread */
    did(a, IO_OPEN, 0);
    did(a, IO_READ, 10);
    did(b, IO_READ, 100);
    did(b, IO_WRITE, 50);
    io_process_done(
        b, &(struct io_done){.message = IO_OPEN, .error = true, .start_ns = 5, .end_ns = 6});
    io_process_rename(a, "a name of many letters");
    check_json(
        all, IO_SORT_CLOSED,
        "\"processes\":[{\"pid\":6,\"parent\":1,\"program\":\"cat\",\"calls\":3,\"opens\":0,"
        "\"failed\":1,\"reads\":1,\"read_bytes\":100,\"writes\":1,\"written_bytes\":50,"
        "\"time_ns\":4001},{\"pid\":5,\"parent\":1,\"program\":\"a name of many \",\"calls\":2,"
        "\"opens\":1,\"failed\":0,\"reads\":1,\"read_bytes\":10,\"writes\":0,"
        "\"written_bytes\":0,\"time_ns\":4000}],\"total\":{\"calls\":5,\"opens\":1,"
        "\"failed\":1,\"reads\":2,\"read_bytes\":110,\"writes\":1,\"written_bytes\":50,"
        "\"time_ns\":8001}}\n");
    io_processes_free(all);
}

TEST(a_pid_that_is_used_again_is_another_process)
{
    struct io_processes *all = io_processes_new();
    struct io_process *first = begin(all, 5, "one");
    begin(all, 5, "one");
    did(first, IO_READ, 7);
    io_process_end(first);
    CHECK(begin(all, 5, "one") == first); /* a thread of it lives */
    io_process_end(first);
    io_process_end(first);
    struct io_process *second = begin(all, 5, "two");
    CHECK(second != first);
    did(second, IO_READ, 9);
    check_json(
        all, IO_SORT_NAME,
        "\"processes\":[{\"pid\":5,\"parent\":1,\"program\":\"one\",\"calls\":1,\"opens\":0,"
        "\"failed\":0,\"reads\":1,\"read_bytes\":7,\"writes\":0,\"written_bytes\":0,"
        "\"time_ns\":2000},{\"pid\":5,\"parent\":1,\"program\":\"two\",\"calls\":1,\"opens\":0,"
        "\"failed\":0,\"reads\":1,\"read_bytes\":9,\"writes\":0,\"written_bytes\":0,"
        "\"time_ns\":2000}],\"total\":{\"calls\":2,\"opens\":0,\"failed\":0,\"reads\":2,"
        "\"read_bytes\":16,\"writes\":0,\"written_bytes\":0,\"time_ns\":4000}}\n");
    io_processes_free(all);
}

TEST(processes_over_the_limit_are_in_the_total)
{
    struct io_processes *all = io_processes_new();
    struct buf out = BUF_INIT;
    struct io_report_options options = {.backend = "a test", .size.rows = 1};
    for (int32_t i = 1; i <= IO_PROCESS_ROWS + 3; i++)
        did(begin(all, i, "p"), IO_WRITE, 2);
    io_processes_text(all, &options, &out);
    CHECK(strstr(buf_str(&out), "(65538 more)"));
    CHECK(strstr(buf_str(&out), " 131078 "));
    io_processes_free(all);
    buf_release(&out);
}
