/* Runs in a stream of entries and exits of several threads. */
#include "unit.h"

#include "core/topo/threads.h"

#include <errno.h>

enum { START = 0x1000, OTHER = 0x2000 };

static const char *name_function(void *arg, uint64_t address, uint64_t *begin)
{
    (void)arg;
    *begin = address & ~UINT64_C(0xfff);
    return *begin == START ? "start" : "other";
}

struct stream {
    struct topo topo;
    struct topo_runs runs;
    struct topo_threads threads;
    uint64_t time_ns;
};

static void begin(struct stream *s, uint64_t want)
{
    topo_init(&s->topo);
    topo_runs_init(&s->runs, &s->topo);
    s->threads = (struct topo_threads){
        .runs = &s->runs, .start = {START}, .starts = 1, .want = want, .name = name_function};
    s->time_ns = 0;
}

static void end(struct stream *s)
{
    topo_threads_release(&s->threads);
    topo_runs_release(&s->runs);
    topo_release(&s->topo);
}

static void enter(struct stream *s, int cpu, int64_t pid, uint64_t address, int64_t depth)
{
    struct topo_event e = {.kind = TOPO_ENTRY,
                           .cpu = cpu,
                           .pid = pid,
                           .time_ns = ++s->time_ns,
                           .address = address,
                           .depth = depth};
    topo_threads_add(&s->threads, &e);
}

static void leave(struct stream *s, int cpu, int64_t pid, uint64_t address, int64_t depth)
{
    struct topo_event e = {.kind = TOPO_EXIT,
                           .cpu = cpu,
                           .pid = pid,
                           .time_ns = ++s->time_ns,
                           .address = address,
                           .depth = depth,
                           .call_ns = 100,
                           .return_ns = 110 + (uint64_t)(depth ? 0 : 10)};
    topo_threads_add(&s->threads, &e);
}

static void run(struct stream *s, int cpu, int64_t pid)
{
    enter(s, cpu, pid, START, 0);
    enter(s, cpu, pid, OTHER, 1);
    leave(s, cpu, pid, OTHER, 1);
    leave(s, cpu, pid, START, 0);
}

/* From the time of a CPU's last event up to now. */
static void lose(struct stream *s, int cpu, uint64_t missed)
{
    struct topo_event e = {.kind = TOPO_GAP, .cpu = cpu, .return_ns = s->time_ns, .missed = missed};
    topo_threads_add(&s->threads, &e);
}

TEST(no_more_runs_than_wanted)
{
    struct stream s;
    begin(&s, 2);
    enter(&s, 1, 9, START, 0); /* goes on when there are enough */
    for (int i = 0; i < 5; i++)
        run(&s, 0, 7);
    lose(&s, 0, 4);
    CHECK_INT(topo_threads_end(&s.threads), 0);
    CHECK_INT(s.topo.runs, 2);
    CHECK_INT(s.topo.dropped[TOPO_UNFINISHED], 0);
    CHECK_INT(s.threads.losses, 0);
    end(&s);
}

TEST(idle_threads_of_two_processors_are_two)
{
    struct stream s;
    begin(&s, 9);
    enter(&s, 0, 0, START, 0);
    enter(&s, 1, 0, START, 0);
    enter(&s, 0, 0, OTHER, 1);
    leave(&s, 1, 0, START, 0);
    leave(&s, 0, 0, OTHER, 1);
    leave(&s, 0, 0, START, 0);
    CHECK_INT(topo_threads_end(&s.threads), 0);
    CHECK_INT(s.topo.runs, 2);
    end(&s);
}

TEST(a_gap_drops_what_may_have_been_there)
{
    struct stream s;
    begin(&s, 9);
    enter(&s, 0, 1, START, 0); /* was on 0 */
    enter(&s, 1, 2, START, 0); /* comes to 0 */
    enter(&s, 1, 3, START, 0); /* stays on 1 */
    lose(&s, 0, 3);
    lose(&s, 0, TRACE_MISSED_MANY);
    leave(&s, 1, 1, START, 0);
    enter(&s, 0, 2, OTHER, 1);
    leave(&s, 1, 3, START, 0);
    run(&s, 0, 2); /* what begins behind it is whole */
    run(&s, 0, 1);
    CHECK_INT(topo_threads_end(&s.threads), 0);
    CHECK_INT(s.topo.runs, 3);
    CHECK_INT(s.topo.dropped[TOPO_LOST], 2);
    CHECK_INT(s.threads.losses, 2);
    CHECK_INT(s.threads.lost, 3);
    end(&s);
}

TEST(its_own_thread_is_passed_over)
{
    struct stream s;
    begin(&s, 9);
    s.threads.own = 7;
    run(&s, 0, 7);
    run(&s, 0, 8);
    CHECK_INT(topo_threads_end(&s.threads), 0);
    CHECK_INT(s.topo.runs, 1);
    end(&s);
}

static void probe(struct stream *s, enum topo_event_kind kind, int64_t pid, uint64_t address)
{
    s->time_ns += 10;
    struct topo_event e = {.kind = kind,
                           .pid = pid,
                           .time_ns = s->time_ns,
                           .address = address,
                           .depth = TOPO_NO_DEPTH};
    topo_threads_add(&s->threads, &e);
}

TEST(depths_and_times_that_only_the_order_tells)
{
    struct stream s;
    begin(&s, 9);
    probe(&s, TOPO_ENTRY, 7, START);
    probe(&s, TOPO_ENTRY, 7, OTHER);
    probe(&s, TOPO_ENTRY, -1, OTHER); /* an interrupt */
    probe(&s, TOPO_EXIT, -1, OTHER);
    probe(&s, TOPO_EXIT, 7, OTHER);
    probe(&s, TOPO_EXIT, 7, START);
    probe(&s, TOPO_ENTRY, 8, START); /* without an entry */
    probe(&s, TOPO_EXIT, 8, OTHER);
    probe(&s, TOPO_EXIT, 8, START);
    probe(&s, TOPO_EXIT, 8, START);
    CHECK_INT(topo_threads_end(&s.threads), 0);
    CHECK_INT(topo_finish(&s.topo), 0);
    CHECK_INT(s.topo.runs, 1);
    CHECK_INT(s.topo.functions, 2);
    CHECK_INT(s.topo.function[0].total, 50);
    CHECK_INT(s.topo.function[0].local, 20);
    CHECK_INT(s.topo.function[1].depth, 1);
    CHECK_INT(s.topo.function[1].calls, 1);
    CHECK_INT(s.topo.dropped[TOPO_NO_ENTRY], 1);
    end(&s);
}

TEST(memory_of_runs_without_an_end_is_bounded)
{
    struct stream s;
    begin(&s, 9);
    enter(&s, 0, 7, START, 0);
    for (int i = 0; i < TOPO_RUN_CALLS_MAX; i++) {
        enter(&s, 0, 7, OTHER, 1);
        leave(&s, 0, 7, OTHER, 1);
    }
    run(&s, 0, 8);
    CHECK_INT(s.runs.calls, 0);
    CHECK_INT(topo_threads_end(&s.threads), 0);
    CHECK_INT(s.topo.dropped[TOPO_TOO_LARGE], 1);
    CHECK_INT(s.topo.runs, 1);
    end(&s);
}

TEST(what_is_no_format_of_the_tracer)
{
    static const char entry[] =
        "name: funcgraph_entry\nID: 11\nformat:\n"
        "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
        "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n"
        "\tfield:unsigned long func;\toffset:8;\tsize:4;\tsigned:1;\n"
        "\tfield:int depth;\toffset:12;\tsize:4;\tsigned:1;\n";
    static struct topo_graph_decoder d;
    CHECK_INT(topo_graph_learn(&d, entry, sizeof entry - 1), 0);
    CHECK_INT(d.entry.id, 11);
    CHECK_INT(topo_graph_learn(&d, entry, 100), -EINVAL);
    CHECK_INT(topo_graph_learn(&d, "name: x\nID: 1\n", 14), -EINVAL);
    CHECK_INT(topo_graph_learn(&d, "", 0), -EINVAL);
}
