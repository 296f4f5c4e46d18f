#include "core/text/page_shared.h"

#include "core/base/buf.h"
#include "core/base/gzip.h"

#include <errno.h>
#include <stdint.h>

void page_add(struct buf *out, const struct page_text *text)
{
    if (gunzip(text->gzip, text->len, SIZE_MAX, out) < 0 && !out->err)
        out->err = -ENOMEM; /* zlib's own memory: the text is whole */
}

void page_add_script(struct buf *out, const struct page_text *text)
{
    buf_adds(out, "<script>\n");
    page_add(out, text);
    buf_adds(out, "</script>\n");
}
