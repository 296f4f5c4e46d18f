/*
 * dwarf_image: the debug sections of one ELF file, decompressed.
 */
#pragma once

#include "core/base/fail.h"
#include "core/dwarf/budget.h"
#include "core/dwarf/cursor.h"

enum dwarf_section {
    DWARF_INFO,
    DWARF_ABBREV,
    DWARF_LINE,
    DWARF_STR,
    DWARF_LINE_STR,
    DWARF_STR_OFFSETS,
    DWARF_ADDR,
    DWARF_RANGES,
    DWARF_RNGLISTS,
    DWARF_ARANGES,
    DWARF_CU_INDEX,
    DWARF_ALTLINK,
    DWARF_FRAME, /* by dwarf_image_read_frame only */
    DWARF_SECTIONS
};

struct dwarf_bytes {
    const uint8_t *at;
    size_t len;
};

struct dwarf_image {
    struct dwarf_bytes section[DWARF_SECTIONS]; /* len 0 when it is not there */
    uint8_t *owned[DWARF_SECTIONS];             /* the decompressed ones */
    size_t owned_bytes;
    struct budget *budget; /* of which owned_bytes were taken; may be NULL */
    struct dwarf_left_out left_out;
    uint32_t missing;       /* of these, bit s is section s */
    bool big_endian, split; /* split: a .dwo or .dwp file */
    bool frame;             /* .debug_frame is wanted, and nothing else */
    uint8_t addr_size;
};

/* -ENOEXEC, -ENOMEM, -ENODATA when there is no .debug_info. When it was left out: -EFBIG, as it is
 * over the file's limit or the budget (NULL: the file's limit alone), -EBADMSG or -ENOTSUP
 * (dwarf_left_out_text). dwarf_image_release either way. */
int dwarf_image_read(struct dwarf_image *d, const uint8_t *image, size_t len, bool split,
                     struct budget *budget, struct fail *f);
/* Only .debug_frame; -ENODATA when there is none, or it was left out. */
int dwarf_image_read_frame(struct dwarf_image *d, const uint8_t *image, size_t len,
                           struct budget *budget, struct fail *f);
void dwarf_image_release(struct dwarf_image *d);

/* From an offset of a section to its end; bad when the offset is outside. */
struct dwarf_cursor dwarf_cursor_at(const struct dwarf_image *d, enum dwarf_section s,
                                    uint64_t offset);
/* The string at an offset; NULL when there is none that ends in the section. */
const char *dwarf_string_at(const struct dwarf_image *d, enum dwarf_section s, uint64_t offset);
