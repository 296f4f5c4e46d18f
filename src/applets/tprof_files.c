/* tprof over files: Plan 9's histograms, recordings, two recordings compared, a bundle made. */
#include "tprof_request.h"

#include "applets/other_names.h"
#include "applets/report_screen.h"
#include "applets/sampling_several.h"
#include "core/base/buf.h"
#include "core/elf/elf.h"
#include "core/report/profile_file.h"
#include "engine/sampling/browse.h"
#include "plat/file.h"
#include "plat/folder.h"

#include <errno.h>
#include <string.h>

/* --- Plan 9's files --- */

static int file_report(const char *profile_path, const char *text_path, struct buf *out,
                       struct fail *f)
{
    struct image profile = {0}, text = {0};
    struct elf_module *elf = NULL;
    int r = file_map(text_path, SIZE_MAX / 2, &text, f);
    if (r == 0 && elf_open(text.data, text.len, &elf, f) < 0)
        r = fail_set(f, 0, "text file not an a.out");
    if (r == 0)
        r = file_map(profile_path, SIZE_MAX / 2, &profile, f);
    if (r == 0)
        r = profile_file_report(profile.data, profile.len, elf_symbols(elf), out, f);
    elf_close(elf);
    file_unmap(&text);
    file_unmap(&profile);
    return r;
}

/* Where processes are: below proc, or in the folder itself, as `bind #p DIR' has it. */
static const char *find_proc_dir(const char *folder, const char *pid)
{
    struct folder_file file;
    SCOPED_BUF path = BUF_INIT;
    buf_printf(&path, "%s/%s", folder, pid);
    bool itself = folder_stat(buf_str(&path), &file, NULL) == 0 && file.folder;
    return itself ? "" : "/proc";
}

int tprof_from_folder(const struct tprof_request *q, const char *pid)
{
    struct fail f;
    const char *binary = q->ask.want.binary;
    SCOPED_BUF out = BUF_INIT, profile = BUF_INIT, text = BUF_INIT;
    const char *below = find_proc_dir(q->folder, pid);
    buf_printf(&profile, "%s%s/%s/profile", q->folder, below, pid);
    buf_printf(&text, "%s%s/%s/text", q->folder, below, pid);
    const char *text_path = binary ? binary : buf_str(&text);
    int r = file_report(buf_str(&profile), text_path, &out, &f);
    int status = applet_print(&applet_tprof, &out, DONE);
    if (r < 0 && !f.err && !f.hint[0]) /* Plan 9's words name no file */
        fail_hint(&f, "text is %s, data is %s", text_path, buf_str(&profile));
    if (r < 0)
        status = applet_fail(&applet_tprof, &f);
    return status;
}

/* --- recordings --- */

/* A file that is not there: perf's command, as in `record COMMAND', or one that was not found. */
static void hint_at_command(const char *name, struct fail *f)
{
    const char *ours = other_command(name, NULL);
    if (ours && strncmp(ours, "tprof ", 6) == 0)
        fail_hint(f, "did you mean `psuite %s'?", ours);
    else
        fail_hint(f, "FILE is a recording or perf.data; -x runs a command");
}

int tprof_read(const struct tprof_request *q, const char *path, struct sampling *s, struct fail *f)
{
    int r = sampling_read(&q->ask.want, path, s, f);
    if (r == -ENOENT)
        hint_at_command(path, f);
    return r;
}

static int read_event(const void *path, const struct sampling_want *want, struct sampling *s,
                      struct fail *f)
{
    return sampling_read(want, path, s, f);
}

static int write_events(const struct tprof_request *q, const char *path, unsigned events)
{
    const struct sampling_several from = {events, read_event, path, path};
    return sampling_write_several(&q->ask, &from);
}

int tprof_from_file(struct tprof_request *q, const char *path)
{
    struct fail f;
    struct sampling s;
    int status = sampling_check_terminal(&q->ask);
    if (status)
        return status;
    q->ask.want.by_function = sampling_shows_functions(&q->ask);
    int r = tprof_read(q, path, &s, &f);
    unsigned events = r < 0 || q->ask.want.event ? 1 : s.source.events;
    if (events > 1 && !q->ask.want.record && strcmp(path, "-") != 0) {
        sampling_release(&s);
        return write_events(q, path, events);
    }
    status = r < 0 ? applet_fail(&applet_tprof, &f) : sampling_write_results(&q->ask, &s);
    if (events > 1)
        applet_warn(&applet_tprof, "%s: %u events, this is %s: -e NAME chooses one", path, events,
                    s.sampled.event.name);
    sampling_release(&s);
    return status;
}

/* 1: the next of its events is to be shown, want.of_file. */
static int browse_event(struct tprof_request *q, const char *path, struct fail *f)
{
    SCOPED(sampling_release) struct sampling s;
    int r = tprof_read(q, path, &s, f);
    if (r == 0)
        r = sampling_browse(&s, &q->ask.view, path, f);
    if (r == 0)
        sampling_warn(&q->ask, &s, path);
    if (r == 1) {
        q->ask.want.of_file = (q->ask.want.event ? 0 : q->ask.want.of_file + 1) % s.source.events;
        q->ask.want.event = NULL;
    }
    return r;
}

int tprof_browse(struct tprof_request *q, const char *path)
{
    struct fail f;
    int r;
    do
        r = browse_event(q, path, &f);
    while (r == 1);
    return r < 0 ? applet_fail(&applet_tprof, &f) : DONE;
}

int tprof_diff(const struct tprof_request *q, const char *before, const char *after)
{
    struct fail f;
    struct sampling s[2];
    struct stacks stacks[2] = {{0}, {0}};
    struct sampling_view view = q->ask.view;
    const char *path[2] = {before, after};
    view.pooled = true;
    int status = sampling_check_diff(&q->ask);
    if (status)
        return status;
    for (size_t i = 0; i < 2; i++)
        if (sampling_read(&q->ask.want, path[i], &s[i], &f) < 0 ||
            (status == DONE && sampling_stacks(&s[i], &view, &stacks[i], &f) < 0))
            status = status ? status : applet_fail(&applet_tprof, &f);
    if (status == DONE)
        status = sampling_print_diff(&q->ask, &stacks[0], &stacks[1]);
    for (size_t i = 0; i < 2; i++) {
        sampling_warn(&q->ask, &s[i], path[i]);
        stacks_release(&stacks[i]);
        sampling_release(&s[i]);
    }
    return status;
}

int tprof_bundle(const struct tprof_request *q)
{
    struct fail f;
    SCOPED(sampling_release) struct sampling s;
    SCOPED_BUF out = BUF_INIT;
    int r = sampling_read(&q->ask.want, q->bundle, &s, &f);
    if (r == 0 && !s.source.is_recording)
        r = fail_set(&f, 0, "%s: only a recording of tprof can be bundled", q->bundle);
    if (r == 0 && s.source.recording.truncated)
        r = fail_set(&f, 0, "%s: cut off or damaged: nothing can be added to it", q->bundle);
    if (r == 0)
        r = sampling_bundle(&s, &out, &f);
    if (r == 0)
        r = file_extend(q->bundle, out.data, out.len, &f);
    if (r == 0 && !q->ask.quiet)
        report_wrote(q->bundle, "psuite tprof %");
    return r < 0 ? applet_fail(&applet_tprof, &f) : DONE;
}
