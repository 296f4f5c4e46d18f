/*
 * firefox: the parts of a Firefox Profiler's profile. A table is an object of columns of one
 * length. It is made row by row, each column in a buffer of its own.
 */
#pragma once

#include "core/base/buf.h"
#include "core/containers/imap.h"
#include "core/text/json.h"
#include "firefox_tables.h"
#include "write.h"

enum { FIREFOX_COLUMNS = 16 };

struct firefox {
    const struct stacks *s;
    struct firefox_tables tables;
    struct stacks_by_thread threads;
    struct imap leaders; /* a process -> its first thread + 1 */
    struct json j;
    struct buf column[FIREFOX_COLUMNS]; /* of the table that is being made */
};

enum { FIREFOX_MS = 6 }; /* decimals of nanoseconds as milliseconds */

/* --- firefox.c --- */

typedef void firefox_row(struct firefox *f, size_t row);

/* Each of the rows writes a value. */
void firefox_array(struct firefox *f, const char *key, size_t rows, firefox_row *add);
/* Writes a complete table. The keys of the columns have blanks between; each row adds its cells. */
void firefox_table(struct firefox *f, const char *key, size_t rows, const char *columns,
                   firefox_row *add);
#define firefox_cells(f, ...) firefox_add_cells(f, TEXT_VALUES(__VA_ARGS__))
void firefox_add_cells(struct firefox *f, const struct text_value *values);
/* The start of one whose columns are written one by one; json_object_end ends it. */
void firefox_table_open(struct firefox *f, const char *key, size_t rows);

struct text_value firefox_index(uint32_t number); /* null when STACKS_NONE */

/* --- firefox_shared.c, firefox_threads.c --- */

void firefox_shared(struct firefox *f); /* "shared": what the samples of all threads refer to */
int firefox_threads(struct firefox *f); /* "threads"; 0 or -ENOMEM */
