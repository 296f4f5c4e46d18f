/* tprof over files: Plan 9's histograms, recordings, two recordings compared, a bundle made. */
#include "tprof_request.h"

#include "core/buf.h"
#include "core/elf.h"
#include "core/profile_file.h"
#include "core/stacks_diff.h"
#include "plat/file.h"

#include <string.h>

/* --- Plan 9's files --- */

static int elf_text_symbols(const struct image *image, struct elf_module **elf, struct fail *f)
{
    return elf_open(image->data, image->len, elf, f) < 0 ? fail_set(f, 0, "text file not an a.out")
                                                         : 0;
}

static int file_report(const char *profile_path, const char *text_path, struct buf *out,
                       struct fail *f)
{
    struct image profile = {0}, text = {0};
    struct elf_module *elf = NULL;
    int r = file_map(text_path, SIZE_MAX / 2, &text, f);
    if (r == 0)
        r = elf_text_symbols(&text, &elf, f);
    if (r == 0)
        r = file_map(profile_path, SIZE_MAX / 2, &profile, f);
    if (r == 0)
        r = profile_file_report(profile.data, profile.len, elf_symbols(elf), out, f);
    elf_close(elf);
    file_unmap(&text);
    file_unmap(&profile);
    return r;
}

int tprof_from_folder(const struct tprof_request *q, const char *pid, const char *binary)
{
    struct fail f;
    struct buf out = BUF_INIT, profile = BUF_INIT, text = BUF_INIT;
    buf_printf(&profile, "%s/proc/%s/profile", q->folder, pid);
    buf_printf(&text, "%s/proc/%s/text", q->folder, pid);
    int r = file_report(buf_str(&profile), binary ? binary : buf_str(&text), &out, &f);
    int status = applet_print(&applet_tprof, &out, DONE);
    if (r < 0)
        status = applet_fail(&applet_tprof, &f);
    buf_release(&out);
    buf_release(&profile);
    buf_release(&text);
    return status;
}

/* --- recordings --- */

int tprof_from_file(const struct tprof_request *q, const char *path)
{
    struct fail f;
    struct sampling s;
    int status = sampling_check_terminal(&q->ask);
    if (status)
        return status;
    status = sampling_read(&q->ask.want, path, &s, &f) < 0 ? applet_fail(&applet_tprof, &f)
                                                           : sampling_put(&q->ask, &s);
    sampling_release(&s);
    return status;
}

static int write_diff(const struct tprof_request *q, const struct stacks *before,
                      const struct stacks *after)
{
    struct fail f;
    struct stacks_diff d;
    struct buf out = BUF_INIT;
    struct stacks_diff_options o = {.cumulative = q->ask.view.by_cumulative,
                                    .rows = q->ask.view.rows,
                                    .width = sampling_width(&q->ask)};
    int status = DONE;
    if (stacks_diff_make(before, after, &o, &d, &f) < 0)
        status = applet_fail(&applet_tprof, &f);
    else if (q->ask.view.json)
        stacks_diff_json(&d, &out);
    else
        stacks_diff_text(&d, &o, &out);
    if (status == DONE && q->ask.report)
        status = file_write(q->ask.report, out.data, out.len, q->ask.force, &f) < 0
                     ? applet_fail(&applet_tprof, &f)
                     : DONE;
    else if (status == DONE && !q->ask.quiet)
        status = applet_print(&applet_tprof, &out, DONE);
    stacks_diff_release(&d);
    buf_release(&out);
    return status;
}

/* Formats that cannot show a difference are refused. */
int tprof_diff(const struct tprof_request *q, const char *before, const char *after)
{
    struct fail f;
    struct sampling s[2];
    struct stacks stacks[2] = {{0}, {0}};
    const char *path[2] = {before, after};
    int status = sampling_check_terminal(&q->ask);
    for (size_t i = 0; i < q->ask.outputs; i++)
        if (!q->ask.output[i].writer->takes_before)
            return applet_misuse(&applet_tprof, "-o %s: cannot show a difference",
                                 q->ask.output[i].writer->name);
    if (status)
        return status;
    for (size_t i = 0; i < 2; i++)
        if (sampling_read(&q->ask.want, path[i], &s[i], &f) < 0 ||
            (status == DONE && sampling_stacks(&s[i], &q->ask.view, &stacks[i], &f) < 0))
            status = status ? status : applet_fail(&applet_tprof, &f);
    if (status == DONE)
        status = sampling_write(&q->ask, &stacks[1], &stacks[0]);
    if (status == DONE)
        status = write_diff(q, &stacks[0], &stacks[1]);
    for (size_t i = 0; i < 2; i++) {
        stacks_release(&stacks[i]);
        sampling_release(&s[i]);
    }
    return status;
}

int tprof_bundle(const struct tprof_request *q)
{
    struct fail f;
    struct sampling s;
    struct buf out = BUF_INIT;
    int handle = -1;
    int r = sampling_read(&q->ask.want, q->bundle, &s, &f);
    if (r == 0 && !s.is_recording)
        r = fail_set(&f, 0, "%s: only a recording of tprof's can be a bundle", q->bundle);
    if (r == 0 && s.recording.cut)
        r = fail_set(&f, 0, "%s: cut off or damaged: nothing can be added behind that", q->bundle);
    if (r == 0)
        r = sampling_bundle(&s, &out, &f);
    if (r == 0)
        r = handle = file_extend(q->bundle, &f);
    if (r >= 0)
        r = file_append(handle, out.data, out.len, q->bundle, &f);
    if (handle >= 0 && file_finish(handle, q->bundle, r < 0 ? NULL : &f) < 0)
        r = -1;
    buf_release(&out);
    sampling_release(&s);
    return r < 0 ? applet_fail(&applet_tprof, &f) : DONE;
}
