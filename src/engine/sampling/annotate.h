/* sampling_annotate: what report.c and annotate.c share. */
#pragma once

#include "core/report/annotate.h"
#include "core/symbol/demangle.h"
#include "engine/sampling/report.h"

/* sampling_frames, as core calls it back: arg is the sampling. */
void sampling_frames_at(void *arg, struct module *m, uint64_t vaddr, struct frames *out);

int sampling_annotate(struct sampling *s, const struct sampling_view *view, struct demangler *names,
                      struct buf *out, struct fail *f);
int sampling_annotate_rows(struct sampling *s, const struct sampling_view *view,
                           struct demangler *names, struct annotate_text *out, struct fail *f);
