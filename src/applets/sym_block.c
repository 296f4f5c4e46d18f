#include "applets/sym_block.h"

#include "core/base/grow.h"
#include "core/base/sort.h"
#include "core/text/shown.h"
#include "plat/tty.h"

#include <errno.h>
#include <stdio.h>

enum {
    LEAST_BYTES = 64 << 10,
    MOST_BYTES = 16 << 20,
    FILE_SHARE = 128,   /* a block has one part in so many of the files' bytes, */
    MEMORY_SHARE = 256, /* and of the free memory */
    SHORT_LINE = 16,
};

struct sym_block_key {
    struct sym_place place;
    uint32_t line;
};

size_t sym_block_bytes(uint64_t file_bytes, uint64_t free_bytes)
{
    uint64_t bytes = file_bytes / FILE_SHARE, memory = free_bytes / MEMORY_SHARE;
    bytes = bytes < memory ? bytes : memory;
    return bytes < LEAST_BYTES ? LEAST_BYTES : bytes > MOST_BYTES ? MOST_BYTES : (size_t)bytes;
}

size_t sym_block_lines(size_t block_bytes)
{
    return block_bytes / SHORT_LINE;
}

bool sym_block_add(struct sym_block *b, const char *text, size_t len, struct sym_place place)
{
    if (!grow_within(&b->line, &b->line_cap, b->lines, UINT32_MAX, sizeof *b->line) ||
        !grow(&b->key, &b->key_cap, b->lines, sizeof *b->key))
        return false;
    b->line[b->lines] = (struct sym_block_line){.text = text, .len = len};
    b->key[b->lines] = (struct sym_block_key){place, (uint32_t)b->lines};
    b->lines++;
    return true;
}

static int by_place(const void *a, const void *b)
{
    const struct sym_block_key *x = a, *y = b;
    if (x->place.file != y->place.file)
        return x->place.file < y->place.file ? -1 : 1;
    if (x->place.address != y->place.address)
        return x->place.address < y->place.address ? -1 : 1;
    return x->line < y->line ? -1 : x->line > y->line;
}

void sym_block_answer(struct sym_block *b, sym_block_answer_fn *answer, void *arg)
{
    sort_array(b->key, b->lines, sizeof *b->key, by_place);
    for (size_t i = 0; i < b->lines; i++) {
        struct sym_block_line *line = &b->line[b->key[i].line];
        line->from = b->out.len;
        answer(arg, line->text, line->len, &b->out);
        line->to = b->out.len;
    }
}

/* Lines of a log that are passed on keep their bytes, but not on a terminal. */
static void print_shown(const char *text, size_t len)
{
    struct buf shown = BUF_INIT;
    buf_add(&shown, text, len);
    shown_lines(&shown, 0);
    fwrite(buf_str(&shown), 1, shown.len, stdout);
    buf_release(&shown);
}

int sym_block_print(const struct sym_block *b, struct fail *f)
{
    bool terminal = tty_is_stdout_terminal();
    if (buf_error(&b->out))
        return fail_set(f, ENOMEM, "answer");
    for (size_t i = 0; i < b->lines; i++) {
        const struct sym_block_line *line = &b->line[i];
        const char *text = buf_str(&b->out) + line->from;
        if (terminal)
            print_shown(text, line->to - line->from);
        else
            fwrite(text, 1, line->to - line->from, stdout);
    }
    return fflush(stdout) == 0 ? 0 : fail_set(f, errno, "standard output");
}

void sym_block_clear(struct sym_block *b)
{
    b->lines = 0;
    buf_clear(&b->out);
}

void sym_block_release(struct sym_block *b)
{
    free(b->line);
    free(b->key);
    buf_release(&b->out);
    *b = (struct sym_block){0};
}
