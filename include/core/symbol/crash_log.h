/*
 * logline: finds the code addresses in a line of a crash log, in the forms of gdb, glibc's
 * backtrace_symbols, the sanitizers, systemd, Android and the kernel on x86 and ARM:
 *
 *   #3 0x000055d0 in ?? ()                    an address
 *   pc : [<c0112233>]  lr : [<c0445566>]      addresses; also [<ffffffff81000000>] ? foo+0x1b/0x40
 *   PC is at foo+0x1b/0x40 [mod]              FUNCTION+OFFSET, of a module or not
 *   bin(func+0x1b) [0x7f0011223344]           both in one
 *   bin(+0x1234) libfoo.so+0x1234 (bin + 0x12)  MODULE+OFFSET
 *   #00 pc 00012345  /lib/libc.so (abort+12)  the same, as Android writes it
 *
 * Whether NAME in NAME+OFFSET is a file or a function, only a reader of the files can decide.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct logline_text {
    const char *at; /* in the line; NULL: not there */
    size_t len;
};

/* One place in code, as the line has it. */
struct logline_place {
    bool absolute, relative; /* address is there; offset is */
    uint64_t address, offset;
    struct logline_text module;   /* a path or its last part */
    struct logline_text function; /* offset counts from it; else from module, or from name */
    struct logline_text name;     /* module or function: the line does not say which */
};

/* The next place at or after *at, which is moved past it; false at the line's end. */
bool logline_next(const char *line, size_t len, size_t *at, struct logline_place *out);

/* Whether the line is but one number in hex, with blanks around it or not. */
bool logline_is_address(const char *line, size_t len, uint64_t *address);
