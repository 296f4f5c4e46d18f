#include "unit.h"

#include "core/base/bytes.h"
#include "core/timeline/timeline_model.h"
#include "core/trace/decode.h"

/* --- pages of a kernel that leaves out switches --- */

#define COMMON                                                                                     \
    "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"                         \
    "\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"                         \
    "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n"
static const char switch_format[] =
    "name: sched_switch\nID: 5\nformat:\n" COMMON
    "\tfield:char prev_comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
    "\tfield:pid_t prev_pid;\toffset:24;\tsize:4;\tsigned:1;\n"
    "\tfield:int prev_prio;\toffset:28;\tsize:4;\tsigned:1;\n"
    "\tfield:long prev_state;\toffset:32;\tsize:8;\tsigned:1;\n"
    "\tfield:char next_comm[16];\toffset:40;\tsize:16;\tsigned:0;\n"
    "\tfield:pid_t next_pid;\toffset:56;\tsize:4;\tsigned:1;\n"
    "\tfield:int next_prio;\toffset:60;\tsize:4;\tsigned:1;\n"
    "\nprint fmt: \"%s\", REC->prev_state & 3 ? { 0x1, \"S\" }, { 2, \"D\" }) : \"R\"\n";
static const char wakeup_format[] = "name: sched_wakeup\nID: 6\nformat:\n" COMMON
                                    "\tfield:char comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
                                    "\tfield:pid_t pid;\toffset:24;\tsize:4;\tsigned:1;\n"
                                    "\tfield:int prio;\toffset:28;\tsize:4;\tsigned:1;\n"
                                    "\tfield:int target_cpu;\toffset:32;\tsize:4;\tsigned:1;\n"
                                    "\nprint fmt: \"\"\n";

struct page {
    uint8_t bytes[2048];
    size_t used;
    uint64_t time_ns;
};
enum { DATA_AT = 16, SWITCH_WORDS = 16, WAKEUP_WORDS = 9, ASLEEP = 1 };

static uint8_t *put(struct page *p, uint64_t time_ns, uint32_t words, uint32_t id, int current)
{
    uint8_t *at = p->bytes + DATA_AT + p->used;
    put_le32(at, (uint32_t)(time_ns - p->time_ns) << 5 | words);
    put_le32(at + 4, id);
    put_le32(at + 8, (uint32_t)current);
    p->time_ns = time_ns;
    p->used += 4 + words * 4;
    return at + 4;
}

static void put_switch(struct page *p, uint64_t time_ns, int from, unsigned state, int to)
{
    uint8_t *r = put(p, time_ns, SWITCH_WORDS, 5, from);
    put_le32(r + 24, (uint32_t)from);
    put_le32(r + 28, 120);
    put_le64(r + 32, state);
    put_le32(r + 56, (uint32_t)to);
    put_le32(r + 60, 120);
}

static void put_wakeup(struct page *p, uint64_t time_ns, int by, int pid, int cpu)
{
    uint8_t *r = put(p, time_ns, WAKEUP_WORDS, 6, by);
    put_le32(r + 24, (uint32_t)pid);
    put_le32(r + 28, 120);
    put_le32(r + 32, (uint32_t)cpu);
}

/* --- what becomes of them --- */

struct decoding {
    struct sched_names names;
    struct trace_decoder decoder;
    struct sched_spans spans;
    char told[512]; /* "Run 7!", ! where it is inferred */
};

static void take(void *arg, const struct sched_event *e)
{
    struct decoding *d = arg;
    size_t len = strlen(d->told);
    snprintf(d->told + len, sizeof d->told - len, "%s%s %d@%d%s", len ? " " : "",
             sched_kind_name(e->kind), e->pid, (int)e->time_ns,
             e->flags & SCHED_INFERRED ? "!" : "");
    sched_spans_add(&d->spans, e);
}

static void begin(struct decoding *d)
{
    static const struct sched_limits many = {.runs = 1024, .marks = 1024};
    *d = (struct decoding){.told = ""};
    trace_decoder_init(&d->decoder, &d->names);
    d->decoder.layout = (struct trace_page_layout){8, 8, DATA_AT, sizeof(struct page)};
    CHECK_INT(trace_decoder_learn(&d->decoder, switch_format, sizeof switch_format - 1), 0);
    CHECK_INT(trace_decoder_learn(&d->decoder, wakeup_format, sizeof wakeup_format - 1), 0);
    sched_spans_init(&d->spans, &many, 1);
}

static void decode(struct decoding *d, int cpu, struct page *p, uint64_t flags)
{
    put_le64(p->bytes, 0);
    put_le64(p->bytes + 8, p->used | flags);
    d->told[0] = '\0';
    trace_decode_page(&d->decoder, cpu, p->bytes, sizeof p->bytes, take, d);
}

static void end(struct decoding *d)
{
    sched_spans_release(&d->spans);
    sched_names_release(&d->names);
}

TEST(a_whole_stream_has_nothing_inferred)
{
    struct decoding d;
    struct page p = {.used = 0};
    begin(&d);
    put_switch(&p, 100, 0, 0, 7);
    put_wakeup(&p, 150, 7, 8, 0);
    put_switch(&p, 200, 7, ASLEEP, 8);
    put_switch(&p, 300, 8, ASLEEP, 0);
    put_wakeup(&p, 350, 0, 7, 0);
    put_switch(&p, 400, 0, 0, 7);
    decode(&d, 0, &p, 0);
    CHECK_STR(d.told,
              "Run 7@100 Ready 8@150 Sleep 7@200 Run 8@200 Sleep 8@300 Ready 7@350 Run 7@400");
    CHECK_INT(d.spans.left_out, 0);
    end(&d);
}

TEST(a_missing_switch_in_is_inferred_from_the_switch_out)
{
    struct decoding d;
    struct page p = {.used = 0};
    begin(&d);
    put_switch(&p, 100, 7, ASLEEP, 0);
    put_wakeup(&p, 200, 0, 8, 0);
    put_switch(&p, 500, 8, ASLEEP, 7); /* the switch to 8 is missing */
    decode(&d, 0, &p, 0);
    CHECK_STR(d.told, "Sleep 7@100 Ready 8@200 Run 8@500! Sleep 8@500 Run 7@500");
    CHECK_INT(d.spans.left_out, 1);
    const struct sched_row *row = sched_row_of(&d.spans, 8);
    CHECK_INT(row->stats.runs, 1);
    CHECK_INT(row->stats.run_ns, 300); /* from its wake-up on, as the CPU was idle */
    CHECK_INT(row->stats.wakeup.count, 0);
    end(&d);
}

TEST(who_wakes_another_runs)
{
    struct decoding d;
    struct page p = {.used = 0};
    begin(&d);
    put_switch(&p, 100, 0, 0, 7);
    put_wakeup(&p, 300, 7, 10, 1);
    put_wakeup(&p, 400, 9, 10, 1); /* by 9, which nobody saw come */
    put_switch(&p, 500, 9, ASLEEP, 0);
    decode(&d, 0, &p, 0);
    CHECK_STR(d.told, "Run 7@100 Ready 10@300 Run 9@400! Ready 10@400 Sleep 9@500");
    CHECK_INT(sched_row_of(&d.spans, 7)->running, 0);
    CHECK_INT(sched_row_of(&d.spans, 9)->stats.runs, 1);
    CHECK_INT(d.spans.cpu[0].busy_ns, 400); /* nothing twice, nothing between */
    end(&d);
}

TEST(who_an_idle_cpu_does_not_run_sleeps)
{
    struct decoding d;
    struct page p = {.used = 0};
    begin(&d);
    put_switch(&p, 100, 0, 0, 7);
    put_wakeup(&p, 200, 7, 10, 0);
    put_wakeup(&p, 400, 0, 7, 0); /* by an interrupt of the idle task */
    decode(&d, 0, &p, 0);
    CHECK_STR(d.told, "Run 7@100 Ready 10@200 Sleep 7@400! Ready 7@400");
    CHECK_INT(sched_row_of(&d.spans, 7)->stats.run_ns, 100);
    CHECK(sched_row_of(&d.spans, 7)->ready);
    end(&d);
}

TEST(behind_a_loss_nothing_is_proven)
{
    struct decoding d;
    struct page p = {.used = 0}, q = {.used = 0};
    begin(&d);
    put_switch(&p, 100, 0, 0, 7);
    decode(&d, 0, &p, 0);
    put_switch(&q, 500, 8, ASLEEP, 9);
    decode(&d, 1, &q, 0); /* of another CPU */
    CHECK_STR(d.told, "Sleep 8@500 Run 9@500");
    decode(&d, 0, &q, 1u << 31);
    CHECK_STR(d.told, "Lost -1@0 Sleep 8@500 Run 9@500");
    CHECK_INT(d.spans.left_out, 0);
    end(&d);
}

TEST(any_number_of_a_cpu_or_task_is_taken)
{
    struct decoding d;
    struct page p = {.used = 0};
    begin(&d);
    put_switch(&p, 100, 0, 0, -1);
    put_switch(&p, 200, -2, 0, INT32_MAX);
    put_switch(&p, 300, INT32_MIN, 0, 7);
    for (int cpu = -1; cpu < 2; cpu++)
        decode(&d, cpu * 40000, &p, 0);
    CHECK_INT(d.spans.left_out, 0);
    end(&d);
}
