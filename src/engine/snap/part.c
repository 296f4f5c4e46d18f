#include "part.h"

#include "plat/net.h"

#include <errno.h>
#include <string.h>

enum { PIECE = 1 << 16, PIECES = 16, TRY_MS = 10, TRIES_KILLED = 500 };

/* Each line of what was said, behind the part's name. */
static void note_lines(const struct snap_part *p, const char *text, struct buf *notes)
{
    while (*text) {
        size_t len = strcspn(text, "\n");
        if (len)
            buf_printf(notes, "%s: %.*s\n", p->name, (int)len, text);
        text += len + (text[len] == '\n');
    }
}

bool snap_part_start(struct snap_part *p, struct buf *notes)
{
    struct fail f;
    if (p->next == p->trials)
        return false;
    const struct snap_try *t = &p->trial[p->tried = p->next++];
    p->runs = coprocess_start((char *const *)t->word, &p->process, &f) == 0;
    if (!p->runs)
        buf_printf(notes, "%s: %s: %s\n", p->name, f.what, strerror(f.err));
    return p->runs;
}

const char *snap_part_records(const struct snap_part *p)
{
    return p->begun ? p->trial[p->tried].records : NULL;
}

void snap_part_wait(const struct snap_part *p, struct wait_on on[2])
{
    on[0] = (struct wait_on){.handle = p->runs ? p->process.connection : -1};
    on[1] = (struct wait_on){.handle = p->runs ? p->process.errors : -1};
}

static void read_errors(struct snap_part *p)
{
    char text[512];
    long n;
    while (p->process.errors >= 0 &&
           (n = net_read(p->process.errors, text, sizeof text)) != -EAGAIN) {
        size_t room = SNAP_PART_ERRORS - p->errors.len;
        if (n > 0)
            buf_add(&p->errors, text, (size_t)n < room ? (size_t)n : room);
        else {
            net_close(p->process.errors);
            p->process.errors = -1;
        }
    }
}

/* Its status; 137 if it had to be killed. */
static int end_process(struct snap_part *p)
{
    int status = 0;
    for (int i = 0; !coprocess_ended(&p->process, &status) && i < TRIES_KILLED; i++) {
        wait_ready(NULL, 0, TRY_MS);
        read_errors(p);
    }
    coprocess_kill(&p->process);
    read_errors(p);
    net_close(p->process.connection);
    net_close(p->process.errors);
    p->process.connection = p->process.errors = -1;
    p->runs = false;
    return status;
}

static void finish_process(struct snap_part *p, struct buf *notes)
{
    int status = end_process(p);
    note_lines(p, buf_str(&p->errors), notes);
    if (status && !p->errors.len)
        buf_printf(notes, "%s: psuite %s ended with status %d\n", p->name,
                   p->trial[p->tried].word[1], status);
    buf_clear(&p->errors);
    if (!p->begun)
        snap_part_start(p, notes);
}

void snap_part_read(struct snap_part *p, struct buf *out, struct buf *notes)
{
    char bytes[PIECE];
    long n = -EAGAIN;
    read_errors(p);
    for (int i = 0; i < PIECES && (n = net_read(p->process.connection, bytes, sizeof bytes)) > 0;
         i++) {
        snap_file_chunk(out, p->stream, bytes, (size_t)n);
        p->begun = true;
        p->bytes += (uint64_t)n;
    }
    if (n != -EAGAIN && n <= 0)
        finish_process(p, notes);
}

void snap_part_end(struct snap_part *p, struct buf *notes)
{
    if (!p->runs)
        return;
    coprocess_kill(&p->process);
    p->next = p->trials;
    buf_printf(notes, "%s: did not end in time and was killed: its end is missing\n", p->name);
    p->begun = true;
    buf_clear(&p->errors);
    end_process(p);
}

void snap_part_release(struct snap_part *p)
{
    int status;
    if (p->runs) {
        coprocess_kill(&p->process);
        net_close(p->process.connection);
        net_close(p->process.errors);
        coprocess_ended(&p->process, &status);
    }
    p->runs = false;
    buf_release(&p->errors);
}
