/* sym: what stands at an address: function, file and line. Addresses and crash logs in, names out.
 */
#include "applets/applet.h"

#include "applets/sym_lines.h"
#include "applets/symbol_opts.h"
#include "core/base/hex.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum {
    BASE = 256,
    SYSTEM_MAP,
    VMLINUX,
    STYLE,
    OBJ,
    FUNCTIONS,
    DEMANGLE,
    NO_INLINES,
    OUTPUT_STYLE,
    RETURNS
};

/* clang-format off */
#define FIRST_OPTS                                                                                 \
    {'i', "inlines", NULL, "also the callers of inlined code"},                                    \
    {'f', NULL, NULL, "function names, too (style gnu; the others show them always)"},             \
    {OPT_SELDOM | FUNCTIONS, "functions", "[KIND]", "the same; style llvm: =none leaves them out"}

#define STYLE_OPTS                                                                                 \
    {OPT_SELDOM | 'a', "addresses", NULL, "the address before each answer"},                       \
    {OPT_SELDOM | 'p', "pretty-print", NULL, "styles gnu and llvm: an answer a line"},             \
    {OPT_SELDOM | 's', "basenames", NULL, "files without their folders"},                          \
    {OPT_SELDOM | 'C', NULL, NULL, "style gnu: names as they were written"},                       \
    {OPT_SELDOM | DEMANGLE, "demangle", "[STYLE]", "the same"},                                    \
    {OPT_SELDOM | 'e', "exe", "FILE", "the BINARY; all operands are addresses then"},              \
    {OPT_SELDOM | OBJ, "obj", "FILE", "the same"}

#define TARGET_OPTS                                                                                \
    {'k', "kernel", NULL, "the kernel's addresses, no BINARY or PID"},                             \
    {STYLE, "style", "STYLE", "answer as psuite, gnu (addr2line) or llvm (llvm-symbolizer)"},      \
    {BASE, "base", "ADDRESS", "where BINARY is loaded, or with -k the kernel's text starts"},      \
    {OPT_SELDOM | SYSTEM_MAP, "system-map", "FILE",                                                \
     "with -k: symbols of a System.map (or a kallsyms)"},                                          \
    {VMLINUX, "vmlinux", "FILE", "with -k: symbols of a kernel's ELF file"}
/* clang-format on */

static const struct opt options[] = {
    FIRST_OPTS,
    {'r', "return-addresses", NULL, "of a backtrace: ask about the call before each address"},
    STYLE_OPTS,
    {OPT_SELDOM | NO_INLINES, "no-inlines", NULL, "style llvm: without inlined functions"},
    {OPT_SELDOM | OUTPUT_STYLE, "output-style", "STYLE", "style llvm: LLVM or GNU"},
    {'j', "json", NULL, "a JSON object a line"},
    TARGET_OPTS,
    SYMBOL_OPTS,
    {0},
};

/* Those of addr2line have some of the letters for other things. */
static const struct opt gnu_options[] = {
    FIRST_OPTS,
    STYLE_OPTS,
    {'j', "section", "NAME", "addresses count from where this section begins"},
    {'b', "target", "BFDNAME", "any format of ELF; taken, and not needed"},
    {OPT_SELDOM | 'R', "recurse-limit", NULL, "taken, and not needed"},
    {OPT_SELDOM | 'r', "no-recurse-limit", NULL, "taken, and not needed"},
    {OPT_SELDOM | RETURNS, "return-addresses", NULL,
     "of a backtrace: ask about the call before each address"},
    TARGET_OPTS,
    SYMBOL_OPTS,
    {0},
};

static int run(int argc, char **argv);

const struct applet applet_sym = {
    .name = "sym",
    .usage = "[OPTION...] BINARY [ADDRESS...]\n[OPTION...] PID [ADDRESS...]\n"
             "[OPTION...] -k [ADDRESS...]",
    .opts = options,
    .notes = "Addresses are hexadecimal: operands, or lines of standard input. A line that is\n"
             "more than an address is a log's: it is printed as it is, and what it tells of\n"
             "places in code is answered below it. A number alone is a PID; ./123 is a file.",
    .run = run,
};

/* With the options of addr2line. */
static const struct applet gnu_sym = {
    .name = "sym",
    .usage = "--style=gnu [OPTION...] [-e] BINARY [ADDRESS...]",
    .opts = gnu_options,
    .notes = "Options are addr2line's, and psuite-sym(1)'s as far as the letters are free.",
    .run = run,
};

struct request {
    struct target_want want;
    struct sym_lines lines;
    struct sym_files files;
    bool demangle, no_demangle;
    bool gnu; /* the options are addr2line's */
};

static int take_style(struct request *q, const char *name)
{
    static const struct {
        const char *name;
        enum answer_style style;
    } styles[] = {{"psuite", ANSWER_PSUITE}, {"gnu", ANSWER_GNU}, {"llvm", ANSWER_LLVM}};
    for (size_t i = 0; i < sizeof styles / sizeof styles[0]; i++)
        if (strcmp(name, styles[i].name) == 0) {
            q->lines.format.style = styles[i].style;
            q->want.llvm = q->lines.by_llvm = styles[i].style == ANSWER_LLVM;
            return 0;
        }
    applet_misuse(&applet_sym, "--style: %s: no such style (psuite, gnu, llvm)", name);
    return -1;
}

/* llvm-symbolizer in the dress of addr2line: functions and inlined ones all the same. */
static int take_output_style(struct request *q, const char *name)
{
    struct answer_format *f = &q->lines.format;
    if (!q->lines.by_llvm || (strcmp(name, "LLVM") != 0 && strcmp(name, "GNU") != 0)) {
        applet_misuse(&applet_sym, "--output-style: %s: %s", name,
                      q->lines.by_llvm ? "neither LLVM nor GNU" : "only behind --style=llvm");
        return -1;
    }
    f->by_llvm = strcmp(name, "GNU") == 0;
    f->style = f->by_llvm ? ANSWER_GNU : ANSWER_LLVM;
    return 0;
}

static int take_functions(struct request *q, const char *kind)
{
    q->lines.format.functions = true;
    q->lines.format.no_functions = kind && strcmp(kind, "none") == 0;
    if (!kind || q->lines.format.no_functions || strcmp(kind, "linkage") == 0)
        return 0;
    applet_misuse(&applet_sym, "--functions=%s: neither none nor linkage", kind);
    return -1;
}

/* llvm-symbolizer takes -e=FILE, too. */
static int take_file(struct request *q, const char *file)
{
    q->want.file = file + (q->lines.by_llvm && file[0] == '=');
    return 0;
}

static int take_format(const char *name)
{
    if (strncmp(name, "elf", 3) == 0 || strcmp(name, "default") == 0)
        return 0;
    applet_misuse(&applet_sym, "--target: %s: only formats of ELF can be read", name);
    return -1;
}

static int take_base(struct request *q, const char *text)
{
    const char *end = text;
    q->want.has_base = hex_read(&end, &q->want.base) && !*end;
    if (!q->want.has_base)
        applet_misuse(&applet_sym, "--base: %s: not a hexadecimal address", text);
    return q->want.has_base ? 0 : -1;
}

static bool *switch_of(struct request *q, int id)
{
    switch (id) {
    case 'i':
        return &q->lines.format.inlines;
    case 'f':
        return &q->lines.format.functions;
    case 'a':
        return &q->lines.format.address;
    case 'p':
        return &q->lines.format.pretty;
    case 's':
        return &q->lines.format.basenames;
    case NO_INLINES:
        return &q->lines.format.no_inlines;
    case RETURNS:
        return &q->want.returns;
    case 'k':
        return &q->want.kernel;

    default:
        return NULL;
    }
}

/* Letters that mean one thing to addr2line and another to us; 1: it is none of them. */
static int take_letter(struct request *q, const struct opt_state *o, int id)
{
    if (id == 'j' && q->gnu)
        q->want.section = o->arg;
    else if (id == 'j')
        q->lines.format.style = ANSWER_JSON;
    else if (id == 'b')
        return take_format(o->arg);
    else if (id == 'r' && !q->gnu)
        q->want.returns = true;
    else
        return id != 'r' && id != 'R';
    return 0;
}

static int take_option(struct request *q, const struct opt_state *o, int id)
{
    bool *on = switch_of(q, id);
    int taken = on ? 0 : take_letter(q, o, id);
    if (on)
        *on = true;
    if (taken <= 0)
        return taken;
    switch (id) {
    case 'C':
    case DEMANGLE:
        q->demangle = true;
        q->no_demangle = false;
        return 0;
    case 'e':
    case OBJ:
        return take_file(q, o->arg);
    case FUNCTIONS:
        return take_functions(q, o->arg);
    case OUTPUT_STYLE:
        return take_output_style(q, o->arg);
    case STYLE:
        return take_style(q, o->arg);
    case BASE:
        return take_base(q, o->arg);
    case SYSTEM_MAP:
        q->want.system_map = o->arg;
        return 0;
    case VMLINUX:
        q->want.vmlinux = o->arg;
        return 0;
    default:
        return symbol_opt(&q->want.search, &q->no_demangle, o, id) < 0 ? -1 : 0;
    }
}

static bool all_digits(const char *s)
{
    return *s && !s[strspn(s, "0123456789")];
}

/* llvm-symbolizer without --obj: FILE ADDRESS, in one operand or on a line. */
static bool names_files(struct request *q, int operands, char **operand)
{
    if (!q->lines.by_llvm || (operands && !operand[0][strcspn(operand[0], " \t")]))
        return false;
    q->files.want = &q->want;
    q->lines.files = &q->files;
    return true;
}

/* The first operand, unless -k or -e was given. */
static int take_target(struct request *q, int *operands, char ***operand)
{
    if (!q->want.kernel && (q->want.system_map || q->want.vmlinux))
        return applet_misuse(&applet_sym, "%s: only with -k",
                             q->want.vmlinux ? "--vmlinux" : "--system-map");
    if (q->want.kernel || q->want.file || names_files(q, *operands, *operand))
        return 0;
    if (!*operands)
        return applet_usage(&applet_sym);
    q->want.file = **operand;
    if (all_digits(q->want.file)) {
        long pid = strtol(q->want.file, NULL, 10);
        if (pid < 1 || pid > INT_MAX)
            return applet_misuse(&applet_sym, "%s: not a process id", q->want.file);
        q->want.pid = (int)pid;
    }
    --*operands;
    ++*operand;
    return 0;
}

/* Names that will be missing are announced, with the places where they could have been. */
static void announce(struct target *t)
{
    struct buf why = BUF_INIT, places = BUF_INIT;
    if (t->file && t->file->note[0])
        applet_warn(&applet_sym, "%s", t->file->note);
    if (t->file)
        t->file->note[0] = '\0'; /* room for what the questions will show */
    target_lack(t, &why, &places);
    if (why.len)
        applet_warn(&applet_sym, "%s", buf_str(&why));
    if (places.len)
        applet_warn(&applet_sym, "hint: no debug file of it at%s", buf_str(&places));
    buf_release(&why);
    buf_release(&places);
}

/* What only the questions showed to be missing. False when a file could not be read to the end. */
static bool tell_missing(const struct target *t)
{
    bool all = true;
    for (size_t i = 0; i < t->mapped.modules.count; i++) {
        const struct module *m = t->mapped.modules.module[i];
        if (m->note[0])
            applet_warn(&applet_sym, "%s", m->note);
        all &= !m->crashed;
    }
    return all;
}

static int ask_all(struct request *q, int addresses, char **address, struct fail *f)
{
    return addresses ? sym_operands(&q->lines, addresses, address, f) : sym_input(&q->lines, f);
}

static int answer_files(struct request *q, int addresses, char **address)
{
    struct fail f;
    int status = ask_all(q, addresses, address, &f) < 0 ? applet_fail(&applet_sym, &f) : DONE;
    if (q->files.failed)
        status = FAILED;
    sym_files_release(&q->files);
    return status;
}

static int answer_target(struct request *q, int addresses, char **address)
{
    struct fail f;
    struct target t;
    q->lines.target = &t;
    int r = target_open(&q->want, &t, &f);
    if (r == 0)
        announce(&t);
    if (r == 0)
        r = ask_all(q, addresses, address, &f);
    int status = r < 0 ? applet_fail(&applet_sym, &f) : DONE;
    if (r == 0 && !tell_missing(&t))
        status = FAILED;
    target_release(&t);
    return status;
}

static int answer(struct request *q, int addresses, char **address)
{
    struct answer_format *format = &q->lines.format;
    struct demangler names = {.off = q->no_demangle};
    if (format->style == ANSWER_GNU && !format->by_llvm && !q->demangle)
        names.off = true;
    if (format->by_llvm) {
        format->functions = !format->no_functions;
        format->inlines = !format->no_inlines;
    }
    format->names = &names;
    int status =
        q->lines.files ? answer_files(q, addresses, address) : answer_target(q, addresses, address);
    demangler_release(&names);
    return status;
}

/* Which options there are, the style tells, wherever it stands among them. */
static bool wants_gnu(int argc, char **argv)
{
    bool gnu = false;
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strncmp(argv[i], "--style=", 8) == 0)
            gnu = strcmp(argv[i] + 8, "gnu") == 0;
        else if (strcmp(argv[i], "--style") == 0 && i + 1 < argc)
            gnu = strcmp(argv[i + 1], "gnu") == 0;
    return gnu;
}

static int run(int argc, char **argv)
{
    struct request q = {.gnu = wants_gnu(argc, argv)};
    struct opt_state o;
    int id;
    opt_start(&o, q.gnu ? &gnu_sym : &applet_sym, argc, argv);
    while ((id = opt_next(&o)) != OPT_END)
        if (id < 0)
            return opt_status(id);
        else if (take_option(&q, &o, id) < 0)
            return USAGE;
    char **operand = argv + o.next;
    int operands = argc - o.next;
    int status = take_target(&q, &operands, &operand);
    if (status)
        return status;
    return answer(&q, operands, operand);
}
