#include "unit.h"

#include "core/base/buf.h"
#include "plat/file.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

struct read {
    struct buf all;
    size_t parts, in_lines;
    bool too_long;
};

/* What the caller may do with its part. */
static void take_part(void *arg, char *text, size_t len)
{
    struct read *r = arg;
    buf_add(&r->all, text, len);
    r->parts++;
    r->in_lines += text[len - 1] == '\n';
    r->too_long |= len > FILE_PART_BYTES;
    memset(text, 'x', len + 1);
}

static int read_back(const struct buf *text, struct read *r)
{
    char path[] = "/tmp/file_parts.XXXXXX";
    struct fail f;
    int fd = mkstemp(path);
    bool written = fd >= 0 && write(fd, text->data, text->len) == (ssize_t)text->len;
    *r = (struct read){.all = BUF_INIT};
    int e = written ? file_read_parts(path, take_part, r, &f) : -1;
    if (fd >= 0) {
        close(fd);
        unlink(path);
    }
    return e;
}

static bool is_same(const struct buf *a, const struct buf *b)
{
    return a->len == b->len && (!a->len || memcmp(a->data, b->data, a->len) == 0);
}

TEST(parts_are_whole_lines_and_all_of_the_text)
{
    struct buf text = BUF_INIT;
    struct read r;
    for (int i = 0; i < 20000; i++)
        buf_printf(&text, "%d a line of some length\n", i);
    CHECK_INT(read_back(&text, &r), 0);
    CHECK(is_same(&text, &r.all));
    CHECK(r.parts > 5 && r.in_lines == r.parts && !r.too_long);
    buf_release(&r.all);
    buf_release(&text);
}

TEST(a_line_without_end_is_cut)
{
    struct buf text = BUF_INIT;
    struct read r;
    buf_adds(&text, "short\n");
    for (int i = 0; i < 3 * FILE_PART_BYTES; i++)
        buf_addc(&text, 'a' + i % 26);
    buf_adds(&text, "\nlast");
    CHECK_INT(read_back(&text, &r), 0);
    CHECK(is_same(&text, &r.all));
    CHECK(!r.too_long && r.in_lines >= 2);
    buf_release(&r.all);
    buf_release(&text);
}

TEST(no_text_has_no_part)
{
    struct buf text = BUF_INIT;
    struct read r;
    struct fail f;
    CHECK_INT(read_back(&text, &r), 0);
    CHECK_INT(r.parts, 0);
    CHECK_INT(file_read_parts("/nowhere/at/all", take_part, &r, &f), -ENOENT);
    buf_release(&text);
}
