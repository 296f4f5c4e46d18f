/*
 * sampled_count: what sampled.c and count.c share.
 */
#pragma once

#include "core/sample/sampled.h"

/* Index of a thread, made when new; SIZE_MAX when memory ends. */
size_t sampled_thread_of(struct sampled *s, uint32_t pid, uint32_t tid);

/* A chain in the making: innermost first; where to look each up, and in whose memory. */
struct sampled_chain {
    uint64_t pc[SAMPLED_MAX_DEPTH];
    uint32_t space[SAMPLED_MAX_DEPTH];
    size_t depth;
};

/* Appends the user part, by the sample's registers and slice of stack. */
void sampled_unwind(struct sampled *s, const struct perfrec *r, struct sampled_chain *c);

/* The node of a place in a process. */
uint32_t sampled_node_in(struct sampled *s, uint32_t pid, uint64_t pc);

void sampled_sample(struct sampled *s, const struct perfrec *r);

/* Takes what sampled_count counted back. */
void sampled_uncount(struct sampled *s, const struct sampled_one *one);

/* The cell of a node, where there is one set: found without looking for it, made when new.
 * INTERN_NONE: no memory. */
uint32_t sampled_cell_of_node(struct intern *cells, struct sampled_cell_of *of, uint32_t node);

/* Samples at a node, which sampled_count would add one by one to its cell, and to the places they
 * were at. False when memory ends. */
bool sampled_count_cell(struct sampled *s, uint32_t set, uint32_t node, uint64_t samples,
                        uint64_t weight);

/* What sampled_count adds for each sample: which places they were at, summed anew over all cells;
 * from when until when there are some. */
void sampled_sum_places(struct sampled *s);
void sampled_span(struct sampled *s, const struct sampled_one *one, bool wait);

/* When it began: a wait's time is that of its end. */
uint64_t sampled_start_ns(const struct sampled *s, const struct sampled_one *one);

/* The end of that module and reason, made when new; NULL when memory ends. */
struct sampled_end *sampled_end_of(struct intern *ends, uint32_t module, uint32_t end);

/* --- cgroups.c --- */

void sampled_cgroups_release(struct sampled_cgroups *g);
void sampled_add_cgroup(struct sampled *s, const struct perfrec *r);
/* 1 + the number of a group by the kernel's number; 0: not known. */
uint32_t sampled_cgroup_of_id(struct sampled *s, uint64_t id);

/* --- forget.c --- */

/* Whether a module is not one that stays, whatever is mapped. */
bool sampled_may_leave(const struct sampled *s, const struct module *m);

/* Modules are numbered to[i] from now on, UINT32_MAX of one that left. */
void sampled_renumber_modules(struct sampled *s, const uint32_t *to);

/* Threads that ended may still have a switch for a while: of those that did before, none is kept.
 */
void sampled_forget_ended(struct sampled *s);

/* --- wait_samples.c --- */

/* A module of no file: its function at i is name[i], if that is not NULL. False when memory ends.
 */
bool sampled_name_module(struct module *m, const char *source, const char *const *name,
                         size_t count);

/* Makes a new module that of waits; false when memory ends. */
bool sampled_wait_module(struct module *m);

/* A thread leaves its CPU; does, or comes onto one; begins, ends, or records were lost. */
bool sampled_is_switch(const struct sampled *s, const struct perfrec *r);
void sampled_leaves(struct sampled *s, const struct perfrec *r);
void sampled_switched(struct sampled *s, const struct perfrec *r);
void sampled_waits_task(struct sampled *s, const struct perfrec *r);
