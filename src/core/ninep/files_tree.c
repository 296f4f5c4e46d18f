/* What a kernel's file server needs: names that come and go, and directories read by parts. */
#include "files_private.h"

#include <errno.h>

/* How long a read may go on. */
static void note_length(struct ninep_files *s, uint64_t path, const struct ns_stat *st)
{
    struct ns_name *n = ns_names_at(&s->names, path);
    if (n)
        n->length = st->length;
}

static int tree_stat(void *state, uint64_t path, struct ns_stat *out, struct fail *f)
{
    struct ninep_files *s = state;
    struct ninep_job *j;
    int r = ninep_poll_job(s, NINEP_JOB_STAT, path, 0, &j, f);
    if (r < 0)
        return r;
    *out = j->stat;
    note_length(s, path, out);
    ninep_end_job(s, j);
    return 0;
}

static int tree_look(void *state, uint64_t directory, const char *name, uint64_t *path,
                     struct ns_stat *out, struct fail *f)
{
    struct ninep_files *s = state;
    int64_t i = ns_names_hold(&s->names, directory, name);
    if (i < 0)
        return fail_set(f, (int)-i, "%s", name);
    int r = tree_stat(s, (uint64_t)i, out, f);
    if (r < 0)
        ns_names_drop(&s->names, (uint64_t)i, 1);
    else
        *path = (uint64_t)i;
    return r;
}

static int tree_walk(void *state, uint64_t directory, const char *name, uint64_t *path,
                     struct fail *f)
{
    struct ns_stat st;
    return tree_look(state, directory, name, path, &st, f);
}

static void tree_forget(void *state, uint64_t path, uint64_t times)
{
    struct ninep_files *s = state;
    ns_names_drop(&s->names, path, times);
}

/* By 9P2000.L the entries of a directory have names alone. */
static int tree_read_entry(void *state, void *file, uint64_t directory, size_t index,
                           struct ns_stat *out, struct fail *f)
{
    struct ninep_files *s = state;
    struct ninep_open *o = file;
    struct ninep_stat record;
    if (o->lost)
        return fail_set(f, ENOTCONN, "9P");
    int r = ninep_listing_at(&o->listing, s->client, o->fid, index, &record, f);
    if (r <= 0)
        return r;
    ninep_stat_of(&record, out);
    return ninep_client_dialect(s->client) == NINEP_L ? NS_ENTRY_NAME : NS_ENTRY_STAT;
}

static int tree_hold(void *state, uint64_t directory, const struct ns_stat *entry, uint64_t *path,
                     struct fail *f)
{
    struct ninep_files *s = state;
    int64_t i = ns_names_hold(&s->names, directory, entry->name);
    if (i < 0)
        return fail_set(f, (int)-i, "%s", entry->name);
    note_length(s, (uint64_t)i, entry);
    *path = (uint64_t)i;
    return 0;
}

/* A write that is longer than a message is a short one. */
static long tree_write(void *state, const struct ns_io *io, const void *bytes, struct fail *f)
{
    struct ninep_files *s = state;
    struct ns_io part = *io;
    uint32_t max = ninep_transfer_max(s->client);
    part.len = part.len < max ? part.len : max;
    return ninep_files_write(s, &part, bytes, f);
}

struct ns_server ninep_files_tree(struct ninep_files *files)
{
    static const struct ns_calls calls = {.walk = tree_walk,
                                          .look = tree_look,
                                          .stat = tree_stat,
                                          .read_entry = tree_read_entry,
                                          .hold = tree_hold,
                                          .forget = tree_forget,
                                          .open = ninep_files_open,
                                          .read = ninep_files_read,
                                          .write = tree_write,
                                          .close = ninep_files_close,
                                          .handle = ninep_files_handle};
    return (struct ns_server){&calls, files};
}
