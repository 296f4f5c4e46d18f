/*
 * merged: recordings of one machine or of many, added up by function (core/stacks/merge.h). One is
 * in memory at a time.
 */
#pragma once

#include "core/stacks/merge.h"
#include "engine/sampling/report.h"

struct sampling_merged {
    struct stacks_merge merge;
    bool live;              /* the one that is added was sampled now */
    struct intern machines; /* names */
    char method[256];       /* of all */
    char described[448];    /* that, and how many there are */
};

void sampling_merged_init(struct sampling_merged *m, enum stacks_group by);
void sampling_merged_release(struct sampling_merged *m);

/* Adds one that was read (engine/sampling/sampling.h). -EINVAL and f: it counts another event than
 * those before; -ENOMEM. */
int sampling_merged_add(struct sampling_merged *m, struct sampling *s,
                        const struct sampling_view *view, struct fail *f);

/* Behind the last: the stacks are ready for reports and formats. 0, or -errno and f. */
int sampling_merged_finish(struct sampling_merged *m, const struct sampling_view *view,
                           struct fail *f);

/* Appends the view, one a group, the largest first. JSON is one object, whose threads are the
 * groups. Errors as those of sampling_report. */
int sampling_merged_report(const struct sampling_merged *m, const struct sampling_view *view,
                           struct buf *out, struct fail *f);
