/* What --help tells: an applet's usage, its table of options, its notes. */
#include "applets/applet.h"

#include "build_info.h"
#include "core/base/buf.h"
#include "core/text/table.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static void help_option(struct table *t, const struct opt *o)
{
    char left[80] = "";
    size_t n = 0;
    if (opt_id(o) < 256)
        n = (size_t)snprintf(left, sizeof left, "-%c%s", opt_id(o), o->name ? ", " : "");
    else
        n = (size_t)snprintf(left, sizeof left, "    ");
    if (o->name)
        n += (size_t)snprintf(left + n, sizeof left - n, "--%s", o->name);
    if (o->arg && opt_arg_optional(o))
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

static size_t count_advanced(const struct applet *a)
{
    size_t n = 0;
    for (const struct opt *o = a->opts; o->id; o++)
        n += (o->id & OPT_ADVANCED) != 0;
    return n;
}

/* Where rows are left out, it is one of them. */
static bool hides_version(const struct applet *a)
{
    return opt_adds_version(a) && count_advanced(a);
}

/* The last rows; the help's says how many rows are left out. */
static void help_of_help(struct table *t, const struct applet *a, bool all)
{
    char what[80] = "print this help";
    size_t more = count_advanced(a) + hides_version(a);
    if (opt_adds_version(a) && (all || !more))
        help_option(t, &(struct opt){'V', "version", NULL,
                                     "print psuite's version, and what was compiled in"});
    if (more && !all)
        snprintf(what, sizeof what, "this help; %zu more: --help=all, %s%s(1)", more,
                 strcmp(a->name, "psuite") ? "psuite-" : "", a->name);
    help_option(t, &(struct opt){'h', "help", more ? "[all]" : NULL, what});
}

void applet_help(const struct applet *a, bool all)
{
    SCOPED_BUF out = BUF_INIT;
    usage_lines(a, &out);
    buf_addc(&out, '\n');
    struct table t;
    table_init(&t, "<options: <");
    for (const struct opt *o = a->opts; o->id; o++)
        if (all || !(o->id & OPT_ADVANCED))
            help_option(&t, o);
    help_of_help(&t, a, all);
    table_print(&t, &out, 80);
    if (a->notes)
        buf_printf(&out, "\n%s\n", a->notes);
    if (a->append_help)
        a->append_help(&out);
    fputs(buf_str(&out), stdout);
}

void applet_version(void)
{
    printf("psuite %s\nbuilt for %s, %s, with %s\n", PSUITE_VERSION, PSUITE_MACHINE, PSUITE_LINKAGE,
           PSUITE_FEATURES);
}

int applet_usage(const struct applet *a)
{
    SCOPED_BUF out = BUF_INIT;
    usage_lines(a, &out);
    fprintf(stderr, "%s%s: see `psuite help %s'\n", buf_str(&out), a->name, a->name);
    return USAGE;
}
