/* tprof over several recordings, or what is sampled now: their sum, or a table a machine, a build
 * or a cgroup. */
#include "tprof_request.h"

#include "core/base/buf.h"
#include "engine/sampling/merged.h"

#include <string.h>

static const struct {
    const char *name;
    enum stacks_group by;
} groups[] = {{"machine", STACKS_GROUP_MACHINE},
              {"build-id", STACKS_GROUP_BUILD},
              {"cgroup", STACKS_GROUP_CGROUP}};

int tprof_parse_group(struct tprof_request *q, const struct opt_state *o)
{
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
        if (strcmp(groups[i].name, o->arg) == 0) {
            q->group = groups[i].by;
            return 1;
        }
    return opt_wrong(o, "no such group (machine, build-id, cgroup)");
}

void tprof_group_values(struct buf *out)
{
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
        buf_printf(out, "%s\n", groups[i].name);
}

const char *tprof_group_conflict(const struct tprof_request *q)
{
    if (!q->group)
        return NULL;
    if (q->diff || q->browse || q->bundle || q->folder)
        return "--group-by cannot be used with --diff, --browse, --bundle or -n";
    return q->ask.top ? "--group-by cannot be used with --top: stop with -t SECONDS or ^C" : NULL;
}

bool tprof_merges(const struct tprof_request *q, char **operand, int operands)
{
    if (q->diff || q->browse || operands < 1)
        return false;
    return q->group || operands > 2 || (operands == 2 && !sampling_is_program(operand[1]));
}

/* What a sum by functions does not have. */
static const char *conflict_of(const struct tprof_request *q)
{
    const struct sampling_request *ask = &q->ask;
    if (ask->view.by == FLAT_LINE || ask->view.form == SAMPLING_ANNOTATE)
        return "-l and --annotate take one FILE: several are added up by function";
    if (ask->want.by != SAMPLED_WHOLE)
        return "--threads and --by-process take one FILE: several have --group-by";
    if (ask->view.module)
        return "-m takes one FILE";
    if (ask->want.record)
        return "--record cannot be used with FILE: -o FORMAT:FILE keeps the sum of several";
    for (size_t i = 0; i < ask->outputs; i++)
        if (strcmp(ask->output[i].writer->name, "firefox") == 0)
            return "-o firefox: takes one FILE: it shows samples over time";
    return NULL;
}

static int add_file(const struct tprof_request *q, const char *path, struct sampling_merged *m)
{
    struct fail f, why;
    SCOPED(sampling_release) struct sampling s;
    int r = tprof_read(q, path, &s, &f);
    if (r == 0) {
        r = sampling_merged_add(m, &s, &q->ask.view, &why);
        if (r < 0)
            fail_set(&f, why.err, "%s: %s", path, why.what);
    }
    int status = r < 0 ? applet_fail(&applet_tprof, &f) : DONE;
    if (status == DONE)
        sampling_warn(&q->ask, &s, path);
    return status;
}

static int print_report(const struct tprof_request *q, const struct sampling_merged *m)
{
    struct fail f;
    SCOPED_BUF out = BUF_INIT;
    struct sampling_view view = q->ask.view;
    sampling_set_size(&q->ask, &view, 0);
    return sampling_merged_report(m, &view, &out, &f) < 0 ? applet_fail(&applet_tprof, &f)
                                                          : sampling_print_report(&q->ask, &out);
}

static int write_sum(const struct tprof_request *q, struct sampling_merged *m)
{
    struct fail f;
    if (sampling_merged_finish(m, &q->ask.view, &f) < 0)
        return applet_fail(&applet_tprof, &f);
    int status = sampling_write(&q->ask, &m->merge.stacks, NULL);
    if (status == DONE && (!q->ask.quiet || q->ask.report))
        status = print_report(q, m);
    if (status == DONE)
        sampling_say_wrote(&q->ask);
    return status;
}

/* Recordings of older versions have none, and most perf.data files. */
static void hint_at_cgroups(const struct sampling_merged *m)
{
    const struct stacks *s = &m->merge.stacks;
    if (m->merge.by == STACKS_GROUP_CGROUP && s->threads == 1 &&
        strcmp(s->thread[0].name, STACKS_NO_CGROUP) == 0)
        applet_warn(&applet_tprof, "no file has control groups: tprof --record of this version "
                                   "and perf record --all-cgroups keep them");
}

static int write_files(const struct tprof_request *q, struct sampling_merged *m, char **path,
                       int paths)
{
    int status = DONE;
    for (int i = 0; i < paths && status == DONE; i++)
        status = add_file(q, path[i], m);
    if (status == DONE)
        status = write_sum(q, m);
    if (status == DONE)
        hint_at_cgroups(m);
    return status;
}

int tprof_merge(struct tprof_request *q, char **path, int paths)
{
    const char *conflict = conflict_of(q);
    if (conflict)
        return applet_misuse(&applet_tprof, "%s", conflict);
    if (q->group == STACKS_GROUP_CGROUP)
        q->ask.want.by = SAMPLED_BY_CGROUP;
    int status = sampling_check_outputs(&q->ask);
    SCOPED(sampling_merged_release) struct sampling_merged m;
    sampling_merged_init(&m, q->group);
    if (status == DONE)
        status = write_files(q, &m, path, paths);
    return status;
}

/* --- what is sampled now --- */

/* What a sum by functions does not have. */
static const char *sampling_conflict_of(const struct tprof_request *q)
{
    const struct sampling_request *ask = &q->ask;
    if (ask->view.by == FLAT_LINE || ask->view.form == SAMPLING_ANNOTATE || ask->view.module)
        return "--group-by cannot be used with -l, --annotate or -m: it shows functions";
    if (ask->want.by != SAMPLED_WHOLE)
        return "--group-by cannot be used with --threads or --by-process";
    if (ask->want.mores)
        return "--group-by takes one event: -e EVENT";
    if (ask->want.record && strcmp(ask->want.record, "-") == 0)
        return "--record - cannot be used with --group-by: read the recording for a report";
    for (size_t i = 0; i < ask->outputs; i++)
        if (strcmp(ask->output[i].writer->name, "firefox") == 0)
            return "-o firefox: cannot be used with --group-by: it shows samples over time";
    return NULL;
}

static int add_recorded(const struct tprof_request *q, const struct sampling *recorded,
                        struct sampling_merged *m)
{
    struct fail f;
    SCOPED(sampling_release) struct sampling s;
    struct sampling_want want = q->ask.want;
    want.event = want.record = NULL;
    if (q->group == STACKS_GROUP_CGROUP)
        want.by = SAMPLED_BY_CGROUP;
    int r = sampling_read_recorded(recorded, q->ask.want.record, &want, &s, &f);
    if (r == 0)
        r = sampling_merged_add(m, &s, &q->ask.view, &f);
    int status = r < 0 ? applet_fail(&applet_tprof, &f) : DONE;
    if (status == DONE)
        sampling_warn(&q->ask, &s, "the recording");
    return status;
}

static int write_groups(void *arg, const struct sampling *recorded)
{
    const struct tprof_request *q = arg;
    if (q->ask.quiet && !q->ask.report && !q->ask.outputs)
        return DONE;
    SCOPED(sampling_merged_release) struct sampling_merged m;
    sampling_merged_init(&m, q->group);
    m.live = true;
    int status = add_recorded(q, recorded, &m);
    if (status == DONE)
        status = write_sum(q, &m);
    return status;
}

int tprof_sample(struct tprof_request *q)
{
    const char *conflict = q->group ? sampling_conflict_of(q) : NULL;
    if (conflict)
        return applet_misuse(&applet_tprof, "%s", conflict);
    if (q->group) {
        q->ask.want.keeps = true;
        q->ask.write_recorded = write_groups;
        q->ask.arg = q;
    }
    return sampling_session(&q->ask);
}
