#include "applets/sym_lines.h"

#include "applets/sym_block.h"
#include "applets/sym_target.h"
#include "core/base/line.h"
#include "core/base/time_ns.h"
#include "plat/clock.h"
#include "plat/guard.h"
#include "plat/input.h"
#include "plat/sysfile.h"
#include "plat/tty.h"
#include "plat/wait.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_LINE = 1 << 20 };

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

static void text_line(struct sym_lines *s, const char *line, size_t len, struct buf *out)
{
    if (s->format.style == ANSWER_JSON)
        log_json(s, line, len, out);
    else
        log_line(s, line, len, out);
}

/* The text is a string, of len bytes without its newline. */
static void one_line(void *arg, const struct sym_question *q, struct buf *out)
{
    struct sym_lines *s = arg;
    if (s->llvm)
        sym_llvm_line(s->llvm, q->text, out);
    else if (q->place.alone)
        known_or_not(s, q->place.address, out);
    else
        text_line(s, q->text, q->len, out);
}

/* --- where a line's answer is looked for --- */

/* Of a log, the first address of the line. */
static struct sym_place own_place(const char *line, size_t len)
{
    struct logline_place p;
    struct sym_place place = {0};
    size_t at = 0;
    place.alone = logline_is_address(line, len, &place.address);
    if (!place.alone && logline_next(line, len, &at, &p))
        place.address = p.absolute ? p.address : p.offset;
    return place;
}

static struct sym_place place_of(struct sym_lines *s, const char *line, size_t len,
                                 struct intern *files)
{
    if (s->llvm)
        return sym_llvm_place(s->llvm, line, files);
    if (s->format.style == ANSWER_GNU) /* hex digits at the start, whatever follows; or 0 */
        return (struct sym_place){0, true, strtoull(line, NULL, 16)};
    return own_place(line, len);
}

/* --- many --- */

struct batch {
    struct sym_lines *lines;
    struct sym_block block;
    struct intern files; /* that the lines name */
};

static int answer_batch(void *arg)
{
    struct batch *b = arg;
    sym_block_answer(&b->block, one_line, b->lines);
    return 0;
}

/* One guard around them all, so that each question's own costs no system call. */
static int run_batch(struct batch *b, struct fail *f)
{
    int r = guard_call(answer_batch, b, f);
    if (r == -EFAULT) {
        char what[64];
        snprintf(what, sizeof what, "%.63s", f->what);
        fail_set(f, 0, "%s: a file may have been rewritten while it was read", what);
    }
    if (r == 0)
        r = sym_block_print(&b->block, f);
    sym_block_clear(&b->block);
    intern_release(&b->files);
    return r;
}

/* Whole lines; most of them are answered at a time. */
static int run_text(struct sym_lines *s, char *text, size_t len, size_t most, struct fail *f)
{
    struct batch b = {.lines = s};
    char *line, *end;
    int r = 0;
    for (char *at = text; r == 0 && (line = line_cut(&at, text + len, &end));) {
        struct sym_place place = place_of(s, line, (size_t)(end - line), &b.files);
        if (!sym_block_add(&b.block, line, (size_t)(end - line), place))
            r = fail_set(f, ENOMEM, "answers");
        else if (b.block.lines == most)
            r = run_batch(&b, f);
    }
    if (r == 0)
        r = run_batch(&b, f);
    sym_block_release(&b.block);
    intern_release(&b.files);
    return r;
}

/* What the answers as a whole end with. */
static int print_end(struct sym_lines *s, struct fail *f)
{
    struct sym_block end = {0};
    if (!s->llvm)
        return 0;
    if (!sym_block_add(&end, "", 0, (struct sym_place){0}))
        return fail_set(f, ENOMEM, "answers");
    sym_block_answer(&end, sym_llvm_end, s->llvm);
    int r = sym_block_print(&end, f);
    sym_block_release(&end);
    return r;
}

int sym_operands(struct sym_lines *s, int n, char **operand, struct fail *f)
{
    SCOPED_BUF text = BUF_INIT;
    for (int i = 0; i < n; i++)
        buf_printf(&text, "%s\n", operand[i]);
    int r = buf_error(&text) ? fail_set(f, ENOMEM, "operands")
                             : run_text(s, text.data, text.len, SIZE_MAX, f);
    if (r == 0)
        r = print_end(s, f);
    return r;
}

/* Length of the lines in text that are whole; of all when it can grow no more. */
static size_t whole_lines(const struct buf *text)
{
    const char *last = text->len ? memrchr(text->data, '\n', text->len) : NULL;
    return last ? (size_t)(last - text->data) + 1 : 0;
}

static uint64_t file_bytes(struct sym_lines *s)
{
    return s->llvm ? sym_llvm_file_bytes(s->llvm) : symbols_file_bytes(&s->target->symbols);
}

/* A program that writes much at a time gets a moment to write more, up to a limit in all; a user
 * who asks for a few addresses and waits for the answers does not. */
static int moment_ms(const struct buf *text, uint64_t first_ns)
{
    enum { MUCH = 32 << 10, MOMENT_MS = 20, LIMIT_MS = 500 };
    bool in_time = clock_mono_ns() - first_ns < LIMIT_MS * (uint64_t)NS_PER_MS;
    return text->len >= MUCH && in_time ? MOMENT_MS : 0;
}

/* Waits for bytes, and goes on reading what is there up to a block's length, which is put in
 * *block. As input_read. */
static int read_block(struct sym_lines *s, struct buf *text, size_t *block, struct fail *f)
{
    struct wait_on input = {.handle = input_handle()};
    int more = input_read(text, f);
    uint64_t first_ns = clock_mono_ns();
    if (more > 0)
        *block = sym_block_bytes(file_bytes(s), sysfile_free_bytes());
    while (more > 0 && text->len < *block && wait_ready(&input, 1, moment_ms(text, first_ns)) > 0)
        more = input_read(text, f);
    return more;
}

int sym_input(struct sym_lines *s, struct fail *f)
{
    SCOPED_BUF text = BUF_INIT;
    size_t block = 0;
    int more = 1, r = 0;
    if (tty_is_stdin_terminal() && !s->llvm && s->format.style != ANSWER_GNU)
        applet_warn(&applet_sym, "reading addresses or lines of a log; Ctrl-D ends");
    while (more > 0 && r == 0) {
        more = read_block(s, &text, &block, f);
        if (text.len && (more == 0 || text.len > block + LONGEST_LINE) &&
            text.data[text.len - 1] != '\n')
            buf_addc(&text, '\n');
        size_t len = whole_lines(&text);
        if (more >= 0 && len && buf_error(&text) == 0)
            r = run_text(s, text.data, len, sym_block_lines(block), f);
        buf_drop(&text, len);
    }
    if (more >= 0 && r == 0)
        r = print_end(s, f);
    return more < 0 ? more : r;
}
