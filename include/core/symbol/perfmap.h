/*
 * perfmap: the functions that a just-in-time compiler made, by the file perf-PID.map that it
 * writes: a line a function, `START SIZE NAME', numbers in hex, the name to the end of the line.
 */
#ifndef PSUITE_CORE_SYMBOL_PERFMAP_H
#define PSUITE_CORE_SYMBOL_PERFMAP_H

#include "core/elf/symtab.h"

/* The table of text[0..len), which is written into (lines become strings) and must outlive it;
 * text[len] must be there, too. Lines that are none are passed over. Code that was thrown away and
 * whose memory is used again has a line still: of lines that overlap, the last counts. NULL when
 * memory ends. */
struct symtab *perfmap_symbols(char *text, size_t len);

#endif
