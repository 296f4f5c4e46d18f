/* time_parts: what the reports of the time applet share: the names and units of what it measures,
 * members of JSON, verdicts. */
#pragma once

#include "core/base/time_unit.h"
#include "core/time/report.h"

enum time_kind time_kind_of(const struct time_report *r, size_t measure);

/* Whether a counter's row has numbers: counted in this run or series. */
bool time_counted(const struct time_report *r, size_t measure);

/* A counter that every program moves and that reads 0 nevertheless: virtual machines and some
 * boards open counters that do not count. */
bool time_dead_counter(const struct time_report *r, size_t counter, const struct time_run *run);

/* Index of the counter with that name, or r->counters. */
size_t time_counter_named(const struct time_report *r, const char *name);

/* What a counter's value is of another's, as `0.80 CPUs in use' or `1.25 a cycle (IPC)', added to a
 * note behind `; ' unless that is empty. Nothing without the other, or where nothing was counted.
 */
void time_relations(const struct time_report *r, const struct time_run *run, size_t counter,
                    struct buf *note);

/* What is to be said behind a count: its unit, what it is of another's, how far it was scaled. */
void time_counter_note(const struct time_report *r, const struct time_run *run, size_t counter,
                       struct buf *note);

/* Why the run has no count of it; NULL when it has. */
const char *time_counter_reason(const struct time_report *r, const struct time_run *run,
                                size_t counter);

/* The logarithms of the ratios of the runs in the same round, second over first, of those that took
 * any time; the caller frees them. *out is NULL without memory. */
size_t time_log_ratios(const struct time_command *first, const struct time_command *second,
                       enum time_measure measure, double **out);

/* --- json.c: what the object of runs and those of running processes share --- */

struct json;

/* The member `counters': name, unit and state of each. */
void time_json_counters(struct json *j, const struct time_report *r);

/* The member `counts': of each that was counted, by its name. */
void time_json_counts(struct json *j, const struct time_report *r, const struct time_run *run);

/* --- verdict.c: whether each further command of a series takes longer than the first one --- */

/* A line a command, and one that tells what its figures mean. Commands are shown by their words, or
 * by their numbers where two have the same words, or where a line would be wider than that. */
void verdicts_write(const struct time_report *r, size_t width, struct buf *out);

/* `1.0971 ± 0.0043': a ratio, not its inverse, with half of its 95% interval. */
void verdict_ratio(const struct paired_estimate *e, struct buf *out);
