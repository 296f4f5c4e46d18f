/* Calls out of entries and exits, and conditions on them. */
#include "unit.h"

#include "core/ktrace/calls.h"
#include "core/ktrace/where.h"

#include <stdlib.h>

static char seen[4096];

static void write_call(void *arg, const struct ktrace_call *c)
{
    size_t len = strlen(seen);
    (void)arg;
    snprintf(seen + len, sizeof seen - len, "%d:%d.%d%s ", (int)c->pid, (int)c->depth,
             (int)c->function, c->ended ? "" : "?");
}

static void add(struct ktrace_calls *c, uint64_t pid, uint32_t function, bool exit)
{
    static uint64_t time;
    ktrace_calls_add(
        c, &(struct ktrace_event){.pid = pid, .function = function, .exit = exit, .time = ++time},
        NULL);
}

static void begin(struct ktrace_calls *c)
{
    seen[0] = '\0';
    ktrace_calls_init(c, write_call, NULL);
}

TEST(calls_come_in_the_order_of_their_entries)
{
    struct ktrace_calls c;
    begin(&c);
    add(&c, 1, 5, false);
    add(&c, 1, 6, false);
    add(&c, 2, 5, false);
    add(&c, 1, 6, true);
    add(&c, 1, 6, false);
    add(&c, 1, 6, true);
    CHECK_STR(seen, "");
    add(&c, 1, 5, true);
    CHECK_STR(seen, "1:0.5 1:1.6 1:1.6 ");
    ktrace_calls_end(&c);
    CHECK_STR(seen, "1:0.5 1:1.6 1:1.6 2:0.5? ");
    CHECK_INT(c.unpaired, 0);
    ktrace_calls_release(&c);
}

TEST(recursion_and_lost_exits)
{
    struct ktrace_calls c;
    begin(&c);
    add(&c, 1, 5, true); /* entered before the tracing */
    add(&c, 1, 5, false);
    add(&c, 1, 7, false); /* its exit is lost */
    add(&c, 1, 5, false);
    add(&c, 1, 8, false); /* and this one's */
    add(&c, 1, 9, false);
    add(&c, 1, 9, true);
    add(&c, 1, 5, true);
    CHECK_INT(c.unpaired, 2);
    add(&c, 1, 5, true);
    CHECK_INT(c.unpaired, 3);
    CHECK_STR(seen, "1:0.5 1:1.5 1:2.9 ");
    ktrace_calls_release(&c);
}

/* --- what they have beyond numbers --- */

static uint64_t frames_seen;
static char text_seen[32];

static void look_at_call(void *arg, const struct ktrace_call *c)
{
    (void)arg;
    frames_seen = frames_seen * 10 + c->frames;
    if (c->text[1])
        snprintf(text_seen, sizeof text_seen, "%s", c->text[1]);
}

TEST(texts_and_stacks_stay_with_their_calls)
{
    struct ktrace_calls c;
    struct ktrace_event e = {.pid = 1, .function = 3, .pc = 0x1000, .time = 1};
    struct ktrace_more m = {.text = {[1] = {"abcdef", 3}}};
    ktrace_calls_init(&c, look_at_call, NULL);
    ktrace_calls_add(&c, &e, &m);
    struct ktrace_more stack = {.what = KTRACE_STACK, .frame_count = 3, .frame = {0x1004, 5, 6}};
    ktrace_calls_add(&c, &e, &stack);
    stack.frame_count = 2;
    ktrace_calls_add(&c, &e, &stack); /* a second one is none of its */
    ktrace_calls_add(&c, &(struct ktrace_event){.pid = 1, .function = 4, .pc = 0x2000}, NULL);
    ktrace_calls_add(&c, &e, &stack); /* begins elsewhere */
    ktrace_calls_add(&c, &(struct ktrace_event){.pid = 1, .function = 3, .exit = true}, &m);
    CHECK_INT(frames_seen, 3);
    CHECK_STR(text_seen, "abc");
    CHECK_INT(c.unpaired, 1);
    ktrace_calls_end(&c);
    ktrace_calls_release(&c);
}

TEST(texts_belong_to_addresses)
{
    struct ktrace_calls c;
    const struct ktrace_event entry = {.pid = 1, .function = 3, .arg = {7, 0x5000}, .time = 1};
    const struct ktrace_event texts = {.pid = 1, .arg = {0x5000, 0x6000}, .time = 2};
    struct ktrace_more m = {.what = KTRACE_TEXTS, .text = {{"early", 5}, {"no", 2}}};
    text_seen[0] = '\0';
    ktrace_calls_init(&c, look_at_call, NULL);
    ktrace_calls_add(&c, &texts, &m); /* no call is open */
    ktrace_calls_add(&c, &entry, NULL);
    ktrace_calls_add(&c, &texts, &m);
    m.text[0] = (struct ktrace_text){"later", 5};
    ktrace_calls_add(&c, &texts, &m);
    m.text[0].at = NULL;
    ktrace_calls_add(&c, &texts, &m);
    ktrace_calls_add(&c, &(struct ktrace_event){.pid = 1, .function = 3, .exit = true}, NULL);
    CHECK_STR(text_seen, "later");
    CHECK_INT(c.unpaired, 0);
    ktrace_calls_release(&c);
}

TEST(a_thread_keeps_no_more_than_it_may)
{
    struct ktrace_calls c;
    begin(&c);
    for (uint32_t i = 0; i < KTRACE_MAX_DEPTH + 3; i++)
        add(&c, 1, i, false);
    CHECK_INT(c.unpaired, 3);
    for (int i = 0; i < KTRACE_MAX_WAITING; i++) {
        seen[0] = '\0';
        add(&c, 2, 1, false);
        add(&c, 2, 2, false);
        add(&c, 2, 2, true);
    }
    ktrace_calls_end(&c);
    CHECK_INT(c.err, 0);
    ktrace_calls_release(&c);
}

static const struct ktrace_signature unknown;

static bool holds(const char *text, const struct ktrace_call *c)
{
    struct ktrace_where w = {.count = 0};
    CHECK_INT(ktrace_where_read(&w, text, NULL), 0);
    return ktrace_where_holds(&w, c, &unknown);
}

TEST(conditions)
{
    const struct ktrace_call c = {.arg = {3, 0xffff888000000000, 4096, (uint64_t)-100},
                                  .returned = 0xfffffff2,
                                  .ended = true};
    struct ktrace_call open = c;
    open.ended = false;
    CHECK(holds("arg1==3&&arg3>=4096", &c));
    CHECK(holds(" arg2 > 0x7fffffffffffffff && arg3 & 0x1000 ", &c));
    CHECK(holds("arg4 == -100", &c));
    CHECK(holds("arg4 < -99", &c));
    CHECK(!holds("arg4 < 5", &c)); /* unsigned */
    CHECK(holds("ret == -14 && ret < 0 && ret != 0", &c));
    CHECK(!holds("ret != 0", &open));
    CHECK(!holds("arg1 == 3 && arg3 < 4096", &c));
    CHECK_INT(ktrace_signed(0xfffff000), 0xfffff000); /* no error's number */
    CHECK_INT(ktrace_signed(0xfffff001), -4095);
}

TEST(what_is_no_condition)
{
    static const char *const wrong[] = {"",           "arg0 > 1",    "arg1",
                                        "arg1 >",     "arg1 > x",    "arg1 = 1",
                                        "arg1 > 1 &", "arg1 > 1 &&", "arg1 > 1 2",
                                        "arg7 > 1",   "arg1 > - 1",  "arg1 > 99999999999999999999"};
    struct ktrace_where w;
    struct fail f;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        w.count = 0;
        CHECK_INT(ktrace_where_read(&w, wrong[i], &f), -22);
    }
    w.count = KTRACE_MAX_CONDITIONS;
    CHECK_INT(ktrace_where_read(&w, "arg1 > 1", &f), -22);
}

TEST(times)
{
    uint64_t ns = 0;
    CHECK(ktrace_read_time("1ms", &ns) == 0 && ns == 1000000);
    CHECK(ktrace_read_time("0.5s", &ns) == 0 && ns == 500000000);
    CHECK(ktrace_read_time(".2us", &ns) == 0 && ns == 200);
    CHECK_INT(ktrace_read_time("1", &ns), -22);
    CHECK_INT(ktrace_read_time("ms", &ns), -22);
    CHECK_INT(ktrace_read_time("1e300s", &ns), -22);
    CHECK_INT(ktrace_read_time("nan", &ns), -22);
}
