/* A recording in any state, counted in each way, and reported by places and by chains. */
#include "fuzz.h"

#include "core/base/buf.h"
#include "core/report/flat.h"
#include "core/sample/chain_ends.h"
#include "core/sample/recording.h"
#include "core/sample/to_stacks.h"
#include "core/stacks/flat.h"
#include "core/stacks/tree.h"
#include "core/symbol/demangle.h"

static void frames_at(void *arg, struct module *m, uint64_t vaddr, struct frames *out)
{
    if (!recording_frames(arg, m, vaddr, out))
        module_frames(m, vaddr, out);
}

static void report_places(struct sampled *s, struct recording *r, enum flat_by by, struct buf *out)
{
    struct demangler names = {.off = true};
    struct flat_report report = {.method = "m",
                                 .mode = "u",
                                 .names = &names,
                                 .by = by,
                                 .frames_at = frames_at,
                                 .frames_arg = r};
    if (flat_make(s, &report) == 0) {
        flat_text(&report, out);
        flat_json(&report, out);
    }
    flat_release(&report);
}

static void report_chains(struct sampled *s, struct recording *r, bool inlines, struct buf *out)
{
    struct demangler names = {.off = true};
    struct sampled_naming naming = {.frames_at = frames_at,
                                    .arg = r,
                                    .names = &names,
                                    .inlines = inlines,
                                    .heap_weight = SAMPLED_HEAP_PEAK};
    struct stacks stacks;
    if (sampled_stacks(s, &naming, &stacks) == 0) {
        stacks_flat_text(&stacks, &(struct stacks_flat_options){0}, out);
        stacks_tree_text(&stacks, &stacks_tree_defaults, out);
        chain_ends_text(s, out);
    }
    stacks_release(&stacks);
}

static void print_cgroups(const struct sampled *s, const struct recording *r, struct buf *out)
{
    for (size_t i = 0; i < s->threads.count; i++) {
        const char *path = recording_cgroup(r, s->threads.thread[i].pid);
        buf_adds(out, path ? path : "");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    struct sampled s;
    struct recording r;
    struct fail f;
    struct buf out = BUF_INIT;
    uint8_t how = len > 8 ? data[len - 1] : 0;
    sampled_init(&s, &(struct sampled_want){
                         .kernel = true, .by = how % 3, .timeline = len & 1, .event = how > 191});
    if (recording_read(data, len, &s, &r, &f) == 0) {
        report_places(&s, &r, how / 3 % 3, &out);
        report_chains(&s, &r, how & 64, &out);
        print_cgroups(&s, &r, &out);
    }
    recording_close(&r);
    sampled_release(&s);
    buf_release(&out);
    return 0;
}
