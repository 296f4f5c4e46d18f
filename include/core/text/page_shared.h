/*
 * page_shared: texts of HTML and SVG pages, which cmake/Embed.cmake compressed, and the script and
 * the style that the pages have in common: src/core/text/page/shared.js and shared.css. A page has
 * them before its own. The script is ASCII without `</' or `]]>', so that it can stand in HTML and
 * in a CDATA section.
 */
#pragma once

#include <stddef.h>

struct buf;

struct page_text {
    const unsigned char *gzip;
    size_t len;
};

extern const struct page_text page_shared_js, page_shared_css;

/* Appended to out. Its error is the buffer's (buf_error). */
void page_add(struct buf *out, const struct page_text *text);
void page_add_script(struct buf *out, const struct page_text *text); /* as an element of HTML */

/* A page of HTML up to the heading `KIND NAME' in its header, with the shared style and these, and
 * its end, with the shared script and these. Both lists end with NULL. */
void page_begin(struct buf *out, const char *kind, const char *name,
                const struct page_text *const styles[]);
void page_end(struct buf *out, const struct page_text *const scripts[]);

/* In lines, so that editors can show it. */
enum { PAGE_LINE_BYTES = 96 };
void page_add_base64(struct buf *out, const void *bytes, size_t len);
/* JSON as an element of this id. In it < stands in strings alone: a tag in one would end the
 * element. A NUL is no JSON, and left out. */
void page_add_json(struct buf *out, const char *id, const struct buf *json);
