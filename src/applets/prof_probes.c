/* prof --dry-run: how the functions of programs that were not built for it could be profiled. */
#include "prof_request.h"

#include "core/base/buf.h"
#include "core/text/json.h"
#include "engine/prof/probes.h"

struct dry_run {
    const struct prof_request *q;
    struct probe_view view;
    struct sampling_view size;
    struct json json;
    struct buf out;
    const struct probe_module *module; /* that is written */
};

static int render_module(void *arg, const struct report_part *part, struct buf *out)
{
    const struct dry_run *d = arg;
    return probe_report(d->module, &d->view, part, out);
}

static int add_module(struct dry_run *d, const struct probe_module *m, struct fail *f)
{
    d->module = m;
    if (d->q->ask.view.json)
        return probe_report_json(m, &d->view, &d->json), 0;
    int err = report_fit(&d->size.size, render_module, d, &d->out);
    return err < 0 ? fail_set(f, -err, "report") : 0;
}

static int add_file(struct dry_run *d, const char *path)
{
    struct fail f;
    struct probes_file p;
    if (probes_file_open(&p, path, &f) < 0)
        return applet_fail(d->q->ask.applet, &f);
    int err = add_module(d, &p.module, &f);
    probes_file_release(&p);
    return err < 0 ? applet_fail(d->q->ask.applet, &f) : DONE;
}

int prof_dry_run(const struct prof_request *q, char **path, int paths)
{
    struct dry_run d = {.q = q,
                        .view = {q->unpatched, q->ask.view.no_demangle},
                        .size = q->ask.view,
                        .out = BUF_INIT};
    int status = DONE;
    sampling_set_size(&q->ask, &d.size, 0);
    if (q->ask.view.json) {
        json_start(&d.json, &d.out, "prof");
        json_array(&d.json, "modules");
    }
    for (int i = 0; i < paths; i++) {
        int of_file = add_file(&d, path[i]);
        status = status ? status : of_file;
    }
    if (q->ask.view.json) {
        json_array_end(&d.json);
        json_end(&d.json);
    }
    int printed = sampling_print_report(&q->ask, &d.out);
    buf_release(&d.out);
    return status ? status : printed;
}
