/* What each applet wants of the system. */
#include "core/doctor.h"

#include <string.h>

void ability(struct verdict *v, enum ability_kind kind, const char *what, struct finding f)
{
    if (v->n < ABILITIES)
        v->ability[v->n++] = (struct ability){what, kind, f};
}

const char *verdict_word(const struct verdict *v)
{
    const char *word = "yes";
    for (size_t i = 0; i < v->n; i++) {
        if (v->ability[i].found.ok)
            continue;
        if (v->ability[i].kind == NEEDED)
            return "no";
        word = "partly";
    }
    return word;
}

static struct finding nameless(struct finding f)
{
    f.how[0] = '\0';
    return f;
}

static void judge_time(const struct machine *m, struct verdict *v)
{
    ability(v, NEEDED, "times, memory, faults", found("%s", ""));
    ability(v, EXTRA, "software counters", nameless(find_perf_user(m)));
    ability(v, EXTRA, "hardware counters", find_cycles(m));
}

/* Without perf events the way is ptrace, for what one owns. */
static void judge_tprof(const struct machine *m, struct verdict *v)
{
    struct finding perf = find_perf_user(m), ptrace = find_ptrace(m);
    if (!perf.ok) {
        ability(v, NEEDED, "own programs", ptrace.ok ? found("ptrace") : ptrace);
        ability(v, EXTRA, "perf events", perf);
    } else {
        ability(v, NEEDED, "own programs", perf);
        ability(v, EXTRA, "others' processes", find_perf_others(m));
        ability(v, EXTRA, "kernel part (-k)", find_perf_kernel(m));
        ability(v, EXTRA, "kernel names", nameless(find_kernel_names(m)));
        ability(v, EXTRA, "all CPUs (-a)", find_perf_all(m));
        ability(v, EXTRA, "hardware cycles", nameless(find_cycles_sampling(m)));
    }
}

const struct doctor_row doctor_rows[] = {
    {"time", judge_time},
    {"tprof", judge_tprof},
    {NULL, NULL},
};
