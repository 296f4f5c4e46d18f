#include "doctor_selftest.h"

#include "applets/applet.h"
#include "applets/progress.h"
#include "build_info.h"
#include "core/base/buf.h"
#include "engine/selftest/selftest.h"
#include "sampling_request.h"

static void draw_progress(void *arg, const char *what)
{
    struct progress *p = arg;
    if (progress_due(p))
        progress_draw(p, "%.0f s: %s", (double)p->spent_ns / 1e9, what);
}

int doctor_selftest(const struct applet *a, bool json)
{
    static struct selftest_report report; /* of some 50 KB */
    SCOPED_BUF out = BUF_INIT;
    struct progress progress;
    struct selftest_want want = {PSUITE_VERSION " for " PSUITE_MACHINE ", " PSUITE_LINKAGE,
                                 SAMPLING_HZ, draw_progress, &progress};
    struct fail f;
    progress_start(&progress, true);
    int r = selftest_run(&want, &report);
    progress_wipe(&progress);
    if (r == 0)
        r = json ? selftest_json(&report, &out) : selftest_text(&report, &out);
    if (r < 0)
        fail_set(&f, -r, "report");
    int status = report.interrupted                          ? SIGNALLED + report.interrupted
                 : selftest_sum(&report, SELFTEST_WRONG) > 0 ? FAILED
                                                             : DONE;
    return r < 0 ? applet_fail(a, &f) : applet_print(a, &out, status);
}
