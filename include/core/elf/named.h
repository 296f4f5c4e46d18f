/*
 * elf_named: the addresses of functions by their names, each alias too (a module's table of symbols
 * has one name for an address).
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct elf_wanted {
    const char *name;
    void *arg;
};

/* Calls found for each function that the image defines under one of the names, with its link-time
 * address: no stub that calls another module, and no ifunc, whose address is not that of the
 * function. Under plat/guard.h. */
void elf_named(const uint8_t *image, size_t len, const struct elf_wanted *wanted, size_t count,
               void (*found)(void *arg, uint64_t address));
