#include "applets/other_names.h"

#include <stddef.h>
#include <string.h>

struct pair {
    const char *theirs, *ours;
};

static const struct pair commands[] = {
    {"annotate", "tprof --annotate FUNCTION FILE"},
    {"archive", "tprof --bundle FILE"},
    {"bench", "time -n 10 COMMAND"},
    {"flame", "tprof -o flame:FILE.svg -x COMMAND"},
    {"flamegraph", "tprof -o flame:FILE.svg -x COMMAND"},
    {"mount", "bind DEVICE DIR"},
    {"record", "tprof --record FILE -x COMMAND"},
    {"report", "tprof FILE"},
    {"sched", "trace --summary"},
    {"stat", "time -c COMMAND"},
    {"strace", "trace '--calls=*' -x COMMAND"},
    {"top", "tprof --top"},
    {"umount", "unbind DIR"},
};

static const struct pair options[] = {
    {"call-graph", "chains"},    {"duration", "seconds"}, {"freq", "rate"},
    {"frequency", "rate"},       {"inline", "inlines"},   {"overwrite", "force"},
    {"processes", "by-process"}, {"repeat", "runs"},      {"symfs", "sysroot"},
    {"timeout", "seconds"},
};

static const char *find(const struct pair *pair, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(pair[i].theirs, name) == 0)
            return pair[i].ours;
    return NULL;
}

const char *other_command(const char *name)
{
    return find(commands, sizeof commands / sizeof *commands, name);
}

const char *other_option(const char *name)
{
    return find(options, sizeof options / sizeof *options, name);
}

/* -p was the table by process of what samples the whole system. */
const char *other_letter(int letter)
{
    return letter == 'p' ? "by-process" : NULL;
}
