/* ktrace_value: values of arguments, and what functions returned, as text and JSON. */
#pragma once

#include "core/ktrace/report.h"

/* The value of one register; text: what it points to, or NULL. returned: of what a function
 * returned, errors have names. */
void ktrace_value_text(const struct ktrace_shown *show, const struct ktrace_type *type,
                       uint64_t reg, const char *text, bool returned, struct buf *out);
/* As a number, true or false, or a string; addresses are hexadecimal strings. */
void ktrace_value_json(const struct ktrace_shown *show, const struct ktrace_type *type,
                       uint64_t reg, const char *text, const char *key, struct json *j);

/* `name+0x1c', or an address. */
void ktrace_code_text(const struct ktrace_shown *show, uint64_t address, struct buf *out);
