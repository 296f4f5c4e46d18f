/* sym: what stands at an address: function, file and line. Addresses and crash logs in, names out.
 */
#include "applets/applet.h"

#include "applets/sym_lines.h"
#include "applets/sym_llvm.h"
#include "applets/sym_target.h"
#include "applets/sym_threads.h"
#include "applets/sym_types.h"
#include "applets/sym_words.h"
#include "applets/symbol_opts.h"
#include "build_info.h"

#include <stdio.h>
#include <string.h>

enum { OBJ = SYM_OWN, FUNCTIONS, DEMANGLE, RETURNS, LIMIT };

/* clang-format off */
#define FIRST_OPTS                                                                                 \
    {'i', "inlines", NULL, "show the callers of inlined code, too"},                                    \
    {'f', "functions", NULL, "show function names, too (style gnu; others always do)"}

#define STYLE_OPTS                                                                                 \
    {OPT_ADVANCED | 'a', "addresses", NULL, "print the address before each answer"},                       \
    {OPT_ADVANCED | 'p', "pretty-print", NULL, "style gnu: one answer per line"},             \
    {OPT_ADVANCED | 's', "basenames", NULL, "file names without directories"},                          \
    {OPT_ADVANCED | 'C', NULL, NULL, "style gnu: demangle function names"},                       \
    {OPT_ADVANCED | DEMANGLE, "demangle", "[STYLE]", "the same as -C"},                                    \
    {OPT_ADVANCED | 'e', "exe", "FILE", "the BINARY; then all operands are addresses"},              \
    {OPT_ADVANCED | OBJ, "obj", "FILE", "the same as -e"}
/* clang-format on */

static const struct opt options[] = {
    FIRST_OPTS,
    {'r', "return-addresses", NULL, "look up the call before each address, for backtraces"},
    STYLE_OPTS,
    {'j', "json", NULL, "print one JSON object per line"},
    SYM_TYPE_OPTS,
    SYM_PROCESS_OPTS,
    SYM_TARGET_OPTS,
    SYMBOL_OPTS,
    {0},
};

/* Those of addr2line have some of the letters for other things. */
static const struct opt gnu_options[] = {
    FIRST_OPTS,
    STYLE_OPTS,
    {'j', "section", "NAME", "addresses are offsets in this section"},
    {'b', "target", "BFDNAME", "any ELF format; accepted and ignored"},
    {OPT_ADVANCED | 'R', "recurse-limit", NULL, "accepted and ignored"},
    {OPT_ADVANCED | 'r', "no-recurse-limit", NULL, "accepted and ignored"},
    {OPT_ADVANCED | LIMIT, "recursion-limit", NULL, "the same as -R"},
    {OPT_ADVANCED | LIMIT, "no-recursion-limit", NULL, "the same as -r"},
    {OPT_ADVANCED | 'v', "version", NULL, "print the version of psuite"},
    {OPT_ADVANCED | 'V', NULL, NULL, "the same as -v"},
    {OPT_ADVANCED | 'H', NULL, NULL, "print this help"},
    {OPT_ADVANCED | RETURNS, "return-addresses", NULL,
     "look up the call before each address, for backtraces"},
    SYM_PROCESS_OPTS,
    SYM_TARGET_OPTS,
    SYMBOL_OPTS,
    {0},
};

static int run_sym(int argc, char **argv);
static const struct applet *styled_sym(int argc, char **argv);
static const struct opt_words argument_words[] = {
    {"STYLE", "psuite\ngnu\nllvm\n"}, {"[STYLE]", "auto\ngnu-v3\nrust\nnone\n"}, {0}};

const struct applet applet_sym = {
    .name = "sym",
    .usage = "[OPTION...] BINARY [ADDRESS...]\n[OPTION...] PID [ADDRESS...]\n"
             "[OPTION...] -k [ADDRESS...]\n[OPTION...] --core FILE [ADDRESS...]",
    .opts = options,
    .notes = "Addresses are hexadecimal: operands, or lines of standard input. A line with\n"
             "other text, such as a log's, is printed unchanged, followed by the functions and\n"
             "lines of its addresses. A bare number is a PID; use ./123 for a file.",
    .run = run_sym,
    .variant = styled_sym,
    .words = argument_words,
    .operands = "FILE|PID ADDRESS",
};

/* With the options of addr2line. */
static const struct applet gnu_sym = {
    .name = "sym",
    .usage = "--style=gnu [OPTION...] [-e] BINARY [ADDRESS...]\n--style=gnu @FILE...",
    .opts = gnu_options,
    .notes = "Options are addr2line's, and those of psuite-sym(1) whose letters are free.",
    .run = run_sym,
    .words = argument_words,
    .operands = "FILE|PID ADDRESS",
};

struct request {
    struct target_want want;
    struct sym_lines lines;
    struct sym_types types;
    bool demangle, no_demangle;
    bool gnu; /* the options are addr2line's */
};

static int parse_format(const char *name)
{
    if (strncmp(name, "elf", 3) == 0 || strcmp(name, "default") == 0)
        return 0;
    return applet_misuse(&applet_sym, "--target: %s: only formats of ELF can be read", name), -1;
}

static const struct opt_member members[] = {
    {'i', OPT_FLAG(struct request, lines.format.inlines)},
    {'f', OPT_FLAG(struct request, lines.format.functions)},
    {'a', OPT_FLAG(struct request, lines.format.address)},
    {'p', OPT_FLAG(struct request, lines.format.pretty)},
    {'s', OPT_FLAG(struct request, lines.format.basenames)},
    {RETURNS, OPT_FLAG(struct request, want.returns)},
    {'e', OPT_TEXT(struct request, want.file)},
    {OBJ, OPT_TEXT(struct request, want.file)},
    {0},
};

/* Letters that mean one thing to addr2line and another to us; 1: it is none of them. */
static int parse_letter(struct request *q, const struct opt_state *o, int id)
{
    if (id == 'j' && q->gnu)
        q->want.section = o->arg;
    else if (id == 'j')
        q->lines.format.style = ANSWER_JSON;
    else if (id == 'b')
        return parse_format(o->arg);
    else if (id == 'r' && !q->gnu)
        q->want.returns = true;
    else
        return id != 'r' && id != 'R' && id != LIMIT;
    return 0;
}

/* Names are demangled by what they begin with, whatever the style. */
static int parse_demangle(struct request *q, const struct opt_state *o)
{
    const char *style = o->arg;
    static const char *const styles[] = {"auto", "gnu-v3", "rust"};
    bool none = style && strcmp(style, "none") == 0, known = !style || none;
    for (size_t i = 0; i < sizeof styles / sizeof styles[0] && !known; i++)
        known = strcmp(style, styles[i]) == 0;
    q->demangle = known && !none;
    q->no_demangle = none;
    return known ? 0 : opt_wrong(o, "no such style (auto, gnu-v3, rust, none)");
}

static int parse_option(void *request, struct opt_state *o, int id)
{
    struct request *q = request;
    int r = parse_letter(q, o, id);
    if (r <= 0)
        return r;
    switch (id) {
    case 'C':
    case DEMANGLE:
        return parse_demangle(q, o);
    case 'v':
    case 'V':
        printf("psuite %s\n", PSUITE_VERSION);
        return OPT_HELP;
    case 'H':
        applet_help(o->applet, true);
        return OPT_HELP;
    default:
        return sym_types_opt(&q->types, o, id)
                   ?: sym_target_opt(&q->want, o)
                   ?: symbol_opt(&q->want.search, &q->no_demangle, o, id);
    }
}

static int ask_all(struct request *q, int addresses, char **address, struct fail *f)
{
    bool input = addresses == 1 && strcmp(address[0], "-") == 0;
    if (!addresses && q->want.core && !q->gnu)
        return sym_threads(q->lines.target, &q->lines.format, f);
    return addresses && !input ? sym_operands(&q->lines, addresses, address, f)
                               : sym_input(&q->lines, f);
}

static int answer_target(struct request *q, int addresses, char **address)
{
    struct fail f;
    SCOPED(target_release) struct target t;
    q->lines.target = &t;
    int r = target_open(&q->want, &t, &f);
    if (r == 0)
        sym_warn_missing(&t);
    if (r == 0)
        r = ask_all(q, addresses, address, &f);
    int status = r < 0 ? applet_fail(&applet_sym, &f) : DONE;
    if (r == 0 && !sym_all_read(&t))
        status = FAILED;
    return status;
}

static int answer_request(struct request *q, int addresses, char **address)
{
    SCOPED(demangler_release)
    struct demangler names = {.off = q->no_demangle || (q->gnu && !q->demangle)};
    q->lines.format.names = &names;
    return q->types.queries ? sym_types_run(&q->types, &q->want)
                            : answer_target(q, addresses, address);
}

static int run_request(struct request *q, int operands, char **operand)
{
    int status = sym_parse_target(&q->want, &operands, &operand);
    if (status == DONE)
        status = sym_types_check(&q->types, &q->want, operands);
    q->types.json = q->lines.format.style == ANSWER_JSON;
    return status ? status : answer_request(q, operands, operand);
}

static int run_words(const struct applet *a, bool gnu, int argc, char **argv)
{
    struct request q = {.gnu = gnu, .lines.format.style = gnu ? ANSWER_GNU : ANSWER_PSUITE};
    struct opt_state o = opt_start(a, argc, argv);
    int status = opt_read(&o, members, parse_option, &q);
    if (status == OPT_END)
        status = run_request(&q, argc - o.next, argv + o.next);
    sym_types_release(&q.types);
    return status;
}

/* The style tells which options there are, wherever it stands among them. NULL: none is named. */
static const char *style_named(int argc, char **argv)
{
    const char *style = NULL;
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        size_t len = strcspn(argv[i], "=");
        if (len < strlen("--st") || strncmp(argv[i], "--style", len) != 0)
            continue;
        style = argv[i][len] ? argv[i] + len + 1 : argv[i + 1];
    }
    return style;
}

static const struct applet *styled_sym(int argc, char **argv)
{
    const char *style = style_named(argc, argv);
    return style && strcmp(style, "gnu") == 0    ? &gnu_sym
           : style && strcmp(style, "llvm") == 0 ? &sym_llvm_applet
                                                 : &applet_sym;
}

static int run_gnu(int argc, char **argv)
{
    SCOPED(sym_words_release) struct sym_words words = {0};
    sym_words_read(&words, argc, argv);
    return words.failed ? applet_error(&applet_sym, "%s", "too many arguments")
                        : run_words(&gnu_sym, true, (int)words.count, words.word);
}

static int run_sym(int argc, char **argv)
{
    const char *style = style_named(argc, argv);
    if (style && strcmp(style, "gnu") == 0)
        return run_gnu(argc, argv);
    if (style && strcmp(style, "llvm") == 0)
        return sym_llvm_run(argc, argv);
    if (style && strcmp(style, "psuite") != 0)
        return applet_misuse(&applet_sym, "--style: %s: no such style (psuite, gnu, llvm)", style);
    return run_words(&applet_sym, false, argc, argv);
}
