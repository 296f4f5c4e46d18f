/* sym: what stands at an address: function, file and line. Addresses and crash logs in, names out.
 */
#include "applets/applet.h"

#include "applets/sym_lines.h"
#include "applets/symbol_opts.h"
#include "core/base/hex.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { BASE = 256, SYSTEM_MAP, VMLINUX, STYLE };

static const struct opt options[] = {
    {'i', "inlines", NULL, "also the callers of inlined code"},
    {'f', "functions", NULL, "function names, too (style gnu; the others show them always)"},
    {'r', "return-addresses", NULL, "of a backtrace: ask about the call before each address"},
    {OPT_SELDOM | 'a', "addresses", NULL, "the address before each answer"},
    {OPT_SELDOM | 'p', "pretty-print", NULL, "style gnu: an answer a line"},
    {OPT_SELDOM | 'C', "demangle", NULL, "style gnu: names as they were written"},
    {'j', "json", NULL, "a JSON object a line"},
    {'k', "kernel", NULL, "the kernel's addresses, no BINARY or PID"},
    {STYLE, "style", "STYLE", "answer as psuite, gnu (addr2line) or llvm (llvm-symbolizer)"},
    {BASE, "base", "ADDRESS", "where BINARY is loaded, or with -k the kernel's text starts"},
    {OPT_SELDOM | SYSTEM_MAP, "system-map", "FILE",
     "with -k: symbols of a System.map (or a kallsyms)"},
    {VMLINUX, "vmlinux", "FILE", "with -k: symbols of a kernel's ELF file"},
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

struct request {
    struct target_want want;
    struct sym_lines lines;
    bool demangle, no_demangle;
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
            q->want.llvm = styles[i].style == ANSWER_LLVM;
            return 0;
        }
    applet_misuse(&applet_sym, "--style: %s: no such style (psuite, gnu, llvm)", name);
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
    case 'r':
        return &q->want.returns;
    case 'k':
        return &q->want.kernel;
    case 'C':
        return &q->demangle;
    default:
        return NULL;
    }
}

static int take_option(struct request *q, const struct opt_state *o, int id)
{
    bool *on = switch_of(q, id);
    if (on) {
        *on = true;
        return 0;
    }
    switch (id) {
    case 'j':
        q->lines.format.style = ANSWER_JSON;
        return 0;
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

/* The first operand, unless -k was given. */
static int take_target(struct request *q, int *operands, char ***operand)
{
    if (!q->want.kernel && (q->want.system_map || q->want.vmlinux))
        return applet_misuse(&applet_sym, "%s: only with -k",
                             q->want.vmlinux ? "--vmlinux" : "--system-map");
    if (q->want.kernel)
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

static int answer(struct request *q, int addresses, char **address)
{
    struct fail f;
    struct target t;
    struct demangler names = {.off = q->no_demangle};
    if (q->lines.format.style == ANSWER_GNU && !q->demangle)
        names.off = true;
    q->lines.format.names = &names;
    q->lines.target = &t;
    int r = target_open(&q->want, &t, &f);
    if (r == 0)
        announce(&t);
    if (r == 0)
        r = addresses ? sym_operands(&q->lines, addresses, address, &f) : sym_input(&q->lines, &f);
    int status = r < 0 ? applet_fail(&applet_sym, &f) : DONE;
    if (r == 0 && !tell_missing(&t))
        status = FAILED;
    target_release(&t);
    demangler_release(&names);
    return status;
}

static int run(int argc, char **argv)
{
    struct request q = {0};
    struct opt_state o;
    int id;
    opt_start(&o, &applet_sym, argc, argv);
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
