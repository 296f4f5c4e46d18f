/*
 * maps: the text of /proc/PID/maps, one line at a time:
 *   START-END PERMS OFFSET MAJOR:MINOR INODE [PATH]      numbers in hex but for INODE
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct maps_line {
    uint64_t start, end; /* addresses */
    uint64_t file_offset, inode;
    uint32_t major, minor;
    bool executable;
    char path[4097]; /* newlines as the kernel writes them, \012; empty for anonymous memory */
};

/* Reads the line at *text and moves *text past it. False at the end of the text; lines that are
 * none are passed over. */
bool maps_next(const char **text, struct maps_line *out);
