/*
 * dwarf_form: how large the value of an attribute is.
 */
#pragma once

#include <stdint.h>

enum { DWARF_SIZE_VARIES = -1, DWARF_SIZE_ADDR = -2, DWARF_SIZE_OFFSET = -3 };

/* Bytes, or one of the above. */
int dwarf_form_size(uint64_t form);
