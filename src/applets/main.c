/* The one executable: which applet is meant, and what psuite itself answers. */
#include "applets/applet.h"

#include "applets/complete.h"
#include "applets/install.h"
#include "applets/nearest.h"
#include "applets/other_names.h"
#include "core/base/buf.h"
#include "plat/coprocess.h"
#include "plat/guard.h"
#include "plat/limits.h"
#include "plat/memory.h"
#include "plat/workload.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static int run_psuite(int argc, char **argv);

enum { LIST = 256, INSTALL, COMPLETE };

static void list_applets(struct buf *out)
{
    for (const struct applet_entry *e = applet_table; e->applet; e++)
        buf_printf(out, "  %-8s %s\n", e->applet->name, e->brief);
}

/* After its options. */
static void help_applets(struct buf *out)
{
    buf_adds(out, "\napplets, each also a command if psuite is linked to its name:\n");
    list_applets(out);
}

static const struct opt psuite_opts[] = {
    {OPT_ADVANCED | LIST, "list", NULL, "print the names of the applets, one per line"},
    {INSTALL, "install", NULL, "install a link to psuite for each applet in DIR"},
    {OPT_ADVANCED | COMPLETE, "complete", NULL, "print what can follow WORD...: for completions"},
    {OPT_ADVANCED | 's', NULL, NULL, "with --install: make symbolic links, not hard links"},
    {0},
};

static const struct applet psuite = {
    .name = "psuite",
    .usage = "APPLET [ARGUMENT...]\nhelp APPLET | --list | --version | --install [-s] DIR",
    .opts = psuite_opts,
    .run = run_psuite,
    .begins_command = opt_any_command,
    .append_help = help_applets,
    .operands = "APPLET",
};

static int absent_applet(const char *name)
{
    applet_error(&psuite, "%s: this psuite was built without this applet", name);
    fprintf(stderr,
            "psuite: hint: build it with `cmake -DPSUITE_APPLETS=all', or with %s in that list\n",
            name);
    return NOT_FOUND;
}

static const char *nearest_applet(const char *name)
{
    struct nearest near;
    nearest_start(&near, name);
    for (const struct applet_entry *e = applet_table; e->applet; e++)
        nearest_try(&near, e->applet->name);
    return near.best;
}

/* What to type for another tool's command, if its applet was built. */
static const char *similar_command(const char *name, const char *word)
{
    const char *command = other_command(name, word);
    for (const struct applet_entry *e = applet_table; command && e->applet; e++)
        if (strlen(e->applet->name) == strcspn(command, " ") &&
            strncmp(command, e->applet->name, strlen(e->applet->name)) == 0)
            return command;
    return NULL;
}

/* A word that is psuite's own option without its dashes. */
static bool is_own_option(const char *name)
{
    for (const struct opt *o = psuite_opts; o->id; o++)
        if (o->name && strcmp(o->name, name) == 0)
            return true;
    return strcmp(name, "version") == 0;
}

static int unknown_applet(const char *name, const char *word)
{
    if (applet_is_left_out(name))
        return absent_applet(name);
    const char *command = similar_command(name, word);
    bool own = is_own_option(name);
    const char *similar = own ? name : command ? command : nearest_applet(name);
    applet_error(&psuite, "%s: no such applet%s%s%s%s", name, similar ? "; did you mean `" : "",
                 own       ? "psuite --"
                 : command ? "psuite "
                           : "",
                 similar ? similar : "", similar ? "'?" : "");
    fprintf(stderr, "psuite: hint: run `psuite' to list the applets\n");
    return NOT_FOUND;
}

static int print_help(int argc, char **argv)
{
    const struct applet *a =
        argc < 2 || strcmp(argv[1], "psuite") == 0 ? &psuite : applet_find(argv[1]);
    if (!a)
        return unknown_applet(argv[1], NULL);
    applet_help(a, false);
    return DONE;
}

static int print_list(void)
{
    SCOPED_BUF out = BUF_INIT;
    buf_adds(&out, "applets, whose options `psuite help APPLET' lists:\n");
    list_applets(&out);
    return applet_print(&psuite, &out, DONE);
}

static int install_applets(struct opt_state *s, bool symbolic)
{
    if (s->next + 1 != s->argc)
        return applet_misuse(&psuite, "--install: %s",
                             s->next == s->argc ? "DIR is missing" : "takes one DIR");
    return install_links(&psuite, s->argv[s->next], symbolic);
}

static const struct applet *running; /* whose output is checked at the end */

static int run_applet(const struct applet *a, int argc, char **argv)
{
    running = a;
    return a->run(argc, argv);
}

struct request {
    int want; /* the last of LIST, INSTALL and COMPLETE */
    bool symbolic;
};

static int parse_option(void *request, struct opt_state *s, int id)
{
    struct request *q = request;
    (void)s;
    q->symbolic |= id == 's';
    q->want = id == 's' ? q->want : id;
    return 0;
}

/* psuite's own options, `help', or the applet named by the first operand. */
static int run_psuite(int argc, char **argv)
{
    struct request q = {0};
    struct opt_state s = opt_start(&psuite, argc, argv);
    int status = opt_read(&s, NULL, parse_option, &q);
    if (status != OPT_END)
        return status;
    if (q.want == INSTALL)
        return install_applets(&s, q.symbolic);
    if (q.symbolic)
        return applet_misuse(&psuite, "-s: only with --install");
    if (q.want == LIST)
        for (const struct applet_entry *e = applet_table; e->applet; e++)
            puts(e->applet->name);
    else if (q.want == COMPLETE)
        return complete_words(&psuite, argc - s.next, argv + s.next);
    else if (s.next >= argc)
        return print_list();
    else if (strcmp(argv[s.next], "help") == 0)
        return print_help(argc - s.next, argv + s.next);
    else {
        const struct applet *a = applet_find(argv[s.next]);
        return a ? run_applet(a, argc - s.next, argv + s.next)
                 : unknown_applet(argv[s.next], argv[s.next + 1]);
    }
    return DONE;
}

/* A full disk or a closed pipe must not pass for success. */
static int check_output(int status)
{
    int err = applet_output_error();
    if (!err && !applet_report_lost())
        return status;
    if (err && err != EPIPE)
        fprintf(stderr, "%s: standard output: %s\n", running->name, strerror(err));
    return status ? status : FAILED;
}

/* By its last part, without the dash of a login shell. */
static const char *own_name(int argc, char **argv)
{
    const char *slash = argc > 0 ? strrchr(argv[0], '/') : NULL;
    const char *name = slash ? slash + 1 : argc > 0 ? argv[0] : "psuite";
    return name + (name[0] == '-');
}

int main(int argc, char **argv)
{
    limits_are_errors();
    guard_truncated_files();
    memory_return_large();
    if (argc > 1 && strcmp(argv[0], workload_program) == 0)
        coprocess_set_name(argv[1]);
    const char *name = own_name(argc, argv);
    const struct applet *a = applet_find(name);
    if (!a && applet_is_left_out(name)) /* a link from before */
        return absent_applet(name);
    return check_output(run_applet(a ? a : &psuite, argc, argv));
}
