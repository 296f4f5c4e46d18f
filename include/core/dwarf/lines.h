/*
 * lines: a link-time address of a module -> the functions there (inlined ones first) and
 * their source lines, out of DWARF 2 to 5 (dwarfstd.org): .debug_info and its companions, plain,
 * compressed (SHF_COMPRESSED, .zdebug; zlib, zstd), split (.dwo, .dwp; DWARF 5 and GNU's before)
 * and shared by dwz (GNU's supplementary file). Linked files only: relocations are not applied.
 *
 * A unit is read once, when its first address is asked, into sorted tables; of these at most
 * lines_limit bytes are kept, the least recently used unit goes first and is read again when asked.
 * Bytes given (images) stay the caller's and must stay in place, unchanged, until lines_close:
 * names point into them. They may be hostile; what cannot be read counts as not there.
 */
#pragma once

#include "core/base/fail.h"
#include "core/dwarf/budget.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct lines;

struct lines_frame {
    const char *function;  /* linkage (mangled) name, else plain name; NULL: not known */
    const char *file;      /* joined with the compilation directory; NULL: not known */
    uint32_t line, column; /* 0: not known. Where the address is, or the call of the frame before */
    uint32_t discriminator; /* of the line; 0 in callers */
    bool shares_start; /* another line begins where this one does, and has no instruction there */
    uint64_t start;    /* lowest address of the function, or of its inlined body; 0: not known */
    bool inlined;      /* into the next frame */
    bool has_entry;    /* for lines_declared: the function's entry is known, */
    uint32_t entry;    /* where in its unit, */
    size_t unit;       /* and which unit it is */
};

/* Finds the units of a module. -ENODATA when it has no debug information that we can read (the hint
 * says what to do), -ENOEXEC when it is no ELF file, -ENOMEM, -EFBIG when it takes more memory than
 * the file or the budget allows (core/dwarf/budget.h; NULL: no budget but the file's own limit),
 * -EBADMSG or -ENOTSUP when it is compressed, and damaged or of an unknown type.
 * The budget must outlive lines_close. f->what is the reason alone. */
int lines_open(const uint8_t *image, size_t len, struct budget *budget, struct lines **out,
               struct fail *f);
void lines_close(struct lines *l);

/* Fills at most max frames, innermost first, and returns their count. 0: the address belongs to no
 * unit, or nothing is known of it. One frame without a function: only the line is known. Strings
 * live until lines_close. */
size_t lines_at(struct lines *l, uint64_t vaddr, struct lines_frame *out, size_t max);

/* What the entry of a frame's function says, or those that it is an instance of. */
struct lines_function {
    const char *name; /* DW_AT_name, never mangled; NULL: none */
    /* DW_AT_decl_file, a path as of lines_frame; NULL: none. LLVM 14, whose answers these are, does
     * not read a number that is in the abbreviation (DW_FORM_implicit_const). */
    const char *file;
    uint32_t line;               /* DW_AT_decl_line; 0: none */
    uint32_t call_discriminator; /* of the call of an inlined function; 0: none */
    uint64_t low_pc;             /* DW_AT_low_pc of the entry itself */
    bool has_low_pc;
};

/* Of a frame that lines_at has given; false when nothing is known. Strings live until lines_close.
 */
bool lines_declared(struct lines *l, const struct lines_frame *frame, struct lines_function *out);

/* Paths without the compilation directory. To be called before the first question. */
void lines_relative_paths(struct lines *l);

/* How many bytes of the images were read so far, an estimate on the high side: each was brought
 * into memory then, and stays until the caller drops it. */
uint64_t lines_touched(const struct lines *l);

/* How much of that may be tables of units: about 0.7 bytes a byte of .debug_info. Default 192 MiB;
 * the unit just read is always kept. Where there is more, ask in order of address. */
void lines_limit(struct lines *l, size_t bytes);

/* --- dwz: information shared between modules --- */

/* The supplementary file that the module names (.gnu_debugaltlink): its path as written (relative:
 * to the folder of the module's debug file) and build-id. False: it needs none. */
struct lines_link {
    const char *path;
    const uint8_t *build_id;
    size_t build_id_len;
};
bool lines_supplement(const struct lines *l, struct lines_link *out);
/* Its bytes. Errors as of lines_open. Without it the names in it are not known. */
int lines_set_supplement(struct lines *l, const uint8_t *image, size_t len, struct fail *f);

/* --- split DWARF --- */

/* The bytes of a .dwo file, asked when its unit is first needed. path is comp_dir/name as the
 * skeleton has it. False: it is not there (asked once only). */
typedef bool lines_split_reader(void *arg, const char *path, const uint8_t **image, size_t *len);
void lines_set_split(struct lines *l, lines_split_reader *read, void *arg);

/* The module's package (MODULE.dwp), looked into before any .dwo. Errors as of lines_open. */
int lines_set_package(struct lines *l, const uint8_t *image, size_t len, struct fail *f);

/* How many .dwo files were missing so far, and the first one's path (NULL if none): answers about
 * their units have lines but no functions. */
size_t lines_missing(const struct lines *l, const char **path);

/* What was not unpacked so far, of the files given and of .dwo files: what stands there is not
 * known. */
const struct dwarf_left_out *lines_left_out(const struct lines *l);
