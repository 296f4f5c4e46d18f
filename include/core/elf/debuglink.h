/*
 * debuglink: how a stripped file names the file that has its symbols and lines: the contents of its
 * sections .gnu_debuglink and .gnu_debugaltlink (GDB's manual, "Separate Debug Files"; DWARF 5,
 * appendix F for the second).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct debuglink {
    const char *name; /* a file's name, no path; in the section's bytes. NULL: there is no link */
    uint32_t crc;     /* of the whole file, as zlib's crc32 */
};

struct debugaltlink {
    const char *path;  /* absolute, or relative to the file that has the section; NULL: none */
    const uint8_t *id; /* the other file's build-id */
    size_t id_len;
};

/* False when the bytes are no such section. A name of debuglink that would lead out of its folder
 * is refused. */
bool debuglink_parse(const uint8_t *bytes, size_t len, bool big_endian, struct debuglink *out);
bool debugaltlink_parse(const uint8_t *bytes, size_t len, struct debugaltlink *out);
