#include "applets/other_names.h"

#include <stdbool.h>
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
    {"eu-addr2line", "sym BINARY ADDRESS"},
    {"eu-stack", "sym --core FILE"},
    {"flame", "tprof -o flame:FILE.svg -x COMMAND"},
    {"flamegraph", "tprof -o flame:FILE.svg -x COMMAND"},
    {"gprof", "prof PROFILE"},
    {"htop", "tprof --top"},
    {"hyperfine", "time -n 10 COMMAND"},
    {"iostat", "stats -d"},
    {"iotop", "iostats -a --top"},
    {"iotop-c", "iostats -a --top"},
    {"llvm-symbolizer", "sym BINARY ADDRESS"},
    {"mount", "bind DEVICE DIR"},
    {"mpstat", "stats -u"},
    {"nmon", "stats"},
    {"perf", "tprof -x COMMAND"},
    {"perf timechart", "snap -o FILE.html"},
    {"perf trace", "trace '--calls=*' -x COMMAND"},
    {"record", "tprof --record FILE -x COMMAND"},
    {"report", "tprof FILE"},
    {"samply", "tprof -o firefox:FILE.json -x COMMAND"},
    {"sar", "stats --record FILE -T 60"},
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

/* NULL: the option of any applet that has ours. */
static const struct {
    const char *applet, *theirs, *ours;
} options[] = {
    {NULL, "call-graph", "--chains"},
    {"tprof", "comm", "--by-process"},
    {"tprof", "comms", "--by-process"},
    {NULL, "conclude", "--cleanup"},
    {"tprof", "dso", "-m MODULE"},
    {"tprof", "dsos", "-m MODULE"},
    {NULL, "duration", "--seconds"},
    {"time", "export-csv", "--csv -o FILE"},
    {"time", "export-json", "--json -o FILE"},
    {"time", "export-markdown", "--markdown -o FILE"},
    {"trace", "failed", "--where 'ret < 0'"},
    {"trace", "failed-only", "--where 'ret < 0'"},
    {"iostats", "failed-only", "--failed"},
    {"prof", "flame", "-o flame:FILE.svg"},
    {"tprof", "flame", "-o flame:FILE.svg"},
    {"prof", "flamegraph", "-o flame:FILE.svg"},
    {"tprof", "flamegraph", "-o flame:FILE.svg"},
    {"prof", "format", "-o FORMAT:FILE"},
    {"tprof", "format", "-o FORMAT:FILE"},
    {NULL, "freq", "--rate"},
    {NULL, "frequency", "--rate"},
    {NULL, "inline", "--inlines"},
    {NULL, "min-runs", "--runs"},
    {NULL, "overwrite", "--force"},
    {NULL, "parameter-list", "--parameter NAME=A,B"},
    {NULL, "parameter-scan", "--parameter NAME=MIN..MAX"},
    {"tprof", "percent-limit", "--rows N"},
    {NULL, "processes", "--by-process"},
    {NULL, "repeat", "--runs"},
    {"prof", "sort", "-c"},
    {"tprof", "sort", "--by-process"},
    {NULL, "stat", "--counters"},
    {NULL, "symfs", "--sysroot"},
    {NULL, "timeout", "--seconds"},
};

static const struct {
    const char *applet;
    char theirs;
    const char *ours;
} letters[] = {
    {"kprof", 'p', "--by-process"}, /* as psuite had it */
    {"kprof", 'd', "-t SECONDS"},
    {"kprof", 's', "-t SECONDS"},
    {"iostats", 'Z', "--failed"},
    {"iostats", 'o', "-f FILE"},
    {"stats", 'd', "-T SECONDS"},
    {"time", 'L', "--parameter NAME=VALUES"},
    {"time", 'P', "--parameter NAME=VALUES"},
    {"time", 'd', "-c"},
    {"time", 'e', "-cEVENTS"},
    {"time", 'r', "-n RUNS"},
    {"time", 's', "--setup LINE"},
    {"topo", 's', "-t SECONDS"},
    {"tprof", 'd', "-t SECONDS"},
    {"tprof", 's', "-t SECONDS"},
    {"trace", 'Z', "--where 'ret < 0'"},
    {"trace", 'a', "--summary"},
    {"trace", 'c', "'--calls=*' --summary"},
    {"trace", 'd', "-s SECONDS"},
    {"trace", 'z', "--where 'ret >= 0'"},
};

/* What needs no option here: of a letter, a name of one letter. */
static const struct {
    const char *applet, *theirs, *why;
} needless[] = {
    {"iostats", "c", "the report has counts without it"},
    {"iostats", "e", "`psuite trace --calls=NAME -x COMMAND' shows chosen system calls"},
    {"time", "N", "COMMAND runs without a shell"},
    {"time", "S", "COMMAND runs without a shell; sh -c 'LINE' runs one"},
    {"time", "shell", "COMMAND runs without a shell; sh -c 'LINE' runs one"},
    {"tprof", "no-children", "tables are sorted by self time without it, with -c by cumulative"},
    {"tprof", "stdio", "reports are text without it"},
    {"trace", "T", "--calls=NAME shows the time of each call without it"},
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

static bool is_of(const char *applet, const char *row)
{
    return !row || strcmp(row, applet) == 0;
}

const char *other_option(const char *applet, const char *name)
{
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (strcmp(options[i].theirs, name) == 0 && is_of(applet, options[i].applet))
            return options[i].ours;
    return NULL;
}

const char *other_letter(const char *applet, int letter)
{
    for (size_t i = 0; i < sizeof letters / sizeof *letters; i++)
        if (letters[i].theirs == letter && strcmp(letters[i].applet, applet) == 0)
            return letters[i].ours;
    return NULL;
}

const char *other_needless(const char *applet, const char *name)
{
    for (size_t i = 0; i < sizeof needless / sizeof *needless; i++)
        if (strcmp(needless[i].theirs, name) == 0 && is_of(applet, needless[i].applet))
            return needless[i].why;
    return NULL;
}
