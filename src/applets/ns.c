/* ns: Plan 9's files of this machine, of a folder or of another machine, from a shell. */
#include "applets/applet.h"

#include "core/base/buf.h"
#include "dev/devices.h"
#include "engine/ns/folder.h"
#include "engine/ns/remote.h"
#include "ns_command.h"
#include "ns_session.h"
#include "plat/input.h"
#include "plat/tty.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { JSON = 256, RECORDS, MAX_SCRIPT = 1 << 20 };

static const struct opt options[] = {
    {'n', "namespace", "DIR", "files below DIR, or by 9P at unix!PATH, tcp!HOST!PORT"},
    {'a', "attach", "TREE", "with -n: which of the server's trees to use"},
    {'c', "commands", "LINES", "run these commands, separated by `;'"},
    {'f', "force", NULL, "let `> FILE' overwrite an existing file"},
    {RECORDS, "records", NULL, "print a newline after each read of a file"},
    {JSON, "json", NULL, "print one JSON object per file or directory"},
    {0},
};

static int run_ns(int argc, char **argv);

static const struct opt_words argument_words[] = {
    {"VERB", "cat\tprint files\nls\tlist directories\nwrite\twrite text into a file\n"}, {0}};

const struct applet applet_ns = {
    .name = "ns",
    .usage = "[OPTION...] cat NAME...\n[OPTION...] ls [-l] [NAME...]\n"
             "[OPTION...] write NAME TEXT...\n[OPTION...] [-c LINES]",
    .opts = options,
    .notes = "NAME is a Plan 9 file name: #c/sysstat or /dev/sysstat, #l0/ether0/stats,\n"
             "#p/PID/status, #K/kpctl; `ls' without NAME lists the first. What `write' starts\n"
             "ends when psuite exits: to read its result, give several commands with -c or as\n"
             "lines of standard input; there are also `sleep SECONDS' and `run COMMAND...'.\n"
             "`> FILE' after cat or ls writes a file.",
    .run = run_ns,
    .begins_command = opt_any_command,
    .words = argument_words,
    .operands = "VERB NAME",
};

struct request {
    struct ns_session session;
    const char *folder, *tree, *lines;
};

static const struct opt_member members[] = {
    {'n', OPT_TEXT(struct request, folder)},
    {'a', OPT_TEXT(struct request, tree)},
    {'c', OPT_TEXT(struct request, lines)},
    {'f', OPT_FLAG(struct request, session.force)},
    {RECORDS, OPT_FLAG(struct request, session.records)},
    {JSON, OPT_FLAG(struct request, session.json)},
    {0},
};

static int run_lines(struct ns_session *s, const char *lines)
{
    SCOPED_FREE char *text = strdup(lines);
    return text ? ns_script(s, text) : applet_error(&applet_ns, "out of memory");
}

/* Runs the lines that have come whole, at the end what is left; text keeps the rest. */
static int run_whole(struct ns_session *s, struct buf *text, bool at_end)
{
    const char *end = text->len ? strrchr(text->data, '\n') : NULL;
    size_t whole = at_end ? text->len : end ? (size_t)(end + 1 - text->data) : 0;
    struct buf rest = BUF_INIT;
    SCOPED_FREE char *lines = whole ? strndup(text->data, whole) : NULL;
    if (!lines)
        return whole ? applet_error(&applet_ns, "out of memory") : DONE;
    buf_add(&rest, text->data + whole, text->len - whole);
    buf_release(text);
    *text = rest;
    return ns_script(s, lines);
}

/* What is typed is done at once. */
static int run_input(struct ns_session *s)
{
    SCOPED_BUF text = BUF_INIT;
    struct fail f;
    int status = DONE, r = 1;
    if (tty_is_stdin_terminal())
        applet_warn(&applet_ns,
                    "reading commands: cat NAME, ls NAME, write NAME TEXT; Ctrl-D ends");
    while (r > 0 && status == DONE && (status = ns_wait_input(s)) == DONE) {
        r = input_read(&text, &f);
        status = text.len > MAX_SCRIPT
                     ? applet_error(&applet_ns, "standard input: a line is too long")
                     : run_whole(s, &text, r == 0);
        applet_flush(); /* a file's text may end without a newline */
    }
    return r < 0 ? applet_fail(&applet_ns, &f) : status;
}

static int bind_machine(struct request *q, struct fail *f)
{
    struct net_address at;
    int r = net_address_read(q->folder, NET_PORT_9P, &at, f);
    struct ns_remote *remote = r < 0 ? NULL : ns_remote_new(NULL, &at);
    if (!remote || (q->tree && !ns_remote_attach(remote, q->tree))) {
        ns_remote_free(remote);
        return r < 0 ? r : fail_set(f, ENOMEM, "%s", q->folder);
    }
    return ns_remote_bind_waiting(&q->session.ns, remote, f);
}

/* An address has a `!', as it has for stats. */
static int bind_files(struct request *q, struct fail *f)
{
    if (!q->folder)
        return devices_bind(&q->session.ns, f);
    return strchr(q->folder, '!') ? bind_machine(q, f)
                                  : ns_bind_folder(&q->session.ns, q->folder, f);
}

static int run_request(struct request *q, int words, char **word)
{
    struct fail f;
    int r = bind_files(q, &f);
    if (r == 0)
        r = ns_program(&q->session.ns, 0, &f);
    int status = r < 0      ? applet_fail(&applet_ns, &f)
                 : words    ? ns_command(&q->session, words, word)
                 : q->lines ? run_lines(&q->session, q->lines)
                            : run_input(&q->session);
    ns_release(&q->session.ns);
    return status;
}

static int run_ns(int argc, char **argv)
{
    struct request q = {.folder = NULL};
    struct opt_state o = opt_start(&applet_ns, argc, argv);
    int status = opt_read(&o, members, NULL, &q);
    if (status != OPT_END)
        return status;
    if (q.lines && argc > o.next)
        return applet_misuse(&applet_ns, "-c cannot be used with a command");
    return run_request(&q, argc - o.next, argv + o.next);
}
