#include "unit.h"

#include "core/base/buf.h"
#include "core/io/machine.h"
#include "core/procfs/proc_io.h"

#include <stdlib.h>
#include <string.h>

/* Bytes that calls read, and 1 call for each; devices read the same. */
static struct proc_io io(uint64_t n)
{
    return (struct proc_io){
        .value = {[PROC_IO_READ] = n, [PROC_IO_READ_CALLS] = n, [PROC_IO_DISK_READ] = n}};
}

struct given {
    int pid, parent;
    uint64_t started, whole;
    uint64_t thread[3]; /* each one's; 0: there is none, as of a process that ended meanwhile;
                           tids are the pid and the next ones */
};

#define DENIED UINT64_MAX /* as whole: not readable */

static void add(struct io_machine *m, const struct given *g)
{
    struct io_thread thread[3];
    struct io_reading r = {.pid = g->pid,
                           .parent = g->parent,
                           .started = g->started,
                           .name = "a program",
                           .name_len = strlen("a program"),
                           .readable = g->whole != DENIED,
                           .whole = io(g->whole),
                           .after = io(g->whole)};
    if (io_machine_changed(m, &r)) {
        r.thread = thread;
        for (int i = 0; i < 3; i++)
            if (g->thread[i])
                thread[r.threads++] = (struct io_thread){g->pid + i, io(g->thread[i]), 0};
    }
    io_machine_add(m, &r);
}

static void end(struct io_machine *m, uint64_t seconds, uint64_t device_read)
{
    io_machine_end(m, &(struct io_round){.time_ns = seconds * 1000000000,
                                         .has_devices = true,
                                         .device_read = device_read});
}

/* What a row has; ended: that of what ended in the process. 0: there is no such row. */
static uint64_t row_of(const struct io_machine *m, int pid, bool ended, bool now)
{
    struct io_machine_row *row;
    size_t n = io_machine_rows(m, IO_SORT_BYTES, now, &row);
    uint64_t bytes = 0;
    for (size_t i = 0; i < n; i++)
        if (row[i].pid == pid && row[i].of_ended == ended) {
            bytes += row[i].io.value[PROC_IO_DISK_READ];
            CHECK_INT(row[i].io.value[PROC_IO_READ], row[i].io.value[PROC_IO_DISK_READ]);
        }
    free(row);
    return bytes;
}

static struct io_machine_sum sum(const struct io_machine *m)
{
    struct io_machine_sum s;
    io_machine_sum(m, false, &s);
    return s;
}

#define ROUND(m, seconds, device, ...)                                                             \
    do {                                                                                           \
        const struct given given[] = {__VA_ARGS__};                                                \
        io_machine_begin(m);                                                                       \
        for (size_t i = 0; i < sizeof given / sizeof *given; i++)                                  \
            add(m, &given[i]);                                                                     \
        end(m, seconds, device);                                                                   \
    } while (0)

TEST(a_process_has_what_it_did_since_the_first_round)
{
    struct io_machine *m = io_machine_new();
    ROUND(m, 1, 5000, {10, 1, 7, 1000, {1000}});
    CHECK_INT(sum(m).io.value[PROC_IO_READ], 0);
    ROUND(m, 2, 5300, {10, 1, 7, 1300, {1300}}, {20, 10, 9, 50, {50}});
    ROUND(m, 3, 5360, {10, 1, 7, 1300, {1300}}, {20, 10, 9, 60, {60}});
    CHECK_INT(row_of(m, 10, false, false), 300);
    CHECK_INT(row_of(m, 10, false, true), 0);
    CHECK_INT(row_of(m, 20, false, false), 60); /* it began later: all of it */
    CHECK_INT(row_of(m, 20, false, true), 10);
    CHECK_INT(sum(m).span_ns, 2000000000);
    CHECK_INT(sum(m).device_read, 360);
    CHECK_INT(sum(m).unattributed, 0);
    io_machine_free(m);
}

TEST(children_that_nobody_saw_are_the_parents)
{
    struct io_machine *m = io_machine_new();
    ROUND(m, 1, 0, {10, 1, 7, 500, {100}}); /* 400 are of earlier children */
    ROUND(m, 2, 0, {10, 1, 7, 1530, {130}});
    CHECK_INT(row_of(m, 10, false, false), 30);
    CHECK_INT(row_of(m, 10, true, false), 1000);
    io_machine_free(m);
}

TEST(a_child_that_was_seen_counts_once)
{
    struct io_machine *m = io_machine_new();
    ROUND(m, 1, 0, {10, 1, 7, 100, {100}}, {20, 10, 8, 600, {600}});
    ROUND(m, 2, 0, {10, 1, 7, 100, {100}}, {20, 10, 8, 1000, {1000}});
    ROUND(m, 3, 0, {10, 1, 7, 1150, {110}}); /* the child read 40 more, and ended */
    CHECK_INT(row_of(m, 20, false, false), 400);
    CHECK_INT(row_of(m, 10, false, false), 10);
    CHECK_INT(row_of(m, 10, true, false), 40);
    CHECK_INT(sum(m).io.value[PROC_IO_READ], 450);
    io_machine_free(m);
}

TEST(a_child_that_is_added_to_its_parent_a_round_later_counts_once)
{
    struct io_machine *m = io_machine_new();
    ROUND(m, 1, 0, {10, 1, 7, 100, {100}});
    ROUND(m, 2, 0, {10, 1, 7, 100, {100}}, {20, 10, 8, 1000, {1000}});
    ROUND(m, 3, 0, {10, 1, 7, 100, {100}}); /* the parent was read before the child ended */
    ROUND(m, 4, 0, {10, 1, 7, 1100, {100}});
    CHECK_INT(row_of(m, 20, false, false), 1000);
    CHECK_INT(row_of(m, 10, true, false), 0);
    CHECK_INT(sum(m).io.value[PROC_IO_READ], 1000);
    io_machine_free(m);
}

TEST(a_child_that_is_never_added_does_not_hide_others)
{
    struct io_machine *m = io_machine_new();
    ROUND(m, 1, 0, {10, 1, 7, 0, {0}}, {20, 10, 8, 1000, {1000}});
    ROUND(m, 2, 0, {10, 1, 7, 0, {0}}); /* SIGCHLD is ignored */
    ROUND(m, 3, 0, {10, 1, 7, 0, {0}});
    ROUND(m, 4, 0, {10, 1, 7, 301, {1}});
    CHECK_INT(row_of(m, 10, true, false), 300);
    io_machine_free(m);
}

TEST(a_child_and_its_parent_that_ended_together_count_once)
{
    struct io_machine *m = io_machine_new();
    ROUND(m, 1, 0, {5, 1, 1, 0, {0}}, {10, 5, 7, 200, {200}}, {20, 10, 8, 1000, {1000}});
    ROUND(m, 2, 0, {5, 1, 1, 1203, {1}}); /* both ended; 2 bytes more */
    CHECK_INT(row_of(m, 5, false, false), 1);
    CHECK_INT(row_of(m, 5, true, false), 2);
    io_machine_free(m);
}

TEST(what_a_process_did_that_ends_while_it_is_read_is_its_own)
{
    struct io_machine *m = io_machine_new();
    ROUND(m, 1, 0, {10, 1, 7, 100, {100}}, {20, 10, 8, 600, {600}}, {30, 20, 9, 50, {50}});
    ROUND(m, 2, 0, {10, 1, 7, 100, {100}}, {20, 10, 8, 700, {700}}, {30, 20, 9, 90, {90}});
    ROUND(m, 3, 0, {10, 1, 7, 100, {100}}, {20, 10, 8, 805, {0}}, {40, 10, 9, 9, {0}});
    CHECK_INT(row_of(m, 20, false, true), 15); /* 90 are those of process 30, which it waited for */
    CHECK_INT(row_of(m, 20, true, true), 0);
    CHECK_INT(row_of(m, 40, false, true), 9);
    ROUND(m, 4, 0, {10, 1, 7, 920, {100}}); /* and 6 that nobody saw */
    CHECK_INT(row_of(m, 10, true, false), 6);
    CHECK_INT(sum(m).io.value[PROC_IO_READ], 100 + 40 + 15 + 9 + 6);
    io_machine_free(m);
}

TEST(a_thread_that_ended_stays_its_processes_own)
{
    struct io_machine *m = io_machine_new();
    ROUND(m, 1, 0, {10, 1, 7, 300, {100, 200}});
    ROUND(m, 2, 0, {10, 1, 7, 700, {100, 600}});
    ROUND(m, 3, 0, {10, 1, 7, 710, {110}}); /* the second one has ended */
    CHECK_INT(row_of(m, 10, false, false), 410);
    CHECK_INT(row_of(m, 10, true, false), 0);
    ROUND(m, 4, 0, {10, 1, 7, 760, {110, 50}}); /* and another has its number */
    ROUND(m, 5, 0, {10, 1, 7, 770, {110, 10}}); /* which another has then */
    CHECK_INT(row_of(m, 10, false, false), 470);
    CHECK_INT(row_of(m, 10, true, false), 0);
    io_machine_free(m);
}

TEST(a_pid_that_is_used_again_is_another_process_of_the_machine)
{
    struct io_machine *m = io_machine_new();
    ROUND(m, 1, 0, {10, 1, 7, 5000, {5000}});
    ROUND(m, 2, 0, {10, 1, 7, 5100, {5100}});
    ROUND(m, 3, 0, {10, 1, 8, 20, {20}});
    CHECK_INT(row_of(m, 10, false, false), 120);
    io_machine_free(m);
}

TEST(what_was_not_readable_is_not_attributed)
{
    struct io_machine *m = io_machine_new();
    ROUND(m, 1, 1000, {10, 1, 7, 0, {0}}, {20, 10, 8, DENIED, {0}});
    ROUND(m, 2, 1700, {10, 1, 7, 0, {0}}, {20, 10, 8, DENIED, {0}});
    CHECK_INT(sum(m).unreadable, 1);
    CHECK_INT(sum(m).processes, 2);
    CHECK_INT(sum(m).unattributed, 700);
    /* All that it did in its life is added to its parent: when is not known. */
    ROUND(m, 3, 1700, {10, 1, 7, 90000, {0}});
    CHECK_INT(sum(m).io.value[PROC_IO_READ], 0);
    CHECK_INT(sum(m).unattributed, 700);
    io_machine_free(m);
}

TEST(rows_of_what_ended_are_bounded)
{
    enum { MANY = IO_MACHINE_ENDED + 500 };
    struct io_machine *m = io_machine_new();
    struct io_machine_row *row;
    ROUND(m, 1, 0, {1, 0, 1, 0, {0}});
    io_machine_begin(m);
    for (int i = 0; i < MANY; i++)
        add(m, &(struct given){1000 + i, 2, 7, 10, {10}});
    end(m, 2, 0);
    ROUND(m, 3, 0, {1, 0, 1, 0, {0}});
    size_t n = io_machine_rows(m, IO_SORT_BYTES, false, &row);
    CHECK(n <= IO_MACHINE_ENDED + 1);
    CHECK_INT(row[0].pid, 0); /* those added up */
    CHECK_STR(row[0].name, "(500 ended)");
    CHECK_INT(sum(m).io.value[PROC_IO_READ], MANY * 10);
    free(row);
    io_machine_free(m);
}

TEST(io_of_a_process_is_parsed)
{
    struct proc_io p;
    CHECK(proc_io_parse("rchar: 4292\nwchar: 0\nsyscr: 13\nsyscw: 2\nread_bytes: 8192\n"
                        "write_bytes: 4096\ncancelled_write_bytes: 1\n",
                        &p));
    CHECK_INT(p.value[PROC_IO_READ], 4292);
    CHECK_INT(p.value[PROC_IO_READ_CALLS], 13);
    CHECK_INT(p.value[PROC_IO_WRITE_CALLS], 2);
    CHECK_INT(p.value[PROC_IO_DISK_READ], 8192);
    CHECK_INT(p.value[PROC_IO_DISK_WRITTEN], 4096);
    CHECK_INT(p.value[PROC_IO_CANCELLED], 1);
    CHECK(proc_io_parse("rchar: 18446744073709551615\n", &p));
    CHECK(p.value[PROC_IO_READ] == UINT64_MAX && p.value[PROC_IO_DISK_READ] == 0);
    CHECK(!proc_io_parse("", &p));
    CHECK(!proc_io_parse("rchar: x\nnonsense", &p));
}
