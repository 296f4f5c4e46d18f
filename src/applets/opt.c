/* Options: from the arguments and an applet's table to one id after the other. */
#include "applets/applet.h"

#include "applets/nearest.h"
#include "core/base/buf.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool opt_arg_optional(const struct opt *o)
{
    return o->arg && o->arg[0] == '[' && o->arg[strlen(o->arg) - 1] == ']';
}

int opt_id(const struct opt *o)
{
    return o->id & ~OPT_ADVANCED;
}

/* getopt_long's two tables out of ours. A leading '+' ends the options at the first operand, ':'
 * tells a missing argument from an unknown option. */
static void add_row(struct opt_state *s, const struct opt *o)
{
    size_t at = strlen(s->letters), n = s->names;
    int has = !o->arg ? no_argument : opt_arg_optional(o) ? optional_argument : required_argument;
    if (opt_id(o) < 256)
        snprintf(s->letters + at, sizeof s->letters - at, "%c%.*s", opt_id(o), has, "::");
    if (!o->name || n + 1 >= sizeof s->longs / sizeof s->longs[0])
        return;
    s->longs[n] = (struct option){o->name, has, NULL, opt_id(o)};
    s->names++;
}

void opt_start(struct opt_state *s, const struct applet *a, int argc, char **argv)
{
    *s = (struct opt_state){.applet = a, .argc = argc, .argv = argv, .next = 1, .letters = "+:h"};
    s->longs[s->names++] = (struct option){"help", optional_argument, NULL, 'h'};
    for (const struct opt *o = a->opts; o->id; o++)
        add_row(s, o);
    optind = 0; /* glibc: start afresh, psuite's own options may have been read before */
    opterr = 0;
}

enum { MAX_NAMES = 6 }; /* in a question which one was meant */

static const struct opt *row_of(const struct opt_state *s, int id)
{
    for (const struct opt *o = s->applet->opts; o->id; o++)
        if (opt_id(o) == id)
            return o;
    return NULL;
}

/* The long names that begin with word, with commas; how many. */
static size_t beginning_with(const struct opt_state *s, const char *word, struct buf *names)
{
    size_t n = 0;
    for (size_t i = 0; i < s->names; i++)
        if (strncmp(s->longs[i].name, word, strlen(word)) == 0)
            buf_printf(names, "%s--%s", n++ ? ", " : "", s->longs[i].name);
    return n;
}

static void no_such_name(const struct opt_state *s, const char *name)
{
    struct buf names = BUF_INIT;
    struct nearest near;
    nearest_start(&near, name);
    for (size_t i = 0; i < s->names; i++)
        nearest_try(&near, s->longs[i].name);
    size_t n = beginning_with(s, name, &names);
    if (n > 1 && n <= MAX_NAMES)
        applet_misuse(s->applet, "--%s: which of %s?", name, buf_str(&names));
    else if (near.best)
        applet_misuse(s->applet, "--%s: no such option; did you mean `--%s'?", name, near.best);
    else
        applet_misuse(s->applet, "--%s: no such option", name);
    buf_release(&names);
}

/* Of `--name=argument' only the name is told: what follows is no part of the mistake. */
static void bad_name(const struct opt_state *s, char *word, int result)
{
    const struct opt *row = row_of(s, optopt);
    word[strcspn(word, "=")] = '\0';
    if (!optopt)
        no_such_name(s, word + 2);
    else if (result == ':')
        applet_misuse(s->applet, "%s: %s is missing", word, row->arg);
    else
        applet_misuse(s->applet, "%s: takes no argument", word);
}

static void bad_letter(const struct opt_state *s, int result)
{
    if (result == ':')
        applet_misuse(s->applet, "-%c: %s is missing", optopt, row_of(s, optopt)->arg);
    else
        applet_misuse(s->applet, "-%c: no such option", optopt);
}

static int print_help(const struct opt_state *s)
{
    if (s->arg && strcmp(s->arg, "all") != 0) {
        applet_misuse(s->applet, "--help: %s: the only value is `all'", s->arg);
        return OPT_BAD;
    }
    applet_help(s->applet, s->arg != NULL);
    return OPT_HELP;
}

int opt_next(struct opt_state *s)
{
    char *word = s->argv[s->next]; /* also when it is a cluster of letters, half read */
    int id = getopt_long(s->argc, s->argv, s->letters, s->longs, NULL);
    s->next = optind;
    s->arg = optarg;
    if (id == '?' || id == ':') {
        if (strncmp(word, "--", 2) == 0)
            bad_name(s, word, id);
        else
            bad_letter(s, id);
        return OPT_BAD;
    }
    if (id == 'h')
        return print_help(s);
    if (id < 0)
        s->dashes = optind > 1 && strcmp(s->argv[optind - 1], "--") == 0;
    return id < 0 ? OPT_END : id;
}

int opt_status(int result)
{
    return result == OPT_HELP ? DONE : USAGE;
}

int opt_u64(const struct opt_state *s, const char *name, unsigned long long min,
            unsigned long long max, unsigned long long *out)
{
    char *end;
    errno = 0;
    unsigned long long v = strtoull(s->arg, &end, 10);
    if (s->arg[0] >= '0' && s->arg[0] <= '9' && *end == '\0' && errno == 0 && v >= min &&
        v <= max) {
        *out = v;
        return 0;
    }
    applet_misuse(s->applet, "%s: %s: not a whole number from %llu to %llu", name, s->arg, min,
                  max);
    return -1;
}

int opt_seconds(const struct opt_state *s, const char *name, double max, double *out)
{
    char *end;
    double v = strtod(s->arg, &end);
    if (end != s->arg && *end == '\0' && isfinite(v) && v > 0 && v <= max) {
        *out = v;
        return 0;
    }
    applet_misuse(s->applet, "%s: %s: not a number of seconds over 0, at most %.0f", name, s->arg,
                  max);
    return -1;
}
