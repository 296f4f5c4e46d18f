/* utf8: finds the UTF-8 characters in untrusted bytes. */
#pragma once

#include <stddef.h>

/* Length of the well-formed sequence at text (1 to 4, 1 at a NUL), 0 when there is none: RFC 3629.
 */
size_t utf8_len(const char *text);
