/*
 * stats_rows: a file of rows, and how far its counters came since the reading before. Each row is a
 * line of a name and numbers, with one blank between; the files are psuite's own (src/dev/stat.h):
 *
 *   #c/cpustat   CPU USER NICE SYSTEM IDLE IOWAIT IRQ SOFTIRQ STEAL    ms; CPU is `all', 0, 1 ...
 *   #c/diskstat  DISK READS WRITES READ WRITTEN BUSY   operations, sectors of 512 bytes, ms
 *   #c/netstat   INTERFACE IN OUT                      bytes
 *   #c/pressure  RESOURCE SOME FULL                    us; cpu, memory, io
 *   #c/memstat   KIND BYTES                            a level, not a counter
 *
 * Rows are followed by name: one that comes, goes or comes again adds nothing by that. Lines that
 * are no rows, and rows beyond STATS_ROWS_MAX, are passed over.
 *
 * Memory: 240 bytes a row.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { STATS_ROWS_MAX = 2048, STATS_ROW_NAME = 32, STATS_ROW_COLUMNS = 8 };

struct stats_row {
    char name[STATS_ROW_NAME];
    unsigned columns;                  /* that the line has */
    uint64_t now[STATS_ROW_COLUMNS];   /* the newest reading */
    uint64_t since[STATS_ROW_COLUMNS]; /* the reading before; 0 of one that fell */
    uint64_t total[STATS_ROW_COLUMNS]; /* since the row's first reading */
    unsigned fell;                     /* bits of columns that went backwards */
    bool known;                        /* the reading before has the row, too */
    uint64_t generation;
};

struct stats_rows {
    struct stats_row *row;
    size_t count, cap;
    uint64_t total[STATS_ROW_COLUMNS]; /* of all rows, gone ones included */
    uint64_t generation;
};

/* All zero is one that knows nothing. */
void stats_rows_release(struct stats_rows *r);

/* Takes the file's text, which need not end in a NUL. NULL, or why it is none; then the rows are
 * as they were. */
const char *stats_rows_add(struct stats_rows *r, const char *text, size_t len);

/* NULL: there is none of that name. */
const struct stats_row *stats_rows_find(const struct stats_rows *r, const char *name);
