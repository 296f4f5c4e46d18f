#include "applets/sym_block.h"

#include "core/base/grow.h"
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
    PART_BYTES = 64 << 10, /* of the answers are written together */
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
    if (len > UINT32_MAX ||
        !grow_within(&b->line, &b->line_cap, b->lines, UINT32_MAX, sizeof *b->line) ||
        !grow(&b->key, &b->key_cap, b->lines, sizeof *b->key))
        return false;
    b->line[b->lines] = (struct sym_block_line){text, (uint32_t)len, place.alone, 0, 0};
    b->key[b->lines] = (struct radix_key){place.address, place.file, (uint32_t)b->lines};
    b->lines++;
    return true;
}

void sym_block_answer(struct sym_block *b, sym_block_answer_fn *answer, void *arg)
{
    radix_sort(b->key, b->lines);
    for (size_t i = 0; i < b->lines; i++) {
        const struct radix_key *key = &b->key[i];
        struct sym_block_line *line = &b->line[key->index];
        struct sym_place place = {(uint32_t)key->high, line->alone, key->low};
        line->from = b->out.len;
        answer(arg, &(struct sym_question){line->text, line->len, place}, &b->out);
        line->to = b->out.len;
    }
}

/* Lines of a log that are passed on keep their bytes, but not on a terminal. */
static void print_part(struct buf *part, bool terminal)
{
    if (terminal)
        shown_lines(part, 0);
    fwrite(buf_str(part), 1, part->len, stdout);
}

static void print_lines(const struct sym_block *b, struct buf *part)
{
    bool terminal = tty_is_stdout_terminal();
    for (size_t i = 0; i < b->lines; i++) {
        const struct sym_block_line *line = &b->line[i];
        buf_add(part, buf_str(&b->out) + line->from, line->to - line->from);
        if (part->len < PART_BYTES)
            continue;
        print_part(part, terminal);
        part->len = 0;
    }
    print_part(part, terminal);
}

int sym_block_print(const struct sym_block *b, struct fail *f)
{
    SCOPED_BUF part = BUF_INIT;
    int err = buf_error(&b->out);
    if (!err)
        print_lines(b, &part);
    err = err ? err : buf_error(&part);
    if (err)
        return fail_set(f, ENOMEM, "answer");
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
