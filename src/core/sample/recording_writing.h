/*
 * recording_writing: what recording_write.c, recording_numbers.c, recording_cgroups.c and
 * recording_along.c share.
 */
#pragma once

#include "recording_records.h"

/* Puts what was written behind start into a record. */
void recording_close_record(struct buf *out, size_t start, enum recording_type type);
/* A symbol of m, if it is not in `written' yet, as recording_symbol_at. */
void recording_symbol_once(struct buf *out, const struct module *m, const struct symbol *s,
                           struct intern *written);

/* --- recording_numbers.c --- */

/* INTERN_NONE: the node is not in the file. */
uint32_t recording_number(const struct recording_writer *w, uint32_t node);
/* The node is in the file now. */
void recording_number_next(struct recording_writer *w, uint32_t node);
void recording_release_numbers(struct recording_numbers *n);

/* --- recording_cgroups.c --- */

/* Behind the record of a thread. */
void recording_define_cgroup(struct recording_writer *w, const struct sampled *s,
                             const struct sampled_thread *t);
