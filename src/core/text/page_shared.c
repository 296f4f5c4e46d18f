#include "core/text/page_shared.h"

#include "base64.h"

#include "core/base/buf.h"
#include "core/base/gzip.h"
#include "core/text/xml.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>

void page_add(struct buf *out, const struct page_text *text)
{
    if (gunzip(text->gzip, text->len, SIZE_MAX, out) < 0 && !out->err)
        out->err = -ENOMEM; /* zlib's own memory: the text is whole */
}

void page_add_base64(struct buf *out, const void *bytes, size_t len)
{
    for (size_t at = 0; at < len; at += PAGE_LINE_BYTES)
        base64_line(out, (const char *)bytes + at,
                    len - at < PAGE_LINE_BYTES ? len - at : PAGE_LINE_BYTES);
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

void page_begin(struct buf *out, const char *kind, const char *name,
                const struct page_text *const styles[])
{
    buf_printf(out,
               "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
               "<meta name=\"viewport\" content=\"width=device-width\">\n<title>%s",
               kind);
    xml_adds(out, name);
    buf_adds(out, "</title>\n<style>\n");
    page_add(out, &page_shared_css);
    for (; *styles; styles++)
        page_add(out, *styles);
    buf_printf(out, "</style>\n</head>\n<body>\n<header><h1>%s", kind);
    xml_adds(out, name);
    buf_adds(out, "</h1>\n");
}

void page_end(struct buf *out, const struct page_text *const scripts[])
{
    page_add_script(out, &page_shared_js);
    for (; *scripts; scripts++)
        page_add_script(out, *scripts);
    buf_adds(out, "</body>\n</html>\n");
}

void page_add_script(struct buf *out, const struct page_text *text)
{
    buf_adds(out, "<script>\n");
    page_add(out, text);
    buf_adds(out, "</script>\n");
}
