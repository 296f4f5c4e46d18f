#include "rows.h"

#include "core/base/grow.h"
#include "core/base/time_ns.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct io_counts *io_counts_new(void)
{
    return calloc(1, sizeof(struct io_counts));
}

void io_counts_free(struct io_counts *counts)
{
    if (!counts)
        return;
    intern_release(&counts->path);
    free(counts->file);
    free(counts);
}

const char *io_message_name(enum io_message m)
{
    static const char *const name[IO_MESSAGES] = {
        [IO_VERSION] = "version", [IO_AUTH] = "auth",     [IO_ATTACH] = "attach",
        [IO_FLUSH] = "flush",     [IO_WALK] = "walk",     [IO_OPEN] = "open",
        [IO_CREATE] = "create",   [IO_READ] = "read",     [IO_WRITE] = "write",
        [IO_CLUNK] = "clunk",     [IO_REMOVE] = "remove", [IO_STAT] = "stat",
        [IO_WSTAT] = "wstat",
    };
    return name[m];
}

/* iostats(4) times no flush, and of those that fail auth and wstat alone. */
static bool is_timed(const struct io_done *done)
{
    if (done->message == IO_AUTH || done->message == IO_WSTAT)
        return true;
    return done->message != IO_FLUSH && !done->error;
}

static void add_time(struct io_kind *k, uint64_t ns)
{
    if (!k->timed || ns < k->low_ns)
        k->low_ns = ns;
    if (ns > k->high_ns)
        k->high_ns = ns;
    k->timed++;
    k->total_ns += ns;
    io_latency_add(&k->latency, ns);
}

void io_counts_done(struct io_counts *counts, const struct io_done *done)
{
    struct io_kind *k = &counts->kind[done->message];
    k->count++;
    k->request += done->request;
    if (done->error)
        k->errors++;
    else
        k->reply += done->reply;
    counts->protocol += done->request + done->reply;
    if (is_timed(done))
        add_time(k, ns_between(done->start_ns, done->end_ns));
}

uint64_t io_counts_operations(const struct io_counts *counts)
{
    uint64_t count = 0;
    for (size_t m = 0; m < IO_MESSAGES; m++)
        count += counts->kind[m].count;
    return count;
}

static int number_of(struct io_counts *counts, const char *path)
{
    size_t known = counts->path.count;
    if (!grow(&counts->file, &counts->cap, known, sizeof *counts->file))
        return -ENOMEM;
    uint32_t i = intern_string(&counts->path, path);
    if (i > INT32_MAX) /* INTERN_NONE, too */
        return -ENOMEM;
    if (counts->path.count > known)
        memset(&counts->file[i], 0, sizeof counts->file[i]);
    return (int)i;
}

int io_counts_file(struct io_counts *counts, const char *path, size_t len)
{
    char *text = strndup(path, len);
    int i = text ? number_of(counts, text) : -ENOMEM;
    free(text);
    if (i < 0)
        counts->lost++;
    return i;
}

void io_counts_read(struct io_counts *counts, int file, uint64_t bytes)
{
    counts->read_bytes += bytes;
    if (file < 0)
        return;
    counts->file[file].reads++;
    counts->file[file].read_bytes += bytes;
}

void io_counts_written(struct io_counts *counts, int file, uint64_t bytes)
{
    counts->written_bytes += bytes;
    if (file < 0)
        return;
    counts->file[file].writes++;
    counts->file[file].written_bytes += bytes;
}

void io_counts_closed(struct io_counts *counts, int file, bool did_io)
{
    if (file < 0 || !did_io)
        return;
    if (!counts->file[file].opens++)
        counts->file[file].order = ++counts->closes;
}

const char *io_counts_path(const struct io_counts *counts, int file)
{
    return file >= 0 && (size_t)file < counts->path.count ? intern_string_at(&counts->path, file)
                                                          : "";
}

/* --- sums --- */

void io_kind_add(struct io_kind *to, const struct io_kind *from)
{
    if (from->timed && (!to->timed || from->low_ns < to->low_ns))
        to->low_ns = from->low_ns;
    if (from->high_ns > to->high_ns)
        to->high_ns = from->high_ns;
    to->count += from->count;
    to->errors += from->errors;
    to->timed += from->timed;
    to->total_ns += from->total_ns;
    to->request += from->request;
    to->reply += from->reply;
    for (size_t i = 0; i < IO_LATENCY_BUCKETS; i++)
        to->latency.count[i] += from->latency.count[i];
}

static void add_file(struct io_counts *counts, const char *path, const struct io_file *from)
{
    int i = from->opens ? io_counts_file(counts, path, strlen(path)) : -1;
    if (i < 0)
        return;
    io_file_add(&counts->file[i], from);
    if (!counts->file[i].order)
        counts->file[i].order = ++counts->closes;
}

void io_counts_add(struct io_counts *counts, const struct io_counts *others)
{
    for (int m = 0; m < IO_MESSAGES; m++)
        io_kind_add(&counts->kind[m], &others->kind[m]);
    counts->protocol += others->protocol;
    counts->read_bytes += others->read_bytes;
    counts->written_bytes += others->written_bytes;
    counts->lost += others->lost;
    for (uint32_t i = 0; i < others->path.count; i++)
        add_file(counts, intern_string_at(&others->path, i), &others->file[i]);
}
