/*
 * prometheus: OpenMetrics in the older text format of Prometheus (version 0.0.4).
 *
 * There a counter's metadata has the name of its samples, with _total; OpenMetrics names the family
 * without it. See prometheus.io/docs/instrumenting/exposition_formats.
 */
#pragma once

#include <stddef.h>

struct buf;

#define STATS_PROMETHEUS_TYPE "text/plain; version=0.0.4; charset=utf-8"

/* Adds the lines of an OpenMetrics text whose families begin with TYPE, then HELP. Its last one,
 * # EOF, is a comment there. */
void stats_prometheus_text(const char *text, size_t len, struct buf *out);
