#include "applets/other_names.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

struct pair {
    const char *theirs, *ours;
};

static const struct pair commands[] = {
    {"addr2line", "sym BINARY ADDRESS"},
    {"annotate", "tprof --annotate FUNCTION FILE"},
    {"archive", "tprof --bundle FILE"},
    {"bench", "time -n 10 COMMAND"},
    {"btop", "tprof --top"},
    {"diff", "tprof --diff OLD NEW"},
    {"flame", "tprof -o flame:FILE.svg -x COMMAND"},
    {"flamegraph", "tprof -o flame:FILE.svg -x COMMAND"},
    {"gprof", "prof PROFILE"},
    {"htop", "tprof --top"},
    {"hyperfine", "time -n 10 COMMAND"},
    {"iotop", "stats"},
    {"llvm-symbolizer", "sym BINARY ADDRESS"},
    {"mount", "bind DEVICE DIR"},
    {"nmon", "stats"},
    {"perf", "tprof -x COMMAND"},
    {"perf timechart", "snap -o FILE.html"},
    {"perf trace", "trace '--calls=*' -x COMMAND"},
    {"record", "tprof --record FILE -x COMMAND"},
    {"report", "tprof FILE"},
    {"samply", "tprof -o firefox:FILE.json -x COMMAND"},
    {"sched", "trace --summary"},
    {"script", "tprof -o folded:- FILE"},
    {"stat", "time -c COMMAND"},
    {"strace", "trace '--calls=*' -x COMMAND"},
    {"top", "tprof --top"},
    {"trace-cmd", "trace --summary"},
    {"uftrace", "prof PROFILE"},
    {"umount", "unbind DIR"},
    {"vmstat", "stats"},
};

static const struct pair options[] = {
    {"call-graph", "chains"},
    {"conclude", "cleanup"},
    {"duration", "seconds"},
    {"export-csv", "csv"},
    {"export-json", "json"},
    {"export-markdown", "markdown"},
    {"freq", "rate"},
    {"frequency", "rate"},
    {"inline", "inlines"},
    {"min-runs", "runs"},
    {"overwrite", "force"},
    {"parameter-list", "parameter"},
    {"parameter-scan", "parameter"},
    {"processes", "by-process"},
    {"repeat", "runs"},
    {"stat", "counters"},
    {"symfs", "sysroot"},
    {"timeout", "seconds"},
};

static const struct {
    const char *applet;
    char theirs;
    const char *ours;
} letters[] = {
    {"kprof", 'p', "--by-process"}, /* as psuite had it */
    {"kprof", 'd', "-t SECONDS"},
    {"kprof", 's', "-t SECONDS"},
    {"stats", 'd', "-T SECONDS"},
    {"time", 'L', "--parameter NAME=VALUES"},
    {"time", 'P', "--parameter NAME=VALUES"},
    {"time", 'd', "-c"},
    {"time", 'e', "-cEVENTS"},
    {"time", 'p', "--prepare LINE"},
    {"time", 'r', "-n RUNS"},
    {"time", 's', "--setup LINE"},
    {"topo", 's', "-t SECONDS"},
    {"tprof", 'd', "-t SECONDS"},
    {"tprof", 's', "-t SECONDS"},
    {"trace", 'a', "--summary"},
    {"trace", 'c', "--summary"},
    {"trace", 'd', "-s SECONDS"},
};

static const char *find(const struct pair *pair, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(pair[i].theirs, name) == 0)
            return pair[i].ours;
    return NULL;
}

const char *other_command(const char *name, const char *word)
{
    char both[32];
    const char *ours = NULL;
    if (word && snprintf(both, sizeof both, "%s %s", name, word) < (int)sizeof both)
        ours = find(commands, sizeof commands / sizeof *commands, both);
    if (!ours && word && strcmp(name, "perf") == 0)
        ours = find(commands, sizeof commands / sizeof *commands, word);
    return ours ? ours : find(commands, sizeof commands / sizeof *commands, name);
}

const char *other_option(const char *name)
{
    return find(options, sizeof options / sizeof *options, name);
}

const char *other_letter(const char *applet, int letter)
{
    for (size_t i = 0; i < sizeof letters / sizeof *letters; i++)
        if (letters[i].theirs == letter && strcmp(letters[i].applet, applet) == 0)
            return letters[i].ours;
    return NULL;
}
