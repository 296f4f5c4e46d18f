/* kprof: where the kernel spends its time: Plan 9's report of a histogram (FORMATS 6), or a
 * sampling of all CPUs in the same words. */
#include "sampling_request.h"

#include "core/buf.h"
#include "engine/kernel_file.h"

#include <string.h>

static const struct opt options[] = {
    {'x', NULL, NULL, "run COMMAND, sample all CPUs meanwhile, exit with its status"},
    {'t', "seconds", "SECONDS", "sample so long (default 10; with -x: to its end)"},
    {'F', "rate", "HZ", "samples a second, a CPU (default 997)"},
    {'e', "event", "EVENT", "by this event: cpu-clock cycles GROUP:NAME rNNN ..."},
    {'I', "idle", NULL, "idle time has its rows, too"},
    {'g', "chains", "[HOW]", "with call chains: by fp, cfi or auto (default)"},
    SAMPLING_CHAIN_OPTS,
    {'p', "processes", NULL, "a table a process, busiest first"},
    {'m', "module", "MODULE", "show only functions of this module: ext4"},
    SAMPLING_TABLE_OPTS,
    {'o', "output", "[FORMAT:]FILE", "write the histogram, or the samples as FORMAT, into FILE"},
    {'q', "quiet", NULL, "no report: only what -o and --record write"},
    {SAMPLING_RECORD, "record", "FILE", "also record, to be read by `tprof FILE'"},
    {'f', "force", NULL, "write over existing files"},
    {0},
};

enum { SECONDS = 10 };

static int run(int argc, char **argv);

const struct applet applet_kprof = {
    .name = "kprof",
    .usage = "TEXT DATA\n[OPTION...]\n[OPTION...] -x COMMAND [ARGUMENT...]",
    .opts = options,
    .notes = "TEXT is a vmlinux, a System.map or a saved /proc/kallsyms; DATA what /dev/kpdata\n"
             "or -o gave. Without them the running kernel is sampled; ^C ends that. With -x\n"
             "the report goes to standard error, as standard output is the command's.",
    .run = run,
};

static int report_file(const char *text, const char *data)
{
    struct fail f;
    struct buf out = BUF_INIT;
    int r = kernel_file_report(text, data, &out, &f);
    int status = applet_print(&applet_kprof, &out, DONE);
    if (r < 0)
        status = applet_fail(&applet_kprof, &f);
    buf_release(&out);
    return status;
}

/* The kernel's modules go by their names without the brackets, too. */
static void take_module(struct sampling_request *q, const char *name, char *room, size_t size)
{
    q->view.module = name;
    if (name[0] == '[' || strlen(name) + 3 > size)
        return;
    room[0] = '[';
    strcpy(room + 1, name);
    strcat(room, "]");
    q->view.module = room;
}

static int take_option(struct sampling_request *q, struct opt_state *o, int id, char *module,
                       size_t room)
{
    switch (id) {
    case 'I':
        q->want.idle = true;
        return 1;
    case 'm':
        take_module(q, o->arg, module, room);
        return 1;
    default:
        return sampling_opt(q, o, id);
    }
}

static int sample(struct sampling_request *q, char **command)
{
    q->kpdata = q->report;
    q->report = NULL;
    if (q->kpdata && q->want.event)
        return applet_misuse(&applet_kprof, "-o %s: a histogram is of ticks, not of -e %s",
                             q->kpdata, q->want.event);
    q->want.command = command;
    q->want.everything = true;
    if (!command && !q->want.seconds)
        q->want.seconds = SECONDS;
    return sampling_session(q);
}

static int run(int argc, char **argv)
{
    char module[64];
    struct sampling_want want = {
        .kernel = true, .no_user = true, .user_apart = true, .hz = SAMPLING_HZ};
    struct sampling_request q = {.applet = &applet_kprof, .want = want, .view = {.kernel = true}};
    struct opt_state o;
    int id;
    opt_start(&o, &applet_kprof, argc, argv);
    while ((id = opt_next(&o)) != OPT_END)
        if (id < 0)
            return opt_status(id);
        else if (take_option(&q, &o, id, module, sizeof module) < 0)
            return USAGE;
    sampling_settle(&q);
    int operands = argc - o.next;
    if (q.command && operands)
        return sample(&q, argv + o.next);
    if (!q.command && o.next == 1 && operands == 2)
        return report_file(argv[1], argv[2]);
    return q.command || operands ? applet_usage(&applet_kprof) : sample(&q, NULL);
}
