/* stackwrite FORMAT FILE [BEFORE]: stacks from a text (tests/lib/stacktext.h), written in a format,
 * to standard output. */
#include "../lib/stacktext.h"

#include "core/base/buf.h"
#include "core/export/writer.h"

int main(int argc, char **argv)
{
    struct stacks s, before;
    struct buf out = BUF_INIT;
    const struct writer *w = argc > 2 ? writer_named(argv[1], strlen(argv[1])) : NULL;
    if (!w) {
        fprintf(stderr, "usage: stackwrite FORMAT FILE [BEFORE]\n");
        return 2;
    }
    if (stacktext_file(argv[2], &s) < 0 || (argc > 3 && stacktext_file(argv[3], &before) < 0))
        return 1;
    int r = w->write(&s, argc > 3 ? &before : NULL, &out);
    fwrite(buf_str(&out), 1, out.len, stdout);
    buf_release(&out);
    stacks_release(&s);
    if (argc > 3)
        stacks_release(&before);
    return r < 0;
}
