/* xml: escapes untrusted text in an XML 1.0 document. */
#pragma once

#include <stddef.h>

struct buf;

/* Appends len bytes of text, good as content and inside quotes. What XML has no place for (control
 * characters, U+FFFE and U+FFFF, bytes that are no UTF-8) becomes U+FFFD. */
void xml_add(struct buf *out, const char *text, size_t len);
void xml_adds(struct buf *out, const char *text);
