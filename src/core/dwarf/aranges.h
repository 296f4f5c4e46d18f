/*
 * dwarf_aranges: .debug_aranges, which may be incomplete (DWARF 5, 6.1.2).
 */
#pragma once

#include "core/dwarf/image.h"

/* A range of the unit whose header is at that offset of .debug_info. False: stop. */
typedef bool dwarf_arange_handler(void *arg, uint64_t unit, uint64_t start, uint64_t end);
void dwarf_aranges(const struct dwarf_image *d, dwarf_arange_handler *handler, void *arg);
