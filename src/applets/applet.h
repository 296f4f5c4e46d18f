/*
 * applet: the interface of an applet. An applet's source defines one const struct applet called
 * applet_NAME and nothing else visible; the steps for a new one stand in applets.def.
 *
 * Applets turn options into one or two calls down and the results into words and an exit status.
 * They include no operating-system header: the C library's portable part, core, engine and plat
 * headers only.
 */
#ifndef PSUITE_APPLETS_APPLET_H
#define PSUITE_APPLETS_APPLET_H

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
                         | OPT_ADVANCED only --help=all tells of it */
    const char *name; /* long name, NULL when only the letter exists */
    const char *arg;  /* name of its argument in capitals, [NAME] when it may be absent (then
                         joined), NULL = none */
    const char *help; /* a short line */
};

enum { OPT_ADVANCED = 1 << 16 };

struct applet {
    const char *name;
    const char *usage;      /* what follows `usage: NAME `; may be several lines, each a form */
    const struct opt *opts; /* ends with a zero id; -h and --help need no row */
    const char *notes;      /* printed after the options by --help; may be NULL */
    int (*run)(int argc, char **argv); /* argv[0] is the applet's name; returns the exit status */
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

struct opt_state {
    const struct applet *applet;
    int argc;
    char **argv;
    int next;   /* index of the first argument not yet taken; after OPT_END, of the first operand */
    int dashes; /* 1 when "--" ended the options */
    const char *arg;   /* argument of the option just returned, or NULL */
    char letters[128]; /* the table as getopt_long wants it */
    struct option longs[48];
    size_t names;
};

/* Options end at the first operand, as a command's own options follow it. opt_next returns the id
 * of the next option, OPT_END, or OPT_BAD (already told on stderr) or OPT_HELP (help printed): the
 * applet then returns opt_status(). */
void opt_start(struct opt_state *s, const struct applet *a, int argc, char **argv);
int opt_next(struct opt_state *s);
int opt_status(int result);

int opt_id(const struct opt *o);            /* without OPT_ADVANCED */
bool opt_arg_optional(const struct opt *o); /* [NAME] */

/* Numbers of an option's argument, whole and within bounds; otherwise says so on stderr and returns
 * -1. */
int opt_u64(const struct opt_state *s, const char *name, unsigned long long min,
            unsigned long long max, unsigned long long *out);
int opt_seconds(const struct opt_state *s, const char *name, double max,
                double *out); /* over 0, fractions allowed */

/* --- words --- */

/* On stdout, and no longer than a screen of 24 lines; all: the options that are seldom used, too.
 */
void applet_help(const struct applet *a, bool all);
int applet_usage(const struct applet *a); /* on stderr; returns USAGE */
/* `NAME: what: why` and the hint on stderr; returns FAILED. */
int applet_fail(const struct applet *a, const struct fail *f);
int applet_error(const struct applet *a, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
/* The same, usage kind: adds how to get help; returns USAGE. */
int applet_misuse(const struct applet *a, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
void applet_warn(const struct applet *a, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

struct buf;
/* Writes text for people, or JSON, to stdout or stderr: what a terminal would act upon is '?'
 * (core/text/shown.h), as it is in all messages. Core's -ENOMEM in text becomes an error. Returns
 * status, FAILED if it cannot. */
int applet_print(const struct applet *a, const struct buf *text, int status);
int applet_print_err(const struct applet *a, const struct buf *text, int status);
/* The same to stdout for formats that programs read: the bytes as they are. */
int applet_write_bytes(const struct applet *a, const struct buf *bytes, int status);

#endif
