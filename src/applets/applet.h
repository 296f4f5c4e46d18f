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
#include "core/text/values.h"

#include <getopt.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

/* The words that an argument can be: one a line, a tab and a short text after it if it needs one.
 * FORMAT of [FORMAT:]FILE is asked for alone. A table of them ends with a NULL. */
struct opt_words {
    const char *arg, *lines;
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
    /* For completion: the words that can be the argument of an option, or an operand. NULL: none
     * but those of complete.c. */
    const struct opt_words *words;
    /* Appends more of them, of an operand for a row with nothing but its `arg'. May be NULL. */
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

/* Sets in the request what an option says. Negative: its argument is wrong, which it has said, or
 * OPT_HELP: it has printed what was asked for, and nothing else is done. */
typedef int opt_parse(void *request, struct opt_state *s, int id);

struct opt_state {
    const struct applet *applet;
    int argc;
    char **argv;
    int next;   /* index of the first argument not yet taken; after OPT_END, of the first operand */
    int passed; /* operands before it, which follow the options in the end */
    bool command;      /* an option with OPT_COMMAND was given */
    bool dashes;       /* "--" ended the options */
    void *request;     /* the applet's, for begins_command; may be NULL */
    int id;            /* of the option that is parsed */
    const char *arg;   /* its argument, or NULL */
    char letters[128]; /* the table as getopt_long wants it */
    struct option longs[48];
    size_t names;
};

/* An option that does nothing but set a member of the applet's request: to true, to its argument,
 * to the seconds or the number that this is, or to a value of its own. A table of them ends with a
 * zero id. */
struct opt_member {
    int id;
    enum { OPT_TO_FLAG, OPT_TO_TEXT, OPT_TO_SECONDS, OPT_TO_NUMBER, OPT_TO_VALUE } kind;
    size_t at; /* the member's offset */
    uint64_t min, max;
};
/* Does not compile for a member of another type. */
#define OPT_OFFSET(type, member, of)                                                               \
    (offsetof(type, member) +                                                                      \
     0 * sizeof(                                                                                   \
             char[__builtin_types_compatible_p(__typeof__(((type *)NULL)->member), of) ? 1 : -1]))
#define OPT_FLAG(type, member)         OPT_TO_FLAG, OPT_OFFSET(type, member, bool), 0, 0
#define OPT_TEXT(type, member)         OPT_TO_TEXT, OPT_OFFSET(type, member, const char *), 0, 0
#define OPT_SECONDS(type, member, max) OPT_TO_SECONDS, OPT_OFFSET(type, member, double), 0, max
#define OPT_NUMBER(type, member, min, max)                                                         \
    OPT_TO_NUMBER, OPT_OFFSET(type, member, uint64_t), min, max
#define OPT_VALUE(type, member, value) /* of an enum */                                            \
    OPT_TO_VALUE, OPT_OFFSET(type, member, unsigned), value, value

struct opt_state opt_start(const struct applet *a, int argc, char **argv);
/* Reads the options: sets members of the request, and passes others to parse, which may be NULL.
 * Options may also follow operands, up to "--" or the first word of a command. argv is put in order
 * on the way: options, then operands. OPT_END; else the exit status, as there is nothing to do:
 * what is wrong was said, or help was printed. */
int opt_read(struct opt_state *s, const struct opt_member *members, opt_parse *parse,
             void *request);
/* For options that several applets have: 1 when the one that is parsed is one of members, which is
 * set then; 0 when not; -1 when it was, and wrong. */
int opt_set(const struct opt_state *s, const struct opt_member *members, void *request);

bool opt_any_command(const struct opt_state *o, const char *operand); /* begins_command: always */

int opt_id(const struct opt *o);               /* the letter or number alone */
bool opt_arg_optional(const struct opt *o);    /* [NAME] */
bool opt_adds_version(const struct applet *a); /* -V and --version are not rows of its table */

/* The formats of -o [FORMAT:]FILE: a table whose rows begin with their names. */
struct opt_formats {
    const void *row;
    size_t count, each;
};
/* The index of the format in -o's argument, whose file is *path then; formats->count: the argument
 * is a plain path, as ./a:b is. Negative: as opt_wrong. */
int opt_format(const struct opt_state *s, const struct opt_formats *formats, const char **path);
/* The index of a name; count: there is none. */
size_t opt_format_named(const struct opt_formats *formats, const char *name, size_t len);

/* Says `OPTION: ARGUMENT: WHY' of the one that is parsed, as applet_misuse does; returns -1. */
int opt_wrong(const struct opt_state *s, const char *why, ...)
    __attribute__((format(printf, 2, 3)));
/* Numbers of its argument, whole and within bounds; 0, or as opt_wrong. */
int opt_u64(const struct opt_state *s, uint64_t min, uint64_t max, uint64_t *out);
int opt_seconds(const struct opt_state *s, double max,
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

/* Creates a file of these bytes (file_write in plat/file.h). made: what making them returned, 0 or
 * -errno. Returns the exit status. */
int applet_write_file(const struct applet *a, const char *path, const struct buf *bytes, bool force,
                      int made);

/* Prints the applet's JSON object of these members (json_members in core/text/json.h). */
#define applet_print_members(a, keys, ...) applet_print_values(a, keys, TEXT_VALUES(__VA_ARGS__))
int applet_print_values(const struct applet *a, const char *keys, const struct text_value *values);

/* Writes what standard output has buffered. What it fails with first is kept: later calls may set
 * errno before it is printed at exit. */
void applet_flush(void);
int applet_output_error(void); /* the errno of that failure; 0: all was written */
bool applet_report_lost(void); /* standard error has not taken a report: nothing is left to tell */
