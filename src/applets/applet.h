/*
 * applet: the interface of an applet. An applet's source defines one const struct applet called
 * applet_NAME and nothing else visible; the steps for a new one stand in applets.def.
 *
 * Applets turn options into one or two calls down and the results into words and an exit status.
 * They include no operating-system header: the C library's portable part, core, engine and plat
 * headers only.
 */
#pragma once

#include "core/base/fail.h"

#include <getopt.h>
#include <stdbool.h>
#include <stddef.h>

/* Exit statuses. A command run under an applet gives its own instead. */
enum { DONE = 0, FAILED = 1, USAGE = 2, NOT_EXECUTABLE = 126, NOT_FOUND = 127, SIGNALLED = 128 };

/* One option. The table of them drives parsing, --help, completion and the check against the
 * manual. */
struct opt {
    int id;           /* the letter, or a number over 255 for one that has only a long name; with
                         | OPT_ADVANCED only --help=all shows it, with | OPT_COMMAND the first
                         operand after it begins a command, and options end there; with
                         | OPT_FILES, operands after it complete as files */
    const char *name; /* long name, NULL when only the letter exists */
    const char *arg;  /* name of its argument in capitals, [NAME] when it may be absent (then
                         joined), NULL = none */
    const char *help; /* a short line */
};

enum { OPT_ADVANCED = 1 << 16, OPT_COMMAND = 1 << 17, OPT_FILES = 1 << 18 };

struct opt_state;
struct buf;

struct applet {
    const char *name;
    const char *usage;      /* what follows `usage: NAME `; may be several lines, each a form */
    const struct opt *opts; /* ends with a zero id; -h, --help, -V and --version need no row */
    const char *notes;      /* printed after the options by --help; may be NULL */
    void (*append_help)(struct buf *out); /* after the notes; may be NULL */
    int (*run)(int argc, char **argv); /* argv[0] is the applet's name; returns the exit status */
    /* Whether an operand is the first word of a command, whose own options follow it: options end
     * there. NULL: only after an option with OPT_COMMAND. */
    bool (*begins_command)(const struct opt_state *o, const char *operand);
    /* Another table of options and the like, as options say (sym's styles). NULL: there is one. */
    const struct applet *(*variant)(int argc, char **argv);
    /* For completion: appends the words that can be the argument of an option, or an operand (a row
     * with nothing but its `arg'), one a line, a tab and a short text after it if it needs one.
     * FORMAT of [FORMAT:]FILE is asked for alone. NULL: none but those of complete.c. */
    void (*values)(const struct opt *o, struct buf *out);
    /* For completion: the names of the operands, as those of arguments, separated by blanks; the
     * last is also that of all further ones. A|B: one or the other. COMMAND: another program
     * follows. NULL: files. */
    const char *operands;
};

struct applet_entry {
    const struct applet *applet;
    const char *brief;
};

/* table.c: what was built of applets.def, in its order; ends with a NULL applet. */
extern const struct applet_entry applet_table[];
const struct applet *applet_find(const char *name); /* NULL: none of this psuite */
bool applet_is_left_out(const char *name);          /* an applet, but not built (PSUITE_APPLETS) */

/* --- options --- */

enum { OPT_END = -1, OPT_BAD = -2, OPT_HELP = -3 };

/* Sets in the request what an option says. Negative: its argument is wrong, which it has said. */
typedef int opt_parse(void *request, struct opt_state *s, int id);

struct opt_state {
    const struct applet *applet;
    int argc;
    char **argv;
    int next;   /* index of the first argument not yet taken; after OPT_END, of the first operand */
    int passed; /* operands before it, which follow the options in the end */
    bool command;  /* an option with OPT_COMMAND was given */
    bool dashes;   /* "--" ended the options */
    void *request; /* the applet's, for members and begins_command; may be NULL */
    const struct opt_member *members;
    opt_parse *parse;
    const char *arg;   /* argument of the option just returned, or NULL */
    char letters[128]; /* the table as getopt_long wants it */
    struct option longs[48];
    size_t names;
};

/* An option that does nothing but set a member of the applet's request to true, to its argument, or
 * to the seconds that this is. A table of them ends with a zero id. */
struct opt_member {
    int id;
    enum { OPT_TO_FLAG, OPT_TO_TEXT, OPT_TO_SECONDS } kind;
    size_t at;  /* the member's offset */
    double max; /* seconds */
};
/* Does not compile for a member of another type. */
#define OPT_OFFSET(type, member, of)                                                               \
    (offsetof(type, member) +                                                                      \
     0 * sizeof(                                                                                   \
             char[__builtin_types_compatible_p(__typeof__(((type *)NULL)->member), of) ? 1 : -1]))
#define OPT_FLAG(type, member)         OPT_TO_FLAG, OPT_OFFSET(type, member, bool), 0
#define OPT_TEXT(type, member)         OPT_TO_TEXT, OPT_OFFSET(type, member, const char *), 0
#define OPT_SECONDS(type, member, max) OPT_TO_SECONDS, OPT_OFFSET(type, member, double), max

/* Options may also follow operands, up to "--" or the first word of a command. argv is put in order
 * on the way: options, then operands. opt_next returns the id of the next option, OPT_END, or
 * OPT_BAD (already reported on stderr) or OPT_HELP (help or version printed): the applet then
 * returns opt_status(). */
void opt_start(struct opt_state *s, const struct applet *a, int argc, char **argv);
int opt_next(struct opt_state *s);
/* From here on opt_next sets these members of the request, and passes other options to parse; it
 * does not return what is done so. parse may be NULL, and so may members. */
void opt_store(struct opt_state *s, const struct opt_member *members, opt_parse *parse,
               void *request);
int opt_status(int result);

bool opt_any_command(const struct opt_state *o, const char *operand); /* begins_command: always */

int opt_id(const struct opt *o);               /* the letter or number alone */
bool opt_arg_optional(const struct opt *o);    /* [NAME] */
bool opt_adds_version(const struct applet *a); /* -V and --version are not rows of its table */

/* Numbers of an option's argument, whole and within bounds; otherwise says so on stderr and returns
 * -1. */
int opt_u64(const struct opt_state *s, const char *name, unsigned long long min,
            unsigned long long max, unsigned long long *out);
int opt_seconds(const struct opt_state *s, const char *name, double max,
                double *out); /* 5, 0.5s, 200ms, 2m: core/base/duration.h */

/* --- words --- */

/* On stdout, and no longer than a screen of 24 lines; all: the options that are seldom used, too.
 */
void applet_help(const struct applet *a, bool all);
void applet_version(void);                /* on stdout: psuite's, and what was compiled in */
int applet_usage(const struct applet *a); /* on stderr; returns USAGE */
/* `NAME: what: why` and the hint on stderr; returns FAILED. */
int applet_fail(const struct applet *a, const struct fail *f);
/* The exit status for a command that could not be executed; error: -errno. */
int applet_not_executed(int error);
int applet_error(const struct applet *a, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
/* The same, usage kind: adds how to get help; returns USAGE. */
int applet_misuse(const struct applet *a, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
void applet_warn(const struct applet *a, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Writes text for people, or JSON, to stdout or stderr: what a terminal would act upon is '?'
 * (core/text/shown.h), as it is in all messages. Core's -ENOMEM in text becomes an error. Returns
 * status, FAILED if it cannot. */
int applet_print(const struct applet *a, const struct buf *text, int status);
int applet_print_err(const struct applet *a, const struct buf *text, int status);
/* The same to stdout for formats that programs read: the bytes as they are. */
int applet_write_bytes(const struct applet *a, const struct buf *bytes, int status);

/* Writes what standard output has buffered. What it fails with first is kept: later calls may set
 * errno before it is printed at exit. */
void applet_flush(void);
int applet_output_error(void); /* the errno of that failure; 0: all was written */
bool applet_report_lost(void); /* standard error has not taken a report: nothing is left to tell */
