#include "unit.h"

#include "core/perf/switches.h"

/* What was handed on, a wait a word: TID:WHERE:START-END, `p' when preempted, `+' when a further
 * part. */
static char seen[512];

static void over(void *arg, const struct wait *w)
{
    size_t at = strlen(seen);
    (void)arg;
    snprintf(seen + at, sizeof seen - at, "%u:%d:%u-%u%s%s ", w->tid,
             w->location == WAITS_NO_LOCATION ? -1 : (int)w->location, (unsigned)w->start_ns,
             (unsigned)w->end_ns, w->preempted ? "p" : "", w->first ? "" : "+");
}

static struct waits fresh(void)
{
    seen[0] = '\0';
    return (struct waits){.on_wait = over};
}

static struct waits_switch at(uint32_t tid, uint32_t where, uint64_t time)
{
    return (struct waits_switch){.pid = 1, .tid = tid, .location = where, .time_ns = time};
}

/* A switch as the kernel tells of it: twice. */
static void leave(struct waits *w, uint32_t tid, uint32_t where, uint64_t time, bool preempted)
{
    struct waits_switch s = at(tid, where, time), off = at(tid, WAITS_NO_LOCATION, time + 1);
    waits_out(w, &s);
    waits_off(w, &off, preempted);
}

TEST(a_switch_away_ends_with_the_next_one_of_that_thread)
{
    struct waits w = fresh();
    leave(&w, 7, 3, 100, false);
    leave(&w, 8, 4, 110, true);
    waits_on(&w, 8, 150);
    waits_on(&w, 7, 200);
    leave(&w, 7, 5, 300, false);
    waits_on(&w, 9, 310); /* of which nothing is known */
    waits_on(&w, 7, 320);
    CHECK_STR(seen, "8:4:111-150p 7:3:101-200 7:5:301-320 ");
    CHECK_INT(w.forgotten + w.spanning, 0);
    waits_release(&w);
}

TEST(a_wait_is_known_from_half_of_a_switch)
{
    struct waits w = fresh();
    struct waits_switch s = at(7, 3, 100), off = at(8, WAITS_NO_LOCATION, 100);
    waits_out(&w, &s); /* why it went is lost */
    waits_on(&w, 7, 200);
    waits_off(&w, &off, true); /* where it was is lost */
    waits_on(&w, 8, 250);
    CHECK_STR(seen, "7:3:100-200 8:-1:100-250p ");
    CHECK_INT(w.forgotten, 0);
    waits_release(&w);
}

TEST(a_wait_whose_end_was_lost_is_forgotten_and_counted)
{
    struct waits w = fresh();
    struct waits_switch off = at(8, WAITS_NO_LOCATION, 400);
    leave(&w, 7, 3, 100, false);
    leave(&w, 7, 4, 200, false); /* it came in between */
    waits_on(&w, 7, 300);
    CHECK_INT(w.forgotten, 1);
    leave(&w, 7, 5, 310, false);
    waits_runs(&w, 7);
    waits_on(&w, 7, 390);
    CHECK_INT(w.forgotten, 2);
    leave(&w, 8, 6, 310, false);
    waits_off(&w, &off, false);
    waits_on(&w, 8, 500);
    CHECK_INT(w.forgotten, 3);
    CHECK_STR(seen, "7:4:201-300 8:-1:400-500 ");
    waits_release(&w);
}

TEST(a_wait_over_lost_records_is_kept_and_counted)
{
    struct waits w = fresh();
    leave(&w, 7, 3, 100, false);
    waits_lost(&w);
    waits_on(&w, 7, 200);
    leave(&w, 7, 3, 210, false);
    waits_on(&w, 7, 220);
    CHECK_INT(w.spanning, 1);
    CHECK_STR(seen, "7:3:101-200 7:3:211-220 ");
    waits_release(&w);
}

TEST(an_exit_ends_the_wait_and_what_comes_behind_is_none)
{
    struct waits w = fresh();
    leave(&w, 7, 3, 100, false);
    waits_ended(&w, 7, 150);
    leave(&w, 7, 4, 160, false); /* away for good */
    waits_end(&w, 1000);
    CHECK_STR(seen, "7:3:101-150 ");
    waits_began(&w, 7); /* another one */
    leave(&w, 7, 5, 1100, false);
    waits_on(&w, 7, 1200);
    CHECK_STR(seen, "7:3:101-150 7:5:1101-1200 ");
    CHECK_INT(w.forgotten, 0);
    waits_release(&w);
}

TEST(who_slept_before_all_began_waits_since_then)
{
    struct waits w = fresh();
    struct waits_switch s7 = at(7, 3, 50), s8 = at(8, WAITS_NO_LOCATION, 50), s9 = at(9, 3, 50);
    waits_asleep(&w, &s7);
    waits_asleep(&w, &s8);
    waits_asleep(&w, &s9);
    waits_on(&w, 7, 40); /* it woke while we looked */
    leave(&w, 9, 4, 60, false);
    waits_on(&w, 8, 100);
    waits_end(&w, 200);
    CHECK_STR(seen, "8:-1:50-100 9:4:61-200 ");
    CHECK_INT(w.forgotten, 0);
    waits_release(&w);
}

TEST(parts_add_up_to_the_wait)
{
    struct waits w = fresh();
    leave(&w, 7, 3, 100, false);
    waits_until(&w, 50); /* before it */
    waits_until(&w, 200);
    waits_until(&w, 300);
    waits_on(&w, 7, 350);
    CHECK_STR(seen, "7:3:101-200 7:3:200-300+ 7:3:300-350+ ");
    waits_release(&w);
}

/* Of many threads, whose waits end in any order, each ends at its own time. */
TEST(concurrent_waits_of_many_threads_stay_separate)
{
    enum { THREADS = 1000 };
    struct waits w = fresh();
    uint64_t sum = 0;
    for (uint32_t i = 0; i < THREADS; i++)
        leave(&w, i + 1, i, 10, false);
    CHECK_INT(w.count, THREADS);
    for (uint32_t i = 0; i < THREADS; i++) {
        uint32_t tid = i * 7 % THREADS + 1;
        char want[64];
        seen[0] = '\0';
        waits_on(&w, tid, 100 + tid);
        snprintf(want, sizeof want, "%u:%u:11-%u ", tid, tid - 1, 100 + tid);
        CHECK_STR(seen, want);
        sum += tid;
    }
    CHECK_INT(sum, THREADS * (THREADS + 1) / 2);
    CHECK_INT(w.count, 0);
    waits_release(&w);
}

TEST(threads_that_ended_are_kept_for_a_while)
{
    enum { THREADS = 1000 };
    struct waits w = fresh();
    for (uint32_t tid = 1; tid <= THREADS; tid++)
        waits_ended(&w, tid, tid);
    waits_forget_ended(&w, THREADS);
    struct imap_slot of;
    size_t kept = 0;
    for (size_t i = 0; imap_next(&w.of_tid, &i, &of);)
        kept++;
    CHECK(kept >= 1 && kept < THREADS / 4);
    leave(&w, THREADS, 3, THREADS + 1, false); /* away for good */
    CHECK_INT(w.count, 0);
    leave(&w, 1, 3, THREADS + 1, false); /* another one, whose beginning was not seen */
    CHECK_INT(w.count, 1);
    waits_release(&w);
}

TEST(open_waits_follow_their_locations)
{
    const uint32_t to[] = {0, 0, 1};
    struct waits w = fresh();
    leave(&w, 7, 2, 100, false);
    leave(&w, 8, WAITS_NO_LOCATION, 100, false);
    waits_renumber(&w, to);
    waits_on(&w, 7, 200);
    waits_on(&w, 8, 300);
    CHECK_STR(seen, "7:1:101-200 8:-1:101-300 ");
    waits_release(&w);
}
