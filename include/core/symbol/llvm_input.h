/*
 * llvm_input: requests as llvm-symbolizer of LLVM 14 reads them.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A number of len bytes: hexadecimal behind 0x, binary behind 0b, octal behind 0o or 0, else
 * decimal. False when it is none, or over 64 bits. */
bool llvm_number(const char *text, size_t len, uint64_t *out);

struct llvm_request {
    const char *file; /* of file_len bytes, in the line */
    size_t file_len;
    uint64_t address;
};

/* [CODE] FILE ADDRESS, or without names [CODE] ADDRESS; what follows is ignored. FILE may be
 * quoted. False when it is none; file_len is 0 then, or the file's. */
bool llvm_request(const char *line, bool names, struct llvm_request *out);
