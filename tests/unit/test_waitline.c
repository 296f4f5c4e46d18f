#include "unit.h"

#include "core/base/buf.h"
#include "core/base/signal_name.h"
#include "core/time/counter.h"
#include "core/time/plan9_line.h"

#include <stdlib.h>

static char *field(char **at)
{
    char *start = *at;
    *at += strcspn(*at, "\t");
    if (**at)
        *(*at)++ = '\0';
    return start;
}

/* user_ms, system_ms, real_ms, words, status text: a line of cases.tsv. */
static void format_case(char *line, struct buf *out)
{
    uint64_t ms[3];
    char *words[32];
    int n = 0;
    for (int i = 0; i < 3; i++)
        ms[i] = strtoull(field(&line), NULL, 10);
    char *command = field(&line);
    for (char *w = strtok(command, " "); w && n < 31; w = strtok(NULL, " "))
        words[n++] = w;
    words[n] = NULL;
    waitline_format(out, ms[0], ms[1], ms[2], words, field(&line));
}

TEST(waitline_is_plan_9s)
{
    char *cases = unit_file("golden/time/cases.tsv", NULL),
         *want = unit_file("golden/time/lines.out", NULL);
    struct buf out = BUF_INIT;
    for (char *line = cases; *line;) {
        char *end = strchr(line, '\n');
        *end = '\0';
        format_case(line, &out);
        line = end + 1;
    }
    CHECK_STR(buf_str(&out), want);
    buf_release(&out);
    free(cases);
    free(want);
}

static const char *status(struct buf *out, bool signalled, int code, bool core)
{
    buf_clear(out);
    waitline_status(out, signalled, code, core);
    return buf_str(out);
}

TEST(waitline_names_a_linux_end)
{
    struct buf out = BUF_INIT;
    CHECK_STR(status(&out, false, 0, false), "");
    CHECK_STR(status(&out, false, 3, false), "exit 3");
    CHECK_STR(status(&out, true, 15, false), "signal 15 SIGTERM");
    CHECK_STR(status(&out, true, 11, true), "signal 11 SIGSEGV (core dumped)");
    CHECK_STR(status(&out, true, 40, false), "signal 40 SIGRT");
    CHECK_STR(signal_name(31), "SIGSYS");
    CHECK_STR(signal_name(65), "unknown");
    CHECK_STR(signal_name(-1), "unknown");
    buf_release(&out);
}

TEST(counter_scales_by_its_share_of_the_time)
{
    struct counter_reading half = {COUNTER_COUNTED, 500, 1000, 500},
                           never = {COUNTER_COUNTED, 0, 1000, 0};
    struct counter_reading idle = {COUNTER_COUNTED, 7, 0, 0};
    CHECK(counter_scaled(&half) == 1000 && counter_share(&half) == 0.5);
    CHECK(counter_scaled(&never) == 0 && counter_share(&never) == 0);
    CHECK(counter_scaled(&idle) == 7 && counter_share(&idle) == 1);
    CHECK(!counter_reason(COUNTER_USER_ONLY));
    CHECK_STR(counter_reason(COUNTER_MISSING), "not on this machine");
}
