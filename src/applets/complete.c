#include "applets/complete.h"

#include "core/base/buf.h"
#include "core/base/text.h"
#include "core/text/shown.h"
#include "plat/proc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PROCESSES = 1 << 16 };

struct completion {
    const struct applet *applet;
    const char *last;   /* the word to complete */
    const char *kind;   /* of complete.h */
    size_t number;      /* its N */
    struct buf matches; /* lines */
};

/* --- words --- */

/* One that begins as the last word does, of which `skip' bytes precede it. */
static void add_match(struct completion *c, size_t skip, const char *word, size_t len,
                      const char *end)
{
    size_t typed = strlen(c->last) - skip;
    if (len < typed || strncmp(word, c->last + skip, typed) != 0)
        return;
    buf_add(&c->matches, c->last, skip);
    buf_add(&c->matches, word, len);
    buf_printf(&c->matches, "%s\n", end);
}

/* Lines as an applet's `values' makes them; `colon' follows each word. */
static void add_lines(struct completion *c, size_t skip, const char *lines, const char *colon)
{
    for (const char *line = lines; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        size_t len = strcspn(line, "\n"), word = strcspn(line, "\t\n");
        SCOPED_BUF end = BUF_INIT;
        buf_adds(&end, colon);
        buf_add(&end, line + word, len - word);
        add_match(c, skip, line, word, buf_str(&end));
    }
}

void complete_add(const char *words, struct buf *out)
{
    for (const char *at = words; *at; at += strspn(at, " ")) {
        size_t len = strcspn(at, " ");
        buf_add(out, at, len);
        buf_addc(out, '\n');
        at += len;
    }
}

static void add_applets(struct completion *c, size_t skip)
{
    for (const struct applet_entry *e = applet_table; e->applet; e++) {
        SCOPED_BUF end = BUF_INIT;
        buf_printf(&end, "\t%s", e->brief);
        add_match(c, skip, e->applet->name, strlen(e->applet->name), buf_str(&end));
    }
}

/* A process names itself: its name must not act upon the terminal, nor look like another line. */
static void add_process(struct completion *c, size_t skip, int pid)
{
    SCOPED_BUF name = BUF_INIT, end = BUF_INIT;
    char number[16];
    int len = snprintf(number, sizeof number, "%d", pid);
    if (proc_text(pid, "comm", &name, NULL) == 0) {
        while (name.len && name.data[name.len - 1] == '\n')
            name.data[--name.len] = '\0';
        shown_message(&name);
        buf_printf(&end, "\t%s", buf_str(&name));
        add_match(c, skip, number, (size_t)len, buf_str(&end));
    }
}

static void add_processes(struct completion *c, size_t skip)
{
    SCOPED_FREE int *pid = malloc(MAX_PROCESSES * sizeof *pid);
    int n = pid ? proc_list(pid, MAX_PROCESSES, NULL) : 0;
    for (int i = 0; i < n && i < MAX_PROCESSES; i++)
        add_process(c, skip, pid[i]);
}

/* --- options --- */

static void add_option(struct completion *c, const struct opt *o)
{
    char letter[] = {'-', (char)opt_id(o), '\0'};
    SCOPED_BUF name = BUF_INIT, end = BUF_INIT;
    buf_printf(&name, "--%s", o->name ? o->name : "");
    buf_printf(&end, "\t%s", o->help);
    if (opt_id(o) < 256)
        add_match(c, 0, letter, 2, buf_str(&end));
    if (o->name)
        add_match(c, 0, buf_str(&name), name.len, buf_str(&end));
}

static void add_options(struct completion *c)
{
    for (const struct opt *o = c->applet->opts; o->id; o++)
        add_option(c, o);
    if (opt_adds_version(c->applet))
        add_option(c, &(struct opt){'V', "version", NULL, "print psuite's version"});
    add_option(c, &(struct opt){'h', "help", NULL, "print help"});
}

static const struct opt *option_named(const struct applet *a, const char *name, size_t len)
{
    for (const struct opt *o = a->opts; o->id; o++)
        if (o->name && strlen(o->name) == len && strncmp(o->name, name, len) == 0)
            return o;
    return NULL;
}

static const struct opt *option_lettered(const struct applet *a, int letter)
{
    for (const struct opt *o = a->opts; o->id; o++)
        if (opt_id(o) == letter)
            return o;
    return NULL;
}

/* The option of a word, of several letters the last; NULL: unknown. joined: its argument is there.
 */
static const struct opt *option_of(const struct applet *a, const char *word, bool *joined)
{
    const struct opt *o = NULL;
    size_t len = strcspn(word, "=");
    *joined = strncmp(word, "--", 2) == 0 && word[len];
    if (strncmp(word, "--", 2) == 0)
        return option_named(a, word + 2, len - 2);
    for (const char *at = word + 1; *at && !*joined; at++) {
        o = option_lettered(a, (unsigned char)*at);
        *joined = o && o->arg && at[1];
    }
    return o;
}

/* --- arguments and operands --- */

static bool is_one_of(const char *name, size_t len, const char *names)
{
    for (const char *at = names; *at; at += strspn(at, " ")) {
        size_t n = strcspn(at, " ");
        if (n == len && strncmp(at, name, len) == 0)
            return true;
        at += n;
    }
    return false;
}

static void set_kind(struct completion *c, const char *kind, size_t number)
{
    c->kind = kind;
    c->number = number;
}

static void add_values(struct completion *c, size_t skip, const char *option, const char *name,
                       const char *colon)
{
    SCOPED_BUF lines = BUF_INIT;
    struct opt row = {0, option, name, NULL};
    for (const struct opt_words *w = c->applet->words; w && w->arg; w++)
        if (strcmp(w->arg, name) == 0)
            buf_adds(&lines, w->lines);
    if (c->applet->values)
        c->applet->values(&row, &lines);
    add_lines(c, skip, buf_str(&lines), colon);
}

/* FORMAT:FILE, of which the format may be there already. */
static void complete_format(struct completion *c, size_t skip, const char *option)
{
    size_t format = strcspn(c->last + skip, ":/");
    if (c->last[skip + format] == ':') {
        set_kind(c, "files", skip + format + 1);
        return;
    }
    add_values(c, skip, option, "FORMAT", ":");
    set_kind(c, "files", skip);
}

static void complete_name(struct completion *c, size_t skip, const char *option, const char *name,
                          size_t len)
{
    char copy[32];
    if (is_one_of(name, len, "[FORMAT:]FILE"))
        complete_format(c, skip, option);
    else if (is_one_of(name, len, "FILE TEXT DATA"))
        set_kind(c, "files", skip);
    else if (is_one_of(name, len, "DIR FOLDER MACHINE"))
        set_kind(c, "directories", skip);
    else if (is_one_of(name, len, "COMMAND"))
        set_kind(c, "commands", skip);
    else if (is_one_of(name, len, "PID"))
        add_processes(c, skip);
    else if (is_one_of(name, len, "APPLET"))
        add_applets(c, skip);
    else if (is_one_of(name, len, "N|all"))
        add_lines(c, skip, "all\n", "");
    else if (snprintf(copy, sizeof copy, "%.*s", (int)len, name) < (int)sizeof copy)
        add_values(c, skip, option, copy, "");
}

/* An operand is one of several things; all commands of the system are too many to choose from. */
static void complete_operand(struct completion *c, const char *names, int operand)
{
    size_t len;
    for (; operand && names[strcspn(names, " ")]; operand--)
        names += strcspn(names, " ") + 1;
    bool only = !names[strcspn(names, "| ")] || names[strcspn(names, "| ")] == ' ';
    for (; (len = strcspn(names, "| ")); names += len + (names[len] == '|')) {
        if (only || c->last[0] || !is_one_of(names, len, "COMMAND"))
            complete_name(c, 0, NULL, names, len);
    }
}

static void complete_option(struct completion *c)
{
    size_t len = strcspn(c->last, "=");
    const struct opt *o = NULL;
    if (strncmp(c->last, "--", 2) == 0 && c->last[len])
        o = option_named(c->applet, c->last + 2, len - 2);
    if (o && o->arg)
        complete_name(c, len + 1, o->name, o->arg, strlen(o->arg));
    else if (!c->last[len])
        add_options(c);
}

/* --- the words before --- */

struct walk {
    struct opt_state state; /* as far as begins_command asks for it */
    bool ended;             /* by "--" */
    const struct opt *open; /* the last word is its argument */
    bool files;             /* operands are, by OPT_FILES */
    bool command;           /* of another program, which word `at' begins */
    int at;
};

static bool is_option(const struct walk *w, const char *word)
{
    return !w->ended && word[0] == '-' && word[1];
}

static bool starts_command(const struct walk *w, const char *word)
{
    const struct applet *a = w->state.applet;
    return w->state.command || (a->begins_command && a->begins_command(&w->state, word));
}

static void take_option(struct walk *w, const char *word)
{
    bool joined;
    const struct opt *o = option_of(w->state.applet, word, &joined);
    w->ended = strcmp(word, "--") == 0;
    w->state.command |= o && (o->id & OPT_COMMAND);
    w->files |= o && (o->id & OPT_FILES);
    w->open = o && o->arg && !joined && !opt_arg_optional(o) ? o : NULL;
}

/* All but the last. */
static void walk_words(struct walk *w, int words, char **word)
{
    for (w->at = 1; w->at < words - 1; w->at++) {
        if (w->open)
            w->open = NULL;
        else if (is_option(w, word[w->at]))
            take_option(w, word[w->at]);
        else if (starts_command(w, word[w->at])) {
            w->command = true;
            return;
        } else
            w->state.passed++;
    }
}

static bool runs_programs(const struct walk *w)
{
    const char *operands = w->state.applet->operands;
    return w->state.command || (operands && strstr(operands, "COMMAND"));
}

/* base: where word[0] is in the whole line. */
static void complete_applet(struct completion *c, int words, char **word, int base)
{
    const struct applet *a = c->applet;
    struct walk w = {.state = {.applet = a}};
    walk_words(&w, words, word);
    if (w.command && runs_programs(&w))
        set_kind(c, "command", (size_t)(base + w.at));
    else if (w.command)
        return;
    else if (w.open)
        complete_name(c, 0, w.open->name, w.open->arg, strlen(w.open->arg));
    else if (!w.ended && c->last[0] == '-')
        complete_option(c);
    else if (w.state.command)
        complete_operand(c, "COMMAND", 0);
    else if (w.files)
        complete_operand(c, "FILE", 0);
    else
        complete_operand(c, a->operands ? a->operands : "FILE", w.state.passed);
}

static void complete_psuite(struct completion *c, int words, char **word)
{
    const struct applet *a = words > 2 ? applet_find(word[1]) : NULL;
    if (a) {
        c->applet = a->variant ? a->variant(words - 1, word + 1) : a;
        complete_applet(c, words - 1, word + 1, 1);
        return;
    }
    if (words == 3 && strcmp(word[1], "help") == 0)
        add_applets(c, 0);
    else
        complete_applet(c, words, word, 0);
    if (words == 2)
        add_match(c, 0, "help", strlen("help"), "\tprint the options of an applet");
}

int complete_words(const struct applet *psuite, int words, char **word)
{
    if (words < 2)
        return applet_misuse(psuite, "--complete: takes the words of a command line, and the last, "
                                     "even if it is empty");
    const struct applet *a = applet_find(path_last(word[0]));
    struct completion c = {.applet = a ? a : psuite, .last = word[words - 1], .kind = "none"};
    if (a && a->variant)
        c.applet = a->variant(words, word);
    if (a)
        complete_applet(&c, words, word, 0);
    else
        complete_psuite(&c, words, word);
    SCOPED_BUF out = BUF_INIT;
    buf_printf(&out, "%s", c.kind);
    if (strcmp(c.kind, "none") != 0)
        buf_printf(&out, " %zu", c.number);
    buf_addc(&out, '\n');
    buf_add(&out, buf_str(&c.matches), c.matches.len);
    int status = applet_write_bytes(psuite, &out, DONE);
    buf_release(&c.matches);
    return status;
}
