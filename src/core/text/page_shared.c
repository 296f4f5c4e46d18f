#include "core/text/page_shared.h"

#include "core/base/buf.h"
#include "core/base/gzip.h"

#include <stdint.h>

void page_add(struct buf *out, const struct page_text *text)
{
    gunzip(text->gzip, text->len, SIZE_MAX, out);
}

void page_add_script(struct buf *out, const struct page_text *text)
{
    buf_adds(out, "<script>\n");
    page_add(out, text);
    buf_adds(out, "</script>\n");
}
