/*
 * recording_writing: what recording_write.c, recording_cgroups.c and recording_along.c share.
 */
#ifndef PSUITE_CORE_SAMPLE_RECORDING_WRITING_H
#define PSUITE_CORE_SAMPLE_RECORDING_WRITING_H

#include "recording_records.h"

/* Puts what was written behind start into a record. */
void recording_close_record(struct buf *out, size_t start, enum recording_type type);
void recording_add_text(struct buf *out, const char *text);

/* --- recording_cgroups.c --- */

/* Behind the record of a thread. */
void recording_define_cgroup(struct recording_writer *w, const struct sampled *s,
                             const struct sampled_thread *t);

#endif
