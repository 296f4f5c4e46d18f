/* Options: from the arguments and an applet's table to one id after the other. */
#include "applets/applet.h"

#include "applets/nearest.h"
#include "applets/other_names.h"
#include "core/base/buf.h"
#include "core/base/duration.h"
#include "core/base/time_ns.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool opt_arg_optional(const struct opt *o)
{
    return o->arg && o->arg[0] == '[' && o->arg[strlen(o->arg) - 1] == ']';
}

int opt_id(const struct opt *o)
{
    return o->id & ~(OPT_ADVANCED | OPT_COMMAND | OPT_FILES);
}

bool opt_any_command(const struct opt_state *o, const char *operand)
{
    (void)o;
    (void)operand;
    return true;
}

bool opt_adds_version(const struct applet *a)
{
    for (const struct opt *o = a->opts; o->id; o++)
        if (o->name && strcmp(o->name, "version") == 0)
            return false;
    return true;
}

/* getopt_long's two tables out of ours. A leading '+' leaves operands to pass_operands, ':' tells a
 * missing argument from an unknown option. */
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

static const struct opt version_row = {'V', "version", NULL, NULL};

struct opt_state opt_start(const struct applet *a, int argc, char **argv)
{
    struct opt_state s = {.applet = a, .argc = argc, .argv = argv, .next = 1, .letters = "+:h"};
    s.longs[s.names++] = (struct option){"help", optional_argument, NULL, 'h'};
    for (const struct opt *o = a->opts; o->id; o++)
        add_row(&s, o);
    if (opt_adds_version(a))
        add_row(&s, &version_row);
    optind = 0; /* start afresh: psuite's own options may have been read before */
    opterr = 0;
    getopt_long(argc > 0, argv, s.letters, s.longs, NULL); /* of no words: read_next sets optind */
    return s;
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

static bool has_name(const struct opt_state *s, const char *name)
{
    for (size_t i = 0; i < s->names; i++)
        if (strcmp(s->longs[i].name, name) == 0)
            return true;
    return false;
}

/* What to type instead: text begins with a long name, or is of a letter that is there. */
static bool has_option(const struct opt_state *s, const char *text)
{
    char name[32];
    size_t len = strcspn(text, " ");
    if (strncmp(text, "--", 2) != 0)
        return row_of(s, text[1]) != NULL;
    snprintf(name, sizeof name, "%.*s", (int)len - 2, text + 2);
    return has_name(s, name);
}

/* The nearest long name, with its dashes. */
static void add_nearest(const struct opt_state *s, const char *name, struct buf *out)
{
    struct nearest near;
    nearest_start(&near, name);
    for (size_t i = 0; i < s->names; i++)
        nearest_try(&near, s->longs[i].name);
    if (near.best)
        buf_printf(out, "--%s", near.best);
}

static void no_such_name(const struct opt_state *s, const char *name)
{
    SCOPED_BUF names = BUF_INIT, similar = BUF_INIT;
    size_t n = beginning_with(s, name, &names);
    const char *ours = other_option(s->applet->name, name);
    const char *needless = other_needless(s->applet->name, name);
    if (ours && has_option(s, ours))
        buf_adds(&similar, ours);
    else
        add_nearest(s, name, &similar);
    if (n > 1 && n <= MAX_NAMES)
        applet_misuse(s->applet, "--%s: which of %s?", name, buf_str(&names));
    else if (needless)
        applet_misuse(s->applet, "--%s: no such option: %s", name, needless);
    else if (similar.len)
        applet_misuse(s->applet, "--%s: no such option; did you mean `%s'?", name,
                      buf_str(&similar));
    else
        applet_misuse(s->applet, "--%s: no such option", name);
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
    const char letter[] = {(char)optopt, '\0'};
    const char *ours = other_letter(s->applet->name, optopt);
    const char *needless = other_needless(s->applet->name, letter);
    if (result == ':')
        applet_misuse(s->applet, "-%c: %s is missing", optopt, row_of(s, optopt)->arg);
    else if (needless)
        applet_misuse(s->applet, "-%c: no such option: %s", optopt, needless);
    else if (ours)
        applet_misuse(s->applet, "-%c: no such option; did you mean `%s'?", optopt, ours);
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

/* --- order --- */

static bool is_operand(const char *word)
{
    return word[0] != '-' || !word[1];
}

static bool begins_command(const struct opt_state *s, const char *operand)
{
    return s->command || (s->applet->begins_command && s->applet->begins_command(s, operand));
}

/* Passes operands. Whether no option follows. In the middle of a word of letters there is none to
 * pass. */
static bool pass_operands(struct opt_state *s)
{
    for (; s->next < s->argc && is_operand(s->argv[s->next]); s->next++, s->passed++)
        if (begins_command(s, s->argv[s->next]))
            return true;
    s->dashes = s->next < s->argc && strcmp(s->argv[s->next], "--") == 0;
    return s->next == s->argc || s->dashes;
}

/* What was taken, up to `end': an option with its argument, or "--". */
static void move_before_operands(struct opt_state *s, int end)
{
    char *word[2];
    size_t n = (size_t)(end - s->next), passed = (size_t)s->passed;
    char **first = s->argv + s->next - passed;
    if (n <= 2 && passed) {
        memcpy(word, first + passed, n * sizeof *word);
        memmove(first + n, first, passed * sizeof *first);
        memcpy(first, word, n * sizeof *word);
    }
    s->next = end;
}

static int end_options(struct opt_state *s)
{
    move_before_operands(s, s->next + s->dashes);
    s->next -= s->passed;
    return OPT_END;
}

/* An operand that stands before it can be no part of the command. */
static int begin_command(struct opt_state *s, int id)
{
    const struct opt *row = row_of(s, id);
    if (!row || !(row->id & OPT_COMMAND))
        return id;
    s->command = true;
    if (!s->passed)
        return id;
    applet_misuse(s->applet, "-%c: COMMAND follows the options: %s cannot precede -%c", id,
                  s->argv[s->next - s->passed], id);
    return OPT_BAD;
}

static int read_next(struct opt_state *s)
{
    if (pass_operands(s))
        return end_options(s);
    char *word = s->argv[s->next]; /* also when it is a cluster of letters, half read */
    optind = s->next;
    int id = getopt_long(s->argc, s->argv, s->letters, s->longs, NULL);
    s->arg = optarg;
    move_before_operands(s, optind);
    if (id == '?' || id == ':') {
        if (strncmp(word, "--", 2) == 0)
            bad_name(s, word, id);
        else
            bad_letter(s, id);
        return OPT_BAD;
    }
    if (id == 'h')
        return print_help(s);
    if (id == 'V' && opt_adds_version(s->applet)) {
        applet_version();
        return OPT_HELP;
    }
    return begin_command(s, id);
}

/* --- into a request --- */

static int set_member(const struct opt_state *s, const struct opt_member *m, void *to)
{
    switch (m->kind) {
    case OPT_TO_SECONDS:
        return opt_seconds(s, (double)m->max, to);
    case OPT_TO_NUMBER:
        return opt_u64(s, m->min, m->max, to);
    case OPT_TO_FLAG:
        *(bool *)to = true;
        return 0;
    case OPT_TO_TEXT:
        *(const char **)to = s->arg;
        return 0;
    case OPT_TO_VALUE:
        *(unsigned *)to = (unsigned)m->max;
        return 0;
    }
    return 0;
}

int opt_set(const struct opt_state *s, const struct opt_member *members, void *request)
{
    const struct opt_member *m = members;
    while (m && m->id && m->id != s->id)
        m++;
    if (!m || !m->id)
        return 0;
    return set_member(s, m, (char *)request + m->at) < 0 ? -1 : 1;
}

int opt_read(struct opt_state *s, const struct opt_member *members, opt_parse *parse, void *request)
{
    int r = 0;
    s->request = request;
    while (r >= 0 && (s->id = read_next(s)) > 0) {
        r = opt_set(s, members, request);
        if (r == 0 && parse)
            r = parse(request, s, s->id);
    }
    r = r < 0 ? r : s->id;
    return s->id == OPT_END ? OPT_END : r == OPT_HELP ? DONE : USAGE;
}

int opt_wrong(const struct opt_state *s, const char *why, ...)
{
    SCOPED_BUF words = BUF_INIT;
    va_list ap;
    if (s->id < 256)
        buf_printf(&words, "-%c", s->id);
    else
        buf_printf(&words, "--%s", row_of(s, s->id)->name);
    buf_printf(&words, ": %s: ", s->arg);
    va_start(ap, why);
    buf_vprintf(&words, why, ap);
    va_end(ap);
    applet_misuse(s->applet, "%s", buf_str(&words));
    return -1;
}

static const char *format_name(const struct opt_formats *formats, size_t i)
{
    return *(const char *const *)((const char *)formats->row + i * formats->each);
}

size_t opt_format_named(const struct opt_formats *formats, const char *name, size_t len)
{
    size_t i = 0;
    while (i < formats->count && (strlen(format_name(formats, i)) != len ||
                                  strncmp(format_name(formats, i), name, len) != 0))
        i++;
    return i;
}

static int no_such_format(const struct opt_state *s, const struct opt_formats *formats, size_t len)
{
    SCOPED_BUF names = BUF_INIT;
    for (size_t i = 0; i < formats->count; i++)
        buf_printf(&names, "%s%s", i ? " " : "", format_name(formats, i));
    applet_misuse(s->applet, "-o: %.*s: no such format (%s); for a file name with a colon: -o ./%s",
                  (int)len, s->arg, buf_str(&names), s->arg);
    return -1;
}

int opt_format(const struct opt_state *s, const struct opt_formats *formats, const char **path)
{
    size_t len = strcspn(s->arg, ":/"), i = opt_format_named(formats, s->arg, len);
    *path = s->arg;
    if (s->arg[len] != ':' || len < 2)
        return (int)formats->count;
    if (i == formats->count)
        return no_such_format(s, formats, len);
    *path += len + 1;
    return **path ? (int)i : (applet_misuse(s->applet, "-o: %s FILE is missing", s->arg), -1);
}

int opt_u64(const struct opt_state *s, uint64_t min, uint64_t max, uint64_t *out)
{
    char *end;
    errno = 0;
    unsigned long long v = strtoull(s->arg, &end, 10);
    if (s->arg[0] >= '0' && s->arg[0] <= '9' && *end == '\0' && errno == 0 && v >= min &&
        v <= max) {
        *out = v;
        return 0;
    }
    return opt_wrong(s, "not a whole number from %" PRIu64 " to %" PRIu64, min, max);
}

int opt_seconds(const struct opt_state *s, double max, double *out)
{
    double ns;
    if (duration_parse(s->arg, NS_PER_S, &ns) && ns <= max * NS_PER_S) {
        *out = ns / NS_PER_S;
        return 0;
    }
    return opt_wrong(s, "not a time such as 5, 0.5s, 200ms or 2m, at most %.0f s", max);
}
