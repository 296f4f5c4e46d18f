/* Files by directory. */
#include "rows.h"

#include "core/base/sort.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Adds the file to each directory above it and to itself. */
static int add_to_parents(struct io_counts *nodes, const char *path, const struct io_file *f)
{
    size_t len = strlen(path);
    const char *stream = io_stream_name(path);
    if (stream) {
        path = stream;
        len = strlen(stream);
    }
    for (size_t end = stream ? len : 1; end <= len; end++) {
        if (end < len && (end == 1 ? path[0] != '/' : path[end] != '/'))
            continue;
        int i = io_counts_file(nodes, path, end);
        if (i < 0)
            return i;
        io_file_add(&nodes->file[i], f);
        nodes->file[i].order += end < len; /* how many it is a directory of */
    }
    return 0;
}

/* By name, but what is in a directory directly behind it. */
static int compare_paths(const void *pa, const void *pb)
{
    const struct io_branch *a = pa, *b = pb;
    const unsigned char *x = (const unsigned char *)a->path, *y = (const unsigned char *)b->path;
    while (*x && *x == *y)
        x++, y++;
    int left = *x == '/' ? 1 : *x, right = *y == '/' ? 1 : *y;
    return left - right;
}

static bool is_below(const char *path, const char *directory)
{
    size_t len = strlen(directory);
    if (strncmp(path, directory, len) != 0)
        return false;
    return (len == 1 && directory[0] == '/') || path[len] == '/';
}

static bool same_sums(const struct io_file *a, const struct io_file *b)
{
    return a->opens == b->opens && a->reads == b->reads && a->writes == b->writes &&
           a->read_bytes == b->read_bytes && a->written_bytes == b->written_bytes;
}

/* Drops directories that only lead to one entry, and says of the others how deep they are. */
static size_t merge_chains(struct io_branch *b, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        bool leads = i + 1 < count && is_below(b[i + 1].path, b[i].path) &&
                     same_sums(&b[i].sum, &b[i + 1].sum);
        if (leads)
            continue;
        struct io_branch one = b[i];
        size_t up = kept;
        while (up && !is_below(one.path, b[up - 1].path))
            up--;
        if (up) {
            size_t len = strlen(b[up - 1].path);
            one.depth = b[up - 1].depth + 1;
            one.shown = len + (len > 1);
        }
        b[kept++] = one;
    }
    return kept;
}

int io_tree_of(const struct io_counts *counts, const struct io_report_options *w,
               struct io_tree *out)
{
    int r = 0;
    *out = (struct io_tree){.nodes = io_counts_new()};
    for (size_t i = 0; out->nodes && r == 0 && i < counts->path.count; i++)
        if (io_file_has_row(counts, w, i))
            r = add_to_parents(out->nodes, intern_string_at(&counts->path, i), &counts->file[i]);
    if (!out->nodes || r < 0)
        return -ENOMEM;
    size_t n = out->nodes->path.count;
    out->branch = calloc(n + 1, sizeof *out->branch);
    if (!out->branch)
        return -ENOMEM;
    for (size_t i = 0; i < n; i++)
        out->branch[i] = (struct io_branch){.path = intern_string_at(&out->nodes->path, i),
                                            .directory = out->nodes->file[i].order > 0,
                                            .sum = out->nodes->file[i]};
    sort_array(out->branch, n, sizeof *out->branch, compare_paths);
    out->count = merge_chains(out->branch, n);
    return 0;
}

void io_tree_release(struct io_tree *t)
{
    io_counts_free(t->nodes);
    free(t->branch);
}
