/*
 * report: the plans of modules for people, and as JSON.
 */
#pragma once

#include "core/probe/plan.h"
#include "core/text/report_fit.h"

struct elf_module;
struct json;

struct probe_module {
    const char *path;
    struct elf_module *elf; /* whose symbols name the functions */
    struct probe_plan plan;
};

struct probe_view {
    bool unpatched; /* list the refused functions */
    bool no_demangle;
};

/* A line of sums, a table by way, reason and return, and the list. 0 or -ENOMEM. */
int probe_report(const struct probe_module *m, const struct probe_view *v,
                 const struct report_part *part, struct buf *out);

/* An object of an array `modules', which the caller opens. */
void probe_report_json(const struct probe_module *m, const struct probe_view *v, struct json *j);
