/*
 * sampling_parts: one that runs, in the order of the story: sampling.c prepares it, starts its
 * target, and what runs already is learnt; rounds bring samples until something ends them; what is
 * left is read and booked.
 */
#pragma once

#include "engine/sampling/sampling.h"

/* --- start.c --- */

/* Opens the sampler, and lets the command go or attaches to what runs. */
int sampling_start(struct sampling *s, const struct sampling_want *want, struct fail *f);

/* --- existing_maps.c --- */

/* With the sampler open, so that no mapping falls between; a mapping may then be reported twice.
 * One process; all there are, where one that ends meanwhile is passed over; where the kernel is,
 * and where its idle CPUs wait. */
int sampling_learn_process(struct sampling *s, int pid, struct fail *f);
int sampling_learn_all(struct sampling *s, struct fail *f);
void sampling_learn_kernel(struct sampling *s);

/* --- function_start.c --- */

/* Where in its file the function at an offset of a module begins, of which the flat profile makes
 * the same row, and where it ends; the offset itself, and *end stays, where that is not known. */
uint64_t sampling_function_offset(const struct module *m, uint64_t offset, uint64_t *end);

/* --- round.c --- */

/* Behind the stop, sampling_poll of all that is left: 0, -ENOMEM when some of it did not fit. */
int sampling_last_round(struct sampling *s);

/* --- loop.c --- */

/* Rounds until the target (a handle to wait for, -1: none) ends, the time is over, the recording
 * cannot be written, or the caller ends it. */
void sampling_loop(struct sampling *s, const struct sampling_want *want, int target);

/* Before a round: sets run.counted_ns. */
void sampling_note_counted(struct sampling *s);

/* A command has what is typed from the terminal; what was sent to us alone it gets from us. The
 * signal, 0: there was none. */
int sampling_pass_on_interrupt(struct sampling *s);

/* --- keeper.c --- */

/* For hooks.counted. */
void sampling_keep(void *arg, const struct sampled *sampled, const struct sampled_one *one);
/* Behind each round: what is too old goes; what was asked for is written, and the caller of the
 * sampling hears of errors. */
void sampling_keep_round(struct sampling *s);
/* Writes what is kept at the end. */
int sampling_keep_end(struct sampling *s, struct fail *f);

/* --- file.c --- */

/* Whether an event goes by that name, without its modes. */
bool sampling_event_named(const char *event, const char *name);

/* Symbols of the modules that samples hit, and of no others: looking for debug files takes time. */
void sampling_ready_symbols(struct sampling *s);

/* --- start.c --- */

/* Facts of this machine and of the sampling, which began then; 0: now. */
void sampling_start_recorder(struct sampling *s, struct recorder *r, uint64_t start_ns);

/* --- end.c --- */

int sampling_end(struct sampling *s, int target, struct fail *f);
