/* symbol_parts: the internals of engine/symbols/symbols.h. */
#pragma once

#include "engine/symbols/symbols.h"

/* --- symbols.c --- */

/* The module's share of s->memory, for all that is read of its files. */
struct budget *symbols_memory_of(struct symbols *s, struct module *m);

/* What was denied since the share's count was `before' becomes the module's note, and is counted.
 */
void symbols_note_memory(struct symbols *s, struct module *m, size_t before);

/* --- images.c --- */

/* Takes the image over, until the module is forgotten or, with NULL, until symbols_release. False,
 * with the image unmapped, when memory ended. */
bool symbols_add_image(struct symbols *s, const struct module *of, struct image *image);

/* Bytes that outlive the module become its own, if they can be; else its `why'. */
void symbols_set_bytes(struct symbols *s, struct module *m, const uint8_t *bytes, size_t len);

/* Takes the image over as symbols_add_image does, and sets its bytes. */
void symbols_set_image(struct symbols *s, struct module *m, struct image *image);

/* What was read into a table need not stay in memory: names are read again when they are shown. */
void symbols_unload_read(struct symbols *s, const struct elf_module *of);
void symbols_release_images(struct symbols *s);

/* --- debug.c --- */

/* Looks for the module's debug file; for the files with what it and its debug file share with
 * others, when they have such a link. What is another's becomes the module's note. */
void symbols_find_debug(struct symbols *s, struct module *m);
void symbols_find_alt(struct symbols *s, struct module *m);

/* The debug file that the user names. A debug file of another build is reported, and is no failure.
 */
int symbols_use_debug(struct symbols *s, struct module *m, const char *path, struct fail *f);

/* --- caches.c --- */

/* Appends where a debug file with this build-id is in the caches of debuginfod's clients and perf,
 * unless the user says in which directories to look. */
void symbols_add_cached(const struct symbols *s, const uint8_t *id, size_t id_len,
                        struct debugfile_paths *out);

/* The file at such a path. A cache may be another user's ($HOME under sudo): -EPERM and the
 * module's note if a file that is cached belongs neither to root nor to our user. */
int symbols_map_found(struct module *m, const char *path, bool cached, struct image *out,
                      struct fail *f);

/* --- jit.c --- */

/* A process has memory that may hold compiled code, or has mapped a jit-PID.dump: what its compiler
 * tells in these is read by symbols_read_jit, in the end. */
struct proc_mapping;
void symbols_need_jit(struct symbols *s, int pid);
void symbols_need_dump(struct symbols *s, uint32_t pid, const struct proc_mapping *at);
void symbols_read_jit(struct symbols *s, struct module *m);
void symbols_release_jits(struct symbols *s);

/* --- lines.c --- */

/* Big files leave memory again when too much of them is there: to be called after a question. */
void symbols_unload(struct symbols *s, struct module *m);

/* What a question found missing of the debug information becomes the module's note. */
void symbols_note_missing(struct module *m);

/* Opens the module's debug information, and the files it refers to. Once: later calls do nothing.
 */
void symbols_lines(struct symbols *s, struct module *m);

/* --- kernel.c --- */

/* A module of the running kernel gets the names that /proc/kallsyms tells; else its `why'. Not one
 * whose names are already known. */
void symbols_kernel(struct symbols *s, struct module *m);
void symbols_kernel_free(struct symbols_kernel *k);

/* Nothing more is read of its files: reading one crashed, as f says. */
void symbols_mark_unusable(struct module *m, const struct fail *f);
