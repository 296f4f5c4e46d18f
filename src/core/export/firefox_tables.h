/*
 * firefox_tables: what the Firefox Profiler's tables need beyond the stacks: numbers of strings,
 * how deep a frame is inlined, and into which function.
 *
 * "nativeSymbols" are the functions that are in a module's symbol table, which the Profiler wants
 * to tell what is inlined where. Where a function begins is not in stacks: the symbol's address is
 * the lowest one that was seen in it.
 */
#pragma once

#include "core/containers/intern.h"
#include "core/stacks/stacks.h"

struct firefox_symbol {
    uint32_t function;
    uint64_t address;
};

struct firefox_tables {
    struct intern strings, files;
    uint32_t *depth;     /* of a frame: 0 is the symbol's own */
    uint32_t *symbol_of; /* of a frame; STACKS_NONE none */
    struct firefox_symbol *symbol;
    size_t symbols;
};

int firefox_tables_make(struct firefox_tables *t, const struct stacks *s); /* 0 or -ENOMEM */
void firefox_tables_release(struct firefox_tables *t);                     /* either way */

/* Whether an address is one that JSON's readers can hold. */
bool firefox_address(uint64_t address);

/* A build-id as Breakpad writes it: its first 16 bytes as a GUID, and an age of 0. out holds at
 * least 34 characters; "" when build_id is no hex. */
enum { FIREFOX_BREAKPAD_SIZE = 34 };
void firefox_breakpad_id(const char *build_id, char *out);
