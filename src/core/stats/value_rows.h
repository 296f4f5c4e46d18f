/* stats_value_rows: graphs of files of rows (core/stats/rows.h), for value.c. */
#pragma once

#include "core/stats/meter.h"

/* Which file a graph is made from. False: it is none of a file of rows. */
bool stats_rows_file(enum stats_graph graph, enum stats_file *file);

double stats_rows_full(const struct stats_meter *m, enum stats_graph graph, double interval);

/* Fills the value, its parts, and why there is none. The file was read. */
void stats_rows_value(struct stats_meter *m, enum stats_graph graph, double interval,
                      struct stats_value *v);
