#include "core/text/page_shared.h"

#include "core/base/buf.h"
#include "core/base/gzip.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>

void page_add(struct buf *out, const struct page_text *text)
{
    if (gunzip(text->gzip, text->len, SIZE_MAX, out) < 0 && !out->err)
        out->err = -ENOMEM; /* zlib's own memory: the text is whole */
}

void page_add_json(struct buf *out, const char *id, const struct buf *json)
{
    buf_printf(out, "<script type=\"application/json\" id=\"%s\">\n", id);
    for (size_t at = 0, plain; at < json->len; at += plain + 1) {
        plain = strcspn(json->data + at, "<");
        buf_add(out, json->data + at, plain);
        if (json->data[at + plain])
            buf_adds(out, "\\u003c");
    }
    buf_adds(out, "</script>\n");
    if (buf_error(json))
        out->err = buf_error(json);
}

void page_add_script(struct buf *out, const struct page_text *text)
{
    buf_adds(out, "<script>\n");
    page_add(out, text);
    buf_adds(out, "</script>\n");
}
