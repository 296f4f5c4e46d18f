/*
 * page_shared: texts of HTML and SVG pages, which cmake/Embed.cmake compressed, and the script that
 * the pages have in common: src/core/text/page/shared.js. A page has it in a script element before
 * its own. It is ASCII without `</' or `]]>', so that it can stand in HTML and in a CDATA section.
 */
#pragma once

#include <stddef.h>

struct buf;

struct page_text {
    const unsigned char *gzip;
    size_t len;
};

extern const struct page_text page_shared_js;

/* Appended to out. Its error is the buffer's (buf_error). */
void page_add(struct buf *out, const struct page_text *text);
void page_add_script(struct buf *out, const struct page_text *text); /* as an element of HTML */
/* JSON as an element of this id. In it < stands in strings alone: a tag in one would end the
 * element. A NUL is no JSON, and left out. */
void page_add_json(struct buf *out, const char *id, const struct buf *json);
