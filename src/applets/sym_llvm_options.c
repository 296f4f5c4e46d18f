#include "applets/sym_llvm_options.h"

#include "applets/sym_target.h"
#include "applets/symbol_opts.h"
#include "build_info.h"
#include "core/symbol/llvm_input.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

enum {
    ADJUST_VMA = SYM_OWN,
    CONTEXT,
    DEBUG_FILES,
    DEFAULT_ARCH,
    DIA,
    DSYM_HINT,
    DWP,
    FALLBACK,
    FUNCTIONS,
    INLINING,
    NO_INLINES,
    OUTPUT_STYLE,
    RELATIVE_ADDRESS,
    RELATIVE_NAMES,
    TAGGED,
    UNTAGGED,
    VERBOSE
};

const struct opt sym_llvm_options[] = {
    {'a', "addresses", NULL, "print the address before each answer"},
    {'a', "print-address", NULL, "the same"},
    {ADJUST_VMA, "adjust-vma", "N", "subtract N from each address"},
    {'s', "basenames", NULL, "source file names without directories"},
    {RELATIVE_NAMES, "relativenames", NULL, "source paths without the compilation directory"},
    {'C', "demangle", "[BOOL]", "demangle function names (default true)"},
    {'e', "exe", "FILE", "the file that all addresses are in"},
    {'e', "obj", "FILE", "the same"},
    {'f', NULL, NULL, "names of functions (the default)"},
    {FUNCTIONS, "functions", "[KIND]", "names of functions: linkage, short or none"},
    {'i', "inlines", NULL, "show inlined functions, too (the default)"},
    {INLINING, "inlining", "[BOOL]", "turn -i on or off"},
    {NO_INLINES, "no-inlines", NULL, "one answer for each address"},
    {OUTPUT_STYLE, "output-style", "STYLE", "LLVM, GNU or JSON"},
    {'p', "pretty-print", NULL, "one line per function; JSON with line breaks"},
    {CONTEXT, "print-source-context-lines", "N", "show N source lines, too"},
    {VERBOSE, "verbose", NULL, "one line per field"},
    {DWP, "dwp", "FILE", "the package of split debug information (default BINARY.dwp)"},
    {DEBUG_FILES, "debug-file-directory", "DIR", "look for debug files by build-id here"},
    {FALLBACK, "fallback-debug-path", "DIR", "look for debug files by debuglink here"},
    {TAGGED, "no-untag-addresses", NULL, "keep bits 56 to 63 of symbols' addresses"},
    {UNTAGGED, "untag-addresses", NULL, "ignore them, as a tag (the default)"},
    {RELATIVE_ADDRESS, "relative-address", NULL, "no effect on ELF files"},
    {DEFAULT_ARCH, "default-arch", "ARCH", "no effect on ELF files"},
    {DSYM_HINT, "dsym-hint", "DIR", "no effect on ELF files"},
    {DIA, "dia", NULL, "no effect on ELF files"},
    {'v', "version", NULL, "print the version of psuite"},
    SYM_TARGET_OPTS,
    SYMBOL_OPTS,
    {0},
};

static int report_misuse(const char *option, const char *arg, const char *why)
{
    applet_misuse(&applet_sym, "%s: %s: %s", option, arg, why);
    return -1;
}

/* True or false; none is true. */
static int parse_bool(const char *option, const char *text, bool *out)
{
    *out = !text || strcmp(text, "true") == 0;
    if (*out || strcmp(text, "false") == 0)
        return 0;
    return report_misuse(option, text, "neither true nor false");
}

static int parse_number(const char *option, const char *text, uint64_t max, uint64_t *out)
{
    if (llvm_number(text, strlen(text), out) && *out <= max)
        return 0;
    return report_misuse(option, text, "not a number, or too large");
}

static int parse_functions(struct sym_llvm_request *q, const char *kind)
{
    struct frames_want *names = &q->want.llvm.names;
    bool none = kind && strcmp(kind, "none") == 0;
    q->lines.format.no_functions = none;
    names->short_names = kind && strcmp(kind, "short") == 0;
    names->no_symbols = none || names->short_names;
    if (!kind || names->no_symbols || strcmp(kind, "linkage") == 0)
        return 0;
    return report_misuse("--functions", kind, "no such kind (linkage, short, none)");
}

static int parse_output_style(struct sym_llvm_request *q, const char *name)
{
    static const char *const names[] = {
        [LLVM_LLVM] = "LLVM", [LLVM_GNU] = "GNU", [LLVM_JSON] = "JSON"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(name, names[i]) == 0) {
            q->lines.format.style = (enum llvm_style)i;
            return 0;
        }
    return report_misuse("--output-style", name, "no such style (LLVM, GNU, JSON)");
}

static int parse_context(struct sym_llvm_request *q, const char *text)
{
    uint64_t lines;
    if (parse_number("--print-source-context-lines", text, INT_MAX, &lines) < 0)
        return -1;
    q->lines.format.context = (uint32_t)lines;
    return 0;
}

static int parse_adjustment(struct sym_llvm_request *q, const char *text)
{
    q->want.has_base = true;
    return parse_number("--adjust-vma", text, UINT64_MAX, &q->want.base);
}

static int parse_demangle(struct sym_llvm_request *q, const char *text)
{
    bool demangle;
    int r = parse_bool("--demangle", text, &demangle);
    q->no_demangle = !demangle;
    return r;
}

static int parse_inlining(struct sym_llvm_request *q, const char *text)
{
    bool inlines;
    int r = parse_bool("--inlining", text, &inlines);
    q->lines.format.no_inlines = !inlines;
    return r;
}

/* The last of --basenames and --relativenames counts. */
static void set_names(struct sym_llvm_request *q, bool basenames)
{
    q->lines.format.basenames = basenames;
    q->want.llvm.relative_paths = !basenames;
}

static int check_hint(const char *dir)
{
    const char *dot = strrchr(dir, '.');
    if (!dot || strcmp(dot, ".dSYM") != 0)
        applet_warn(&applet_sym, "--dsym-hint: %s: not a .dSYM directory; ignored", dir);
    return 0;
}

/* 1: it is none of them. */
static int parse_switch(struct sym_llvm_request *q, int id)
{
    switch (id) {
    case 'v':
        printf("psuite %s\n", PSUITE_VERSION);
        return OPT_HELP;
    case 's':
    case RELATIVE_NAMES:
        set_names(q, id == 's');
        return 0;
    case 'i':
        q->lines.format.no_inlines = false;
        return 0;
    case UNTAGGED:
        q->want.llvm.tagged = false;
        return 0;
    case RELATIVE_ADDRESS:
    case DEFAULT_ARCH:
    case DIA:
        return 0;
    default:
        return 1;
    }
}

/* 1: it is none of them. -e=FILE is as -e FILE. */
static int parse_value(struct sym_llvm_request *q, int id, const char *arg)
{
    switch (id) {
    case 'e':
        q->want.file = arg + (arg[0] == '=');
        return 0;
    case 'f':
    case FUNCTIONS:
        return parse_functions(q, arg);
    case 'C':
        return parse_demangle(q, arg);
    case INLINING:
        return parse_inlining(q, arg);
    case OUTPUT_STYLE:
        return parse_output_style(q, arg);
    case CONTEXT:
        return parse_context(q, arg);
    case ADJUST_VMA:
        return parse_adjustment(q, arg);
    case DSYM_HINT:
        return check_hint(arg);
    default:
        return 1;
    }
}

/* These have debug files by build-id alone. */
static int parse_debug_files(struct sym_llvm_request *q, const struct opt_state *o)
{
    if (!q->by_link)
        q->by_link = DEBUGFILE_DIR;
    return symbol_opt(&q->want.search, &q->no_demangle, o, DEBUG_DIR);
}

static const struct opt_member members[] = {
    {'a', OPT_FLAG(struct sym_llvm_request, lines.format.address)},
    {'p', OPT_FLAG(struct sym_llvm_request, lines.format.pretty)},
    {VERBOSE, OPT_FLAG(struct sym_llvm_request, lines.format.verbose)},
    {NO_INLINES, OPT_FLAG(struct sym_llvm_request, lines.format.no_inlines)},
    {TAGGED, OPT_FLAG(struct sym_llvm_request, want.llvm.tagged)},
    {DWP, OPT_TEXT(struct sym_llvm_request, want.llvm.package)},
    {FALLBACK, OPT_TEXT(struct sym_llvm_request, by_link)},
    {0},
};

int sym_llvm_option(void *request, struct opt_state *o, int id)
{
    struct sym_llvm_request *q = request;
    if (id == DEBUG_FILES)
        return parse_debug_files(q, o);
    int r = parse_switch(q, id);
    if (r > 0)
        r = parse_value(q, id, o->arg);
    if (r > 0)
        r = opt_set(o, members, q)
                ?: sym_target_opt(&q->want, o)
                ?: symbol_opt(&q->want.search, &q->no_demangle, o, id);
    return r;
}
