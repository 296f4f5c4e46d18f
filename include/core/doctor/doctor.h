/*
 * doctor: judges the facts of a system and prints one row per applet: what it can do there, what is
 * missing, and the remedy. The facts of the system follow.
 *
 * To add an applet: write its function in rows.c, which gives one `ability' for each thing
 * that depends on the system, out of the findings of core/doctor/finding.h (a new question to the
 * kernel is a fact in plat/probe.h and a finding there), and name it in doctor_rows[], in the order
 * of applets.def:
 *
 *     static void judge_trace(const struct machine *m, struct verdict *v)
 *     {
 *         ability(v, NEEDED, "scheduler events", find_sched_events(m));
 *         ability(v, EXTRA, "function calls", find_function_graph(m));
 *     }
 *
 * An applet that works on files alone has no row.
 */
#pragma once

#include "core/doctor/finding.h"

#include <stddef.h>

enum ability_kind { NEEDED, EXTRA };

struct ability {
    const char *label; /* a few words, with the option that asks for it */
    enum ability_kind kind;
    struct finding found;
};

enum { ABILITIES = 12 };

struct verdict {
    struct ability ability[ABILITIES];
    size_t n;
};

void ability(struct verdict *v, enum ability_kind kind, const char *label, struct finding found);

/* "yes": all works; "no": something NEEDED does not; else "partly". */
const char *verdict_word(const struct verdict *v);

struct doctor_row {
    const char *applet;
    void (*judge)(const struct machine *m, struct verdict *v);
};

extern const struct doctor_row doctor_rows[]; /* ends with a NULL name */

/* A line about the system. */
struct doctor_line {
    const char *name;
    bool always; /* shown even when all is well */
    struct finding (*find)(const struct machine *m);
};

extern const struct doctor_line doctor_lines[]; /* ends with a NULL name */

/*
 * The report for people, 80 columns wide. Applets for which is_built is false have no row; NULL:
 * all have one. Beyond probe_run's facts it wants counter.name counter.hz counter.resolution_ns
 * counter.cost_ns counter.steady (plat/clock.h). Returns 0 or -ENOMEM.
 */
typedef bool doctor_is_built(const char *applet);
enum doctor_detail {
    DOCTOR_SHORT, /* for a smaller one: what is missing of each applet, and all remedies at the end
                   */
    DOCTOR_BRIEF, /* for a small screen: applets that work entirely in one row, of the others what
                     is missing; each cause and each remedy once */
    DOCTOR_WHOLE, /* what each applet can do, and what it cannot */
    DOCTOR_VERBOSE, /* also what is well in the system */
};
int doctor_text(const struct facts *facts, doctor_is_built *is_built, enum doctor_detail detail,
                struct buf *out);

/* {"psuite":1,"applet":"doctor","applets":[{"name","works","abilities":[{"what","needed","works","how"|"why",
 * "remedy"}]}],"system":[{"name","works","how"|"why","remedy"}],"counter":{...},"facts":{KEY:TEXT
 * or {"errno":N}}}. Only facts of a short line are given. */
int doctor_json(const struct facts *facts, doctor_is_built *is_built, struct buf *out);
