#include "rows.h"

#include "core/base/buf.h"
#include "core/base/sort.h"
#include "core/text/shown.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

struct row {
    uint64_t weight; /* the largest first */
    const char *path;
    uint32_t file;
};

enum io_sort io_sort_by_name(const char *name)
{
    static const char *const names[IO_SORTS] = {
        [IO_SORT_CLOSED] = "closed",   [IO_SORT_BYTES] = "bytes", [IO_SORT_READ] = "read",
        [IO_SORT_WRITTEN] = "written", [IO_SORT_OPENS] = "opens", [IO_SORT_CALLS] = "calls",
        [IO_SORT_NAME] = "name",
    };
    int i = 0;
    while (i < IO_SORTS && strcmp(names[i], name) != 0)
        i++;
    return (enum io_sort)i;
}

static uint64_t weight_of(const struct io_file *f, enum io_sort sort)
{
    switch (sort) {
    case IO_SORT_CLOSED:
        return UINT64_MAX - f->order;
    case IO_SORT_BYTES:
        return f->read_bytes + f->written_bytes;
    case IO_SORT_READ:
        return f->read_bytes;
    case IO_SORT_WRITTEN:
        return f->written_bytes;
    case IO_SORT_OPENS:
        return f->opens;
    case IO_SORT_CALLS:
        return f->reads + f->writes;
    default:
        return 0;
    }
}

static int compare_weights(const void *pa, const void *pb)
{
    const struct row *a = pa, *b = pb;
    return ORDER(b->weight, a->weight) ?: strcmp(a->path, b->path);
}

bool io_path_wanted(const struct io_report_options *w, const char *path)
{
    return !w->path || fnmatch(w->path, io_shown_path(path), 0) == 0;
}

bool io_file_has_row(const struct io_counts *counts, const struct io_report_options *w, size_t file)
{
    return counts->file[file].opens && io_path_wanted(w, intern_string_at(&counts->path, file));
}

int io_rows(const struct io_counts *counts, const struct io_report_options *w, enum io_sort sort,
            uint32_t **out)
{
    size_t rows = 0, files = counts->path.count;
    SCOPED_FREE struct row *row = calloc(files + 1, sizeof *row);
    uint32_t *number = *out = calloc(files + 1, sizeof *number);
    if (!row || !number)
        return -ENOMEM;
    for (uint32_t i = 0; i < files; i++)
        if (io_file_has_row(counts, w, i))
            row[rows++] = (struct row){weight_of(&counts->file[i], sort),
                                       intern_string_at(&counts->path, i), i};
    sort_array(row, rows, sizeof *row, compare_weights);
    for (size_t i = 0; i < rows; i++)
        number[i] = row[i].file;
    return (int)rows;
}

void io_file_add(struct io_file *to, const struct io_file *from)
{
    to->opens += from->opens;
    to->reads += from->reads;
    to->read_bytes += from->read_bytes;
    to->writes += from->writes;
    to->written_bytes += from->written_bytes;
}

const char *io_stream_name(const char *path)
{
    static const char *const name[] = {"(stdin)", "(stdout)", "(stderr)"};
    if (strncmp(path, "/fd/", 4) != 0 || path[4] < '0' || path[4] > '2' || path[5])
        return NULL;
    return name[path[4] - '0'];
}

const char *io_shown_path(const char *path)
{
    const char *stream = io_stream_name(path);
    return stream ? stream : path;
}

void io_path_text(const char *path, struct buf *out)
{
    const char *at = io_shown_path(path);
    for (size_t len = strlen(at), n; len; at += n, len -= n) {
        bool safe;
        n = shown_character(at, len, &safe);
        if (safe)
            buf_add(out, at, n);
        for (size_t i = 0; i < n && !safe; i++)
            buf_printf(out, "\\%03o", (unsigned char)at[i]);
    }
}
