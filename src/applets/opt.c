/* Options: one table an applet drives parsing and help. */
#include "applets/applet.h"

#include "core/buf.h"
#include "core/table.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct opt help_row = {'h', "help", NULL, "print this help"};

static bool optional_arg(const struct opt *o)
{
    return o->arg && o->arg[0] == '[' && o->arg[strlen(o->arg) - 1] == ']';
}

/* getopt_long's two tables out of ours. A leading '+' ends the options at the first operand, ':'
 * tells a missing argument from an unknown option. */
static void add_row(struct opt_state *s, const struct opt *o)
{
    size_t at = strlen(s->letters), n = s->names;
    int has = !o->arg ? no_argument : optional_arg(o) ? optional_argument : required_argument;
    if (o->id < 256)
        snprintf(s->letters + at, sizeof s->letters - at, "%c%.*s", o->id, has, "::");
    if (!o->name || n + 1 >= sizeof s->longs / sizeof s->longs[0])
        return;
    s->longs[n] = (struct option){o->name, has, NULL, o->id};
    s->names++;
}

void opt_start(struct opt_state *s, const struct applet *a, int argc, char **argv)
{
    *s = (struct opt_state){.applet = a, .argc = argc, .argv = argv, .next = 1, .letters = "+:"};
    for (const struct opt *o = a->opts; o->id; o++)
        add_row(s, o);
    add_row(s, &help_row);
    optind = 0; /* glibc: start afresh, psuite's own options may have been read before */
    opterr = 0;
}

static int bad(const struct opt_state *s, int result)
{
    const char *word = s->argv[optind > 1 ? optind - 1 : 1];
    bool is_long = word[0] == '-' && word[1] == '-';
    char letter[3] = {'-', (char)optopt, '\0'};
    const char *shown = is_long || !optopt ? word : letter;
    applet_misuse(s->applet, "%s: %s", shown,
                  result == ':'       ? "needs an argument"
                  : is_long && optopt ? "takes no argument"
                                      : "no such option");
    return OPT_BAD;
}

int opt_next(struct opt_state *s)
{
    int id = getopt_long(s->argc, s->argv, s->letters, s->longs, NULL);
    s->next = optind;
    s->arg = optarg;
    if (id == '?' || id == ':')
        return bad(s, id);
    if (id == 'h') {
        applet_help(s->applet);
        return OPT_HELP;
    }
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
    applet_misuse(s->applet, "%s: %s: not a number of seconds over 0, at most %g", name, s->arg,
                  max);
    return -1;
}

static void help_option(struct table *t, const struct opt *o)
{
    char left[80] = "";
    size_t n = 0;
    if (o->id < 256)
        n = (size_t)snprintf(left, sizeof left, "-%c%s", o->id, o->name ? ", " : "");
    else
        n = (size_t)snprintf(left, sizeof left, "    ");
    if (o->name)
        n += (size_t)snprintf(left + n, sizeof left - n, "--%s", o->name);
    if (o->arg && optional_arg(o))
        snprintf(left + n, sizeof left - n, "[%s%s", o->name ? "=" : "", o->arg + 1);
    else if (o->arg)
        snprintf(left + n, sizeof left - n, " %s", o->arg);
    table_cell(t, "  %s", left);
    table_cell(t, "%s", o->help);
}

static void usage_lines(const struct applet *a, struct buf *out)
{
    const char *lead = "usage:";
    for (const char *line = a->usage; line;) {
        size_t len = strcspn(line, "\n");
        buf_printf(out, "%s %s %.*s\n", lead, a->name, (int)len, line);
        lead = "      ";
        line = line[len] ? line + len + 1 : NULL;
    }
}

void applet_help(const struct applet *a)
{
    struct buf out = BUF_INIT;
    usage_lines(a, &out);
    buf_addc(&out, '\n');
    struct table t;
    table_init(&t, "<options: <");
    for (const struct opt *o = a->opts; o->id; o++)
        help_option(&t, o);
    help_option(&t, &help_row);
    table_print(&t, &out, 80);
    table_release(&t);
    if (a->notes)
        buf_printf(&out, "\n%s\n", a->notes);
    fputs(buf_str(&out), stdout);
    buf_release(&out);
}

int applet_usage(const struct applet *a)
{
    struct buf out = BUF_INIT;
    usage_lines(a, &out);
    fputs(buf_str(&out), stderr);
    buf_release(&out);
    return USAGE;
}
