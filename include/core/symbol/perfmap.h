/*
 * perfmap: the functions that a just-in-time compiler made, by the file perf-PID.map that it
 * writes: a line a function, `START SIZE NAME', numbers in hex, the name to the end of the line.
 */
#pragma once

#include "core/elf/symtab.h"
#include "core/symbol/jit_code.h"

/* Adds the functions of text[0..len), which is written into (lines become strings) and must outlive
 * them; text[len] must be there, too. Lines that are none are passed over. */
void perfmap_read(char *text, size_t len, struct jit_code *out);
