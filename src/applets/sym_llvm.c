#include "applets/sym_llvm.h"

#include "applets/sym_lines.h"
#include "applets/sym_llvm_options.h"
#include "applets/sym_target.h"
#include "applets/sym_words.h"
#include "engine/symbols/sources.h"

#include <string.h>

const struct applet sym_llvm_applet = {
    .name = "sym",
    .usage = "--style=llvm [OPTION...] -e FILE [ADDRESS...]\n"
             "--style=llvm [OPTION...] ['FILE ADDRESS'...]\n--style=llvm @FILE...",
    .opts = sym_llvm_options,
    .notes = "Options are llvm-symbolizer's, and those of psuite-sym(1) that name the target.",
    .run = sym_llvm_run,
};

static bool read_source(void *arg, const char *path, const char **text, size_t *len)
{
    return sources_text(arg, path, text, len);
}

static int answer_lines(struct sym_llvm_request *q, int operands, char **operand)
{
    struct fail f;
    struct sym_lines lines = {.llvm = &q->lines};
    q->lines.listed = operands && q->lines.format.style == LLVM_JSON;
    int r = operands ? sym_operands(&lines, operands, operand, &f) : sym_input(&lines, &f);
    int status = r < 0 ? applet_fail(&sym_llvm_applet, &f) : DONE;
    sym_files_release(&q->lines.files);
    buf_release(&q->lines.list);
    return q->lines.files.failed ? FAILED : status;
}

static int answer_request(struct sym_llvm_request *q, int operands, char **operand)
{
    SCOPED(demangler_release) struct demangler names = {.off = q->no_demangle};
    struct sources sources = {0};
    struct llvm_format *f = &q->lines.format;
    f->names = &names;
    f->source = read_source;
    f->source_arg = &sources;
    q->want.llvm.rules = !q->want.llvm.names.no_symbols;
    q->want.llvm.names.declarations = f->verbose || f->style != LLVM_LLVM;
    q->want.search.debuglink_dir = q->by_link;
    q->lines.files.want = &q->want;
    int status = answer_lines(q, operands, operand);
    sources_release(&sources);
    return status;
}

/* Without a file, requests name theirs: FILE ADDRESS, in one operand or on a line. */
static bool requests_name_files(const struct sym_llvm_request *q, int operands, char **operand)
{
    if (q->want.file || q->want.kernel)
        return q->want.file && !q->want.file[0];
    return !operands || operand[0][strcspn(operand[0], " \t")];
}

/* llvm-symbolizer does not see empty ones. How many are left. */
static int drop_empty(int operands, char **operand)
{
    int kept = 0;
    for (int i = 0; i < operands; i++)
        if (operand[i][0])
            operand[kept++] = operand[i];
    return kept;
}

static int run_words(int argc, char **argv)
{
    struct sym_llvm_request q = {0};
    struct opt_state o = opt_start(&sym_llvm_applet, argc, argv);
    int status = opt_read(&o, NULL, sym_llvm_option, &q);
    if (status != OPT_END)
        return status;
    char **operand = argv + o.next;
    int operands = drop_empty(argc - o.next, operand);
    if (requests_name_files(&q, operands, operand))
        return answer_request(&q, operands, operand);
    status = sym_parse_target(&q.want, &operands, &operand);
    q.lines.file = q.want.file ? q.want.file : "the kernel";
    return status ? status : answer_request(&q, operands, operand);
}

/* Spellings that only llvm-symbolizer has. */
static void replace_spellings(struct sym_words *words)
{
    sym_words_replace(words, "-f=", "--functions=");
    sym_words_replace(words, "-demangle=", "--demangle=");
}

int sym_llvm_run(int argc, char **argv)
{
    SCOPED(sym_words_release) struct sym_words words = {0};
    sym_words_read(&words, argc, argv);
    replace_spellings(&words);
    return words.failed ? applet_error(&sym_llvm_applet, "%s", "too many arguments")
                        : run_words((int)words.count, words.word);
}
