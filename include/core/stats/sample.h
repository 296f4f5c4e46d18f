/*
 * stats_sample: one sample of all sources of stats, and its output formats: a line of JSON, lines
 * of CSV, OpenMetrics.
 *
 * Nothing is owned: names and reasons belong to the maker of the sample, and outlive it.
 */
#pragma once

#include "core/base/buf.h"
#include "core/stats/graph.h"
#include "core/stats/top.h"

#include <stddef.h>
#include <stdint.h>

enum { STATS_PART_NAME = 32 };

/* A CPU, disk or interface of a graph. */
struct stats_part {
    char name[STATS_PART_NAME];
    double natural;
    uint64_t total;
};

struct stats_value {
    enum stats_graph graph;
    double value;    /* as Plan 9 draws it: of a rate what came in one interval */
    double full;     /* the full scale of the same, for -S 1; 0: there is none yet */
    double natural;  /* in units of daily life: by the second, %, bytes, C, dBm, tasks */
    uint64_t total;  /* of a rate: what came since the first reading, whatever the counter did */
    const char *why; /* it is absent, and why; NULL when it is there */
    const struct stats_part *part; /* what it is of each, if the graph has parts */
    size_t parts;
};

struct stats_source_sample {
    const char *name;
    uint32_t cpus;   /* 0 unknown */
    uint64_t age_ms; /* since the source last answered; its values are of that time */
    const struct stats_value *value;
    size_t count;
    const char *why;             /* it does not answer; NULL: it does, or it is not known */
    const struct stats_top *top; /* the processes that use its CPUs; NULL: not read */
};

struct stats_sample {
    uint64_t time_ms; /* since 1970 */
    double interval;  /* seconds; over 0 */
    const struct stats_source_sample *source;
    size_t sources;
};

/*
 * One line:
 * {"psuite":1,"applet":"stats","time":S.MMM,"interval":S,"sources":[{"source":NAME,"cpus":N,
 *  "age_ms":N,"graphs":[{"graph":NAME,"value":V,"full":F,"unit":U,"text":T}, ...]}, ...]}
 * Values and full scales are by the second where they are rates, and linear from 0: V/F is how high
 * a graph stands. An absent one has "value":null and "why" in place of "text"; a source that cannot
 * be reached has "why" behind its age. One with parts has "parts":{NAME:V, ...} at its end. If all
 * graphs of the overview are there, "health":[TEXT, ...],"health_known":N are before the graphs
 * (src/core/stats/health.h). One with processes has the members of
 * core/stats/top.h behind the graphs.
 */
void stats_sample_json(const struct stats_sample *s, struct buf *out);

/* A head, and a line a source: time,source,cpus,age_ms, then the graphs' natural values in the
 * sources' order of graphs, which is the same in all. An absent one is empty. */
void stats_sample_csv_head(const struct stats_sample *s, struct buf *out);
void stats_sample_csv(const struct stats_sample *s, struct buf *out);

/* The text of OpenMetrics 1.0, to its # EOF: natural values as gauges, rates as counters since the
 * first reading, each with the label source. An absent one has no line. One with parts has a line a
 * part, with its label, and none for all. */
void stats_sample_openmetrics(const struct stats_sample *s, struct buf *out);
#define STATS_OPENMETRICS_TYPE "application/openmetrics-text; version=1.0.0; charset=utf-8"

/* For people: a heading a source, whether it is well if all graphs of the overview are there, and a
 * table: a line a graph with its value, what that is of its full scale, what it is, and what it is
 * of each CPU, disk or interface. Absent ones are last, those of one reason in one line. Processes
 * follow, if they were read. */
struct stats_text {
    double scale;
    size_t width, rows; /* columns to fold at; rows of each table; 0: any */
    bool fitted;        /* rows was found by report_fit (core/text/report_fit.h) */
    size_t processes;   /* rows of the table of processes, at most */
};
void stats_sample_text(const struct stats_sample *s, const struct stats_text *how, struct buf *out);

/* A line a source: the time of day (UTC), the source, each graph's name and value. */
void stats_sample_lines(const struct stats_sample *s, struct buf *out);

/* The value of a graph among these; NULL: there is none. */
const struct stats_value *stats_value_of(const struct stats_value *value, size_t count,
                                         enum stats_graph graph);

/* A value for people, short: "2.7k/s", "45 C", "322M", "50%"; "-" for an absent one. */
enum { STATS_TEXT = 24 };
void stats_value_text(const struct stats_value *v, char out[STATS_TEXT]);
/* A number in at most five characters and a factor: 2700 is "2.7k", 12 is "12", 0.25 is "0.25". */
void stats_number_text(double v, char out[STATS_TEXT]);

/* The parts' values: "vda 1.20MB/s, sda 0B/s", those that fit columns, 0: any. If not all do, the
 * largest come first, and how many are left out last. */
void stats_parts_text(const struct stats_value *v, size_t columns, struct buf *out);

/* In the unit of v's natural value: what another value of the same graph is. */
double stats_natural(const struct stats_value *v, double interval, double value);

/* The height of a graph as a share of its full scale, 0 empty and 1 full; with log its three
 * decades, full scale at 2/3 (FORMATS 9). More than 1: over the top. NAN: nothing to draw. */
double stats_height(double value, double full, double scale, bool log);
