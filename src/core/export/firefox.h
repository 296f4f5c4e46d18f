/*
 * firefox: the parts of a Firefox Profiler's profile. A table is an object of columns of one
 * length: a column is what a cell function writes for each row.
 */
#pragma once

#include "core/containers/imap.h"
#include "core/text/json.h"
#include "firefox_tables.h"
#include "write.h"

struct firefox {
    const struct stacks *s;
    struct firefox_tables tables;
    struct write_threads threads;
    struct imap leaders; /* a process -> its first thread + 1 */
    struct json j;
};

enum { FIREFOX_MS = 6 }; /* decimals of nanoseconds as milliseconds */

/* --- firefox.c --- */

typedef void firefox_cell(struct firefox *f, size_t row);

struct firefox_column {
    const char *key;
    firefox_cell *cell;
};

void firefox_column(struct firefox *f, const char *key, size_t rows, firefox_cell *add);
/* Writes a complete table; the entry after its last column has no key. */
void firefox_table(struct firefox *f, const char *key, size_t rows,
                   const struct firefox_column *column);
/* The start of one whose columns are no cell functions; json_object_end ends it. */
void firefox_table_open(struct firefox *f, const char *key, size_t rows);

firefox_cell firefox_null, firefox_zero, firefox_false, firefox_row;

void firefox_number(struct firefox *f, uint32_t number);  /* null when STACKS_NONE */
void firefox_string(struct firefox *f, const char *text); /* its number in the string array */

/* --- firefox_shared.c, firefox_threads.c --- */

void firefox_shared(struct firefox *f); /* "shared": what the samples of all threads refer to */
int firefox_threads(struct firefox *f); /* "threads"; 0 or -ENOMEM */
