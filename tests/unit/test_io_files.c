#include "unit.h"

#include "core/io/files.h"
#include "core/io/report.h"

#include <errno.h>
#include <string.h>

/* What descriptors lead to: /f3 is the file of 3, of 100 on pipes; above 200 nothing. */
static size_t path(void *arg, int tid, int fd, char *to, size_t room)
{
    ++*(int *)arg;
    if (fd >= 200)
        return 0;
    return (size_t)snprintf(to, room, fd >= 100 ? "pipe:[%d]" : "/f%d", fd) + 0 * (size_t)tid;
}

/* After an exec the odd ones are closed. */
static bool is_open(void *arg, int tid, int fd)
{
    (void)arg;
    (void)tid;
    return fd % 2 == 0;
}

struct world {
    struct io_counts *counts;
    struct io_files *files;
    struct io_fds *fds;
    int asked;
};

static void begin(struct world *w)
{
    *w = (struct world){.counts = io_counts_new()};
    const struct io_files_ops ask = {.arg = &w->asked, .path = path, .is_open = is_open};
    w->files = io_files_new(w->counts, &ask);
    w->fds = io_fds_new(w->files, true);
}

static const char *report(struct world *w)
{
    static struct buf text;
    const struct io_report_options want = {.sort = IO_SORT_NAME};
    buf_clear(&text);
    io_report_text(w->counts, &want, &text);
    const char *rows = strstr(buf_str(&text), "File\n");
    return rows ? rows + 5 : "";
}

static void end(struct world *w)
{
    io_fds_unref(w->fds);
    io_files_free(w->files);
    io_counts_free(w->counts);
}

/* A call of x86-64 by its number. */
static void call(struct world *w, uint64_t number, int64_t result, uint64_t a, uint64_t b)
{
    struct io_called c = {.call = io_call_find(IO_X86_64, number), .arg = {a, b}, .result = result};
    c.end_ns = 1000;
    if (io_files_enter(w->files, w->fds, 1, &c))
        io_files_exit(w->files, &w->fds, 1, &c);
}

enum { READ = 0, WRITE = 1, OPEN = 2, CLOSE = 3, DUP = 32, DUP2 = 33, FCNTL = 72, SPLICE = 275 };
enum { MMAP = 9, UNSHARE = 272, CLOSE_RANGE = 436 };

TEST(io_files_of_one_process)
{
    struct world w;
    begin(&w);
    call(&w, OPEN, 3, 0, 0);
    call(&w, READ, 10, 3, 0);
    call(&w, READ, -EIO, 3, 0);
    call(&w, WRITE, 20, 3, 0);
    call(&w, WRITE, 5, 1, 0);
    call(&w, CLOSE, 0, 3, 0);
    call(&w, OPEN, 4, 0, 0); /* did no I/O */
    call(&w, CLOSE, 0, 4, 0);
    io_fds_unref(w.fds);
    w.fds = NULL;
    CHECK_STR(report(&w), "    1        1       10        1       20 /f3\n"
                          "    1        0        0        1        5 (stdout)\n");
    CHECK_INT(w.asked, 2);
    end(&w);
}

TEST(io_files_of_the_standard_descriptors_alone)
{
    struct world w = {.counts = io_counts_new()};
    struct io_counts *all = io_counts_new();
    const struct io_files_ops ask = {
        .arg = &w.asked, .path = path, .is_open = is_open, .stdio_only = true};
    w.files = io_files_new(w.counts, &ask);
    w.fds = io_fds_new(w.files, true);
    call(&w, READ, 10, 0, 0);
    call(&w, READ, 10, 3, 0);
    call(&w, DUP2, 1, 3, 1); /* a redirection */
    call(&w, WRITE, 20, 1, 0);
    call(&w, WRITE, 5, 2, 0);
    CHECK_INT(w.asked, 0);
    io_files_finish(w.files); /* while all are open */
    io_counts_add(all, w.counts);
    io_counts_add(all, w.counts);
    end(&w);
    w = (struct world){.counts = all};
    CHECK_STR(report(&w), "    2        2       20        0        0 (stdin)\n"
                          "    2        0        0        2       10 (stderr)\n");
    io_counts_free(all);
}

TEST(io_files_what_is_no_file)
{
    struct world w;
    begin(&w);
    call(&w, READ, 7, 100, 0);
    call(&w, READ, 7, 100, 0);
    call(&w, WRITE, 8, 101, 0);
    call(&w, CLOSE, 0, 100, 0);
    call(&w, READ, -EBADF, 200, 0);
    call(&w, MMAP, 0, 0, 4096); /* of descriptor 0 */
    const struct io_uncounted *u = io_files_uncounted(w.files);
    CHECK_INT(u->reads, 2);
    CHECK_INT(u->read_bytes, 14);
    CHECK_INT(u->writes, 1);
    CHECK_INT(u->maps, 1);
    CHECK_INT(u->map_bytes, 4096);
    struct buf text = BUF_INIT;
    io_uncounted_text(u, &text);
    CHECK_STR(buf_str(&text), "2 reads (14 bytes) of pipes and sockets, 1 write (8 bytes) to "
                              "pipes and sockets, 1 mapping of files (4096 bytes)");
    buf_release(&text);
    end(&w);
}

TEST(io_files_an_open_with_many_descriptors)
{
    struct world w;
    begin(&w);
    call(&w, OPEN, 3, 0, 0);
    call(&w, DUP, 5, 3, 0);
    call(&w, DUP2, 6, 5, 6);
    call(&w, FCNTL, 7, 6, 1030);
    call(&w, FCNTL, 1, 6, 1); /* F_GETFD is no copy */
    call(&w, DUP2, 7, 7, 7);
    struct io_fds *child = io_fds_clone(w.fds);
    call(&w, WRITE, 1, 7, 0);
    call(&w, CLOSE_RANGE, 0, 3, ~UINT64_C(0));
    CHECK_STR(report(&w), "");
    io_fds_exec(child, 2); /* 6 alone is left */
    CHECK_STR(report(&w), "");
    io_fds_unref(child);
    CHECK_STR(report(&w), "    1        0        0        1        1 /f3\n");
    end(&w);
}

TEST(io_files_shared_until_unshared)
{
    struct world w;
    begin(&w);
    struct io_fds *thread = io_fds_ref(w.fds);
    call(&w, OPEN, 3, 0, 0);
    call(&w, READ, 1, 3, 0);
    CHECK(thread == w.fds);
    call(&w, UNSHARE, 0, 0x400, 0);
    CHECK(thread != w.fds);
    call(&w, CLOSE, 0, 3, 0);
    CHECK_STR(report(&w), "");
    io_fds_unref(thread);
    CHECK_STR(report(&w), "    1        1        1        0        0 /f3\n");
    end(&w);
}

TEST(io_files_descriptors_beyond_all_bounds)
{
    struct world w;
    begin(&w);
    call(&w, OPEN, INT64_MAX, 0, 0);
    call(&w, OPEN, IO_FILES_MAX_FD, 0, 0);
    call(&w, READ, 1, UINT64_MAX, 0);
    call(&w, DUP2, INT32_MAX, 1, INT32_MAX);
    call(&w, SPLICE, 1, UINT32_MAX, 0);
    call(&w, CLOSE, 0, 0x7fffffff, 0);
    CHECK_INT(io_files_uncounted(w.files)->untracked, 3);
    end(&w);
}

TEST(io_calls_are_found_by_the_number_of_each_architecture)
{
    CHECK_STR(io_call_find(IO_ARM64, 63)->name, "read");
    CHECK_STR(io_call_find(IO_ARM, 3)->name, "read");
    CHECK_STR(io_call_find(IO_I386, 295)->name, "openat");
    CHECK(!io_call_find(IO_ARM64, 3));
    CHECK(!io_call_find(IO_X86_64, UINT64_MAX));
    CHECK(!io_call_find(IO_X86_64, 0x40000000)); /* x32 */
    CHECK(!io_call_find((enum io_arch)9, 0));
}

TEST(io_called_openat2_has_its_flags_elsewhere)
{
    struct io_called c = {.call = io_call_find(IO_ARM64, 437), .arg = {0, 1, 0x1000, 24}};
    CHECK_INT(io_called_how_addr(&c), 0x1000);
    CHECK_INT(io_called_message(&c), IO_OPEN);
    c.how = 0100;
    CHECK_INT(io_called_message(&c), IO_CREATE);
    c.call = io_call_find(IO_ARM64, 56);
    CHECK_INT(io_called_how_addr(&c), 0);
}

TEST(io_called_that_is_made_again_has_not_ended)
{
    struct io_called c = {.call = io_call_find(IO_ARM64, 63), .result = -512};
    CHECK(io_called_restarts(&c));
    c.result = -EINTR;
    CHECK(!io_called_restarts(&c));
}
