/*
 * symbol_lines: what engine/symbols.h keeps to itself.
 */
#ifndef PSUITE_ENGINE_SYMBOL_LINES_H
#define PSUITE_ENGINE_SYMBOL_LINES_H

#include "engine/symbols.h"

/* Takes the image over, until symbols_release. False, with the image unmapped, when memory ended.
 */
bool symbols_keep(struct symbols *s, struct image *image);

/* Big files leave memory again when too much of them is there: to be called after a question. */
void symbols_unload(struct symbols *s, const struct module *m);

/* What a question found missing of the debug information becomes the module's note. */
void symbols_note_missing(struct module *m);

/* Opens the module's debug information, and the files it refers to. Once: later calls do nothing.
 */
void symbols_lines(struct symbols *s, struct module *m);

/* A module of the running kernel gets the names that /proc/kallsyms tells; else its `why'. Not one
 * whose names are told already. */
void symbols_kernel(struct symbols *s, struct module *m);
void symbols_kernel_free(struct symbols_kernel *k);

#endif
