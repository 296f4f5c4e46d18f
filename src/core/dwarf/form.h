/*
 * dwarf_form: how large the value of an attribute is, and what is to be done with it.
 */
#pragma once

#include <stdint.h>

/* VARIES: by its own bytes, or by the version. */
enum {
    DWARF_SIZE_VARIES = 0,
    DWARF_SIZE_NONE = -1,
    DWARF_SIZE_ADDR = -2,
    DWARF_SIZE_OFFSET = -3,
    DWARF_SIZE_ULEB = -4
};

/* Values that several forms have; REF: to an entry of the same unit. */
enum dwarf_class { DWARF_OTHER, DWARF_NUMBER, DWARF_ADDRESS_INDEX, DWARF_STRING_INDEX, DWARF_REF };

struct dwarf_form {
    int8_t size; /* bytes, or one of the above */
    uint8_t class;
};
struct dwarf_form dwarf_form(uint64_t form);
