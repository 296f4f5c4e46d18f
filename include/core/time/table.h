/* time_table: a series as a table for other programs, a row a command. */
#pragma once

#include "core/time/report.h"

/* For a README or an issue: real time of each command, and its ratio to the first. */
void time_markdown(const struct time_report *r, struct buf *out);

/* Comma-separated, times in seconds, with the columns and names of hyperfine's --export-csv. */
void time_csv(const struct time_report *r, struct buf *out);
