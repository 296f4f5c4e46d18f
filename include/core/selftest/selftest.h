/*
 * selftest: judges measurements of workloads whose result is known, and prints the verdicts.
 *
 *     c = selftest_expect(&report, "faults", "", 2000, 2000, 2020);    before it is measured
 *     measure;
 *     selftest_judge(c, measured);    or selftest_unverified, or selftest_unavailable
 *
 * A check has one verdict. `ok': the measurement lies between min and max. `wrong': it does not.
 * `not verified': something was measured that says nothing, such as a counter that reads 0. `not
 * available': this system cannot measure it, or this user may not.
 */
#pragma once

#include "core/base/fail.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;

enum selftest_verdict {
    SELFTEST_PENDING, /* not judged yet: reported as not verified */
    SELFTEST_OK,
    SELFTEST_WRONG,
    SELFTEST_NOT_VERIFIED,
    SELFTEST_NOT_AVAILABLE,
    SELFTEST_VERDICTS
};

struct selftest_check {
    char name[32];
    char unit[8];              /* of the numbers; empty: a number of things */
    int decimals;              /* of the numbers, as they are printed */
    double expected, min, max; /* min and max are allowed */
    bool has_truth;            /* expected, min and max are set */
    bool counter;              /* it counts what certainly happens: 0 means that it does not work */
    bool timing;               /* it depends on when its workload had a CPU */
    bool has_measured;
    double measured;
    enum selftest_verdict verdict;
    char how[128];    /* ok or wrong: by what, or details; may be empty */
    char why[160];    /* not verified, not available: the reason */
    char remedy[256]; /* a command, a sysctl or a kernel option; may be empty */
};

enum { SELFTEST_MAX_CHECKS = 96 };

struct selftest_report {
    char version[96], machine[200], kernel[140], processor[160];
    struct selftest_check check[SELFTEST_MAX_CHECKS];
    size_t count;
    double seconds;  /* that it took */
    int interrupted; /* by this signal; 0: none */
};

/* Appends a check, whose name is cut to fit. When there are too many, the last one is used again.
 */
struct selftest_check *selftest_add(struct selftest_report *r, const char *unit, int decimals,
                                    const char *name, ...) __attribute__((format(printf, 4, 5)));
/* What is expected, and what is allowed; nothing that is measured is below 0. */
void selftest_expect(struct selftest_check *c, double expected, double min, double max);

/* The measurement against what is allowed. What is not a number, and 0 of a counter, is not
 * verified; so is a check without an expected value. */
void selftest_judge(struct selftest_check *c, double measured);
void selftest_unverified(struct selftest_check *c, const char *why, ...)
    __attribute__((format(printf, 2, 3)));

/* Waits of a thread that only switched and waited. The expected value is by its own clocks, which
 * say how long it did not run: on a busy machine for longer than it was to wait. As much as it ran
 * may be more in its waits, or less, as the events of switches come before or behind what the clock
 * counts. One that ran for long had its CPU taken away while it switched: not verified. */
void selftest_judge_wait(struct selftest_check *c, uint64_t not_run_ns, uint64_t elapsed_ns,
                         double waited_ms);
/* Judged wrong, it is not verified instead if equal work, unmeasured, took over a fourth longer at
 * some times than at others: the machine is busy, or its hypervisor takes the CPU away. */
void selftest_judge_busy(struct selftest_check *c, double fastest_ns, double slowest_ns);
/* Judged wrong as too low, a number of switches by sleeps of 1 ms is not verified instead if they
 * took over SELFTEST_LATE_NS on the average. A sleep whose time is over before its thread leaves
 * the CPU needs no switch: an emulator or a hypervisor that stops the CPU for long makes such
 * sleeps. */
enum { SELFTEST_LATE_NS = 1500000 };
void selftest_judge_late(struct selftest_check *c, double sleep_ns);
/* Judged wrong as too low, CPU time by samples is not verified instead if the kernel paused the
 * sampling, as it does when its interrupts take too long. */
void selftest_judge_paused(struct selftest_check *c, uint64_t paused);
/* Judged wrong, a timing is not verified instead if the hypervisor took over SELFTEST_STOLEN_PCT of
 * the CPU time meanwhile. */
enum { SELFTEST_STOLEN_PCT = 2 };
void selftest_judge_stolen(struct selftest_check *c, double stolen_pct);
/* That share, of the time that CPUs were busy or stolen, between two readings of /proc/stat. 0 if
 * it is not known. */
double selftest_stolen_pct(const char *before, const char *after);
void selftest_unavailable(struct selftest_check *c, const char *why, const char *remedy);
/* Not available, because of a failure and its hint; not verified when something did not end in time
 * or failed by itself (no errno, EPIPE, ETIMEDOUT). */
void selftest_failed(struct selftest_check *c, const struct fail *f);

/* "ok", "wrong", "not verified", "not available". */
const char *selftest_word(enum selftest_verdict v);
enum selftest_verdict selftest_verdict_of(const struct selftest_check *c);
size_t selftest_sum(const struct selftest_report *r, enum selftest_verdict v);

/* The middle value; of an even number the higher one. Sorts them. NAN of none. */
double selftest_median(double *value, size_t n);

/* The report for people, 80 columns wide; or one JSON object: {"psuite":1,"applet":"doctor",
 * "selftest":{version,machine,kernel,processor,seconds},"checks":[{name,unit,verdict,expected,min,
 * max,measured,how,why,remedy}],"summary":{ok,wrong,not_verified,not_available}}. What is not known
 * is left out. 0 or -ENOMEM. */
int selftest_text(const struct selftest_report *r, struct buf *out);
int selftest_json(const struct selftest_report *r, struct buf *out);
