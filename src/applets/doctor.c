/* doctor: what each applet can do on this system. */
#include "applets/applet.h"
#include "applets/report_screen.h"

#include "core/base/buf.h"
#include "core/doctor/doctor.h"
#include "core/doctor/facts.h"
#include "doctor_selftest.h"
#include "plat/clock.h"
#include "plat/probe.h"
#include "plat/workload.h"

#include <inttypes.h>
#include <string.h>

enum { JSON = 256, SELFTEST };

static const struct opt options[] = {
    {'v', "verbose", NULL, "all facts of the system, also where all is well"},
    {JSON, "json", NULL, "one JSON object instead of tables"},
    {SELFTEST, "selftest", NULL, "measure known workloads, and compare; about 15 seconds"},
    {0},
};

static bool is_built(const char *name)
{
    return applet_find(name) != NULL;
}

static void add_counter(struct facts *facts)
{
    struct clock_counter c;
    clock_counter_probe(&c);
    facts_addf(facts, "counter.name", "%s", c.name);
    facts_addf(facts, "counter.hz", "%" PRIu64, c.hz);
    facts_addf(facts, "counter.resolution_ns", "%.3f", c.resolution_ns);
    facts_addf(facts, "counter.cost_ns", "%.3f", c.cost_ns);
    facts_addf(facts, "counter.steady", "%d", c.steady);
}

static int run_doctor(int argc, char **argv);

const struct applet applet_doctor = {
    .name = "doctor",
    .usage = "[-v] [--json]\n--selftest [--json]",
    .opts = options,
    .notes = "Exit status of --selftest: 1 if a measurement is wrong.",
    .run = run_doctor,
    .operands = "",
};

struct request {
    bool verbose, json, selftest;
};

static const struct opt_member members[] = {
    {'v', OPT_FLAG(struct request, verbose)},
    {JSON, OPT_FLAG(struct request, json)},
    {SELFTEST, OPT_FLAG(struct request, selftest)},
    {0},
};

static size_t count_lines(const struct buf *b)
{
    size_t lines = 0;
    for (size_t i = 0; i < b->len; i++)
        lines += b->data[i] == '\n';
    return lines;
}

/* On a terminal where the report would scroll away, a brief one. */
static int write_text(const struct facts *facts, bool verbose, struct buf *out)
{
    struct report_size screen = {0};
    int r = doctor_text(facts, is_built, verbose ? DOCTOR_VERBOSE : DOCTOR_WHOLE, out);
    report_screen(&screen, false, 0);
    if (r < 0 || verbose || !screen.height || count_lines(out) <= screen.height)
        return r;
    for (int detail = DOCTOR_BRIEF; detail >= DOCTOR_SHORT && r == 0; detail--) {
        buf_clear(out);
        r = doctor_text(facts, is_built, (enum doctor_detail)detail, out);
        buf_adds(out, "(doctor -v: all of it)\n");
        if (count_lines(out) <= screen.height)
            break;
    }
    return r;
}

static int print_report(bool verbose, bool json)
{
    SCOPED(facts_release) struct facts facts = FACTS_INIT;
    SCOPED_BUF out = BUF_INIT;
    struct fail f;
    int r = probe_run(&facts);
    add_counter(&facts);
    if (r == 0)
        r = facts_error(&facts);
    if (r == 0)
        r = json ? doctor_json(&facts, is_built, &out) : write_text(&facts, verbose, &out);
    if (r < 0)
        fail_set(&f, -r, "report");
    return r < 0 ? applet_fail(&applet_doctor, &f) : applet_print(&applet_doctor, &out, DONE);
}

static int run_doctor(int argc, char **argv)
{
    struct request q = {0};
    if (argc > 2 && strcmp(argv[1], "--work") == 0) /* the self-test's, which starts psuite again */
        return workload_main(argc - 2, argv + 2);
    struct opt_state s = opt_start(&applet_doctor, argc, argv);
    int status = opt_read(&s, members, NULL, &q);
    if (status != OPT_END)
        return status;
    if (s.next < argc)
        return applet_misuse(&applet_doctor, "%s: takes no operand", argv[s.next]);
    if (q.selftest && q.verbose)
        return applet_misuse(&applet_doctor, "-v: not with --selftest");
    return q.selftest ? doctor_selftest(&applet_doctor, q.json) : print_report(q.verbose, q.json);
}
