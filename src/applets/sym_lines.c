#include "applets/sym_lines.h"

#include "core/base/line.h"
#include "core/text/shown.h"
#include "plat/guard.h"
#include "plat/input.h"
#include "plat/tty.h"
#include "sym_target.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_LINE = 1 << 20 };

/* addr2line: hex digits at the start, whatever follows; 0 when there are none. */
static uint64_t gnu_number(const char *line)
{
    return strtoull(line, NULL, 16);
}

/* --- a line --- */

static void known_or_not(struct sym_lines *s, uint64_t address, struct buf *out)
{
    struct answer a;
    target_address(s->target, address, &a);
    answer_text(&s->format, &a, out);
}

static void log_json(struct sym_lines *s, const char *line, size_t len, struct buf *out)
{
    struct logline_place p;
    struct answer a;
    bool any = false;
    for (size_t at = 0; logline_next(line, len, &at, &p);)
        if (target_place(s->target, &p, &a)) {
            answer_json(&s->format, &a, line, out);
            any = true;
        }
    if (!any)
        answer_json(&s->format, NULL, line, out);
}

static void log_line(struct sym_lines *s, const char *line, size_t len, struct buf *out)
{
    struct answer_format below = s->format;
    struct logline_place p;
    struct answer a;
    below.indent = "    ";
    buf_add(out, line, len);
    buf_addc(out, '\n');
    for (size_t at = 0; logline_next(line, len, &at, &p);)
        if (target_place(s->target, &p, &a))
            answer_text(&below, &a, out);
}

static void own_line(struct sym_lines *s, const char *line, size_t len, struct buf *out)
{
    uint64_t address;
    if (logline_is_address(line, len, &address))
        known_or_not(s, address, out);
    else if (s->format.style == ANSWER_JSON)
        log_json(s, line, len, out);
    else
        log_line(s, line, len, out);
}

/* line is a string, of len bytes without its newline. */
static void one_line(struct sym_lines *s, const char *line, size_t len, struct buf *out)
{
    if (s->llvm)
        sym_llvm_line(s->llvm, line, out);
    else if (s->format.style == ANSWER_GNU)
        known_or_not(s, gnu_number(line), out);
    else
        own_line(s, line, len, out);
}

/* --- many --- */

/* Lines of a log that are passed on keep their bytes, but not on a terminal. */
static int print_answers(struct buf *out, struct fail *f)
{
    if (tty_is_stdout_terminal())
        shown_lines(out, 0);
    if (buf_error(out))
        return fail_set(f, ENOMEM, "answer");
    fwrite(buf_str(out), 1, out->len, stdout);
    return fflush(stdout) == 0 ? 0 : fail_set(f, errno, "standard output");
}

struct batch {
    struct sym_lines *lines;
    char *text; /* lines, each ends with a newline */
    size_t len;
    struct buf out;
};

static int answer_batch(void *arg)
{
    struct batch *b = arg;
    char *line, *end;
    for (char *at = b->text; (line = line_cut(&at, b->text + b->len, &end));)
        one_line(b->lines, line, (size_t)(end - line), &b->out);
    return 0;
}

/* One guard around them all, so that each question's own costs no system call. */
static int run_batch(struct sym_lines *s, char *text, size_t len, struct fail *f)
{
    struct batch b = {.lines = s, .text = text, .len = len};
    int r = guard_call(answer_batch, &b, f);
    if (s->llvm && r == 0)
        sym_llvm_end(s->llvm, &b.out);
    if (r == -EFAULT) {
        char what[64];
        snprintf(what, sizeof what, "%.63s", f->what);
        fail_set(f, 0, "%s: a file may have been rewritten while it was read", what);
    }
    if (r == 0)
        r = print_answers(&b.out, f);
    buf_release(&b.out);
    return r;
}

int sym_operands(struct sym_lines *s, int n, char **operand, struct fail *f)
{
    struct buf text = BUF_INIT;
    for (int i = 0; i < n; i++)
        buf_printf(&text, "%s\n", operand[i]);
    int r =
        buf_error(&text) ? fail_set(f, ENOMEM, "operands") : run_batch(s, text.data, text.len, f);
    buf_release(&text);
    return r;
}

/* Length of the lines in text that are whole; of all when it can grow no more. */
static size_t whole_lines(const struct buf *text)
{
    const char *last = text->len ? memrchr(text->data, '\n', text->len) : NULL;
    return last ? (size_t)(last - text->data) + 1 : 0;
}

int sym_input(struct sym_lines *s, struct fail *f)
{
    struct buf text = BUF_INIT;
    int more = 1, r = 0;
    if (tty_is_stdin_terminal() && !s->llvm && s->format.style != ANSWER_GNU)
        applet_warn(&applet_sym, "reading addresses or lines of a log; Ctrl-D ends");
    while (more > 0 && r == 0) {
        more = input_read(&text, f);
        if (text.len && (more == 0 || text.len > LONGEST_LINE) && text.data[text.len - 1] != '\n')
            buf_addc(&text, '\n');
        size_t len = whole_lines(&text);
        if (more >= 0 && len && buf_error(&text) == 0)
            r = run_batch(s, text.data, len, f);
        buf_drop(&text, len);
    }
    buf_release(&text);
    return more < 0 ? more : r;
}
