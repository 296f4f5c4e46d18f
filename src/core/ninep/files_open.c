/* Open files of another machine: read and written. */
#include "files_private.h"

#include <errno.h>
#include <stdlib.h>

static struct ninep_open *add_open(struct ninep_files *s, uint32_t fid)
{
    struct ninep_open *o = calloc(1, sizeof *o);
    if (!o)
        return NULL;
    o->fid = fid;
    o->next = s->open;
    if (o->next)
        o->next->previous = o;
    s->open = o;
    s->opens++;
    return o;
}

int ninep_files_open(void *state, uint64_t path, unsigned how, void **file, struct fail *f)
{
    struct ninep_files *s = state;
    struct ninep_job *j;
    if (s->opens >= NINEP_OPEN)
        return fail_set(f, ENFILE, "9P");
    int r = ninep_poll_job(s, NINEP_JOB_OPEN, path, how, &j, f);
    if (r < 0)
        return r;
    struct ninep_open *o = add_open(s, j->fid);
    j->fid_moved = o != NULL;
    ninep_end_job(s, j);
    *file = o;
    return o ? 0 : fail_set(f, ENOMEM, "9P");
}

/* A read goes on over several messages only where the file is known to have more: of what a device
 * makes as it is read, the next part may be long in coming. */
static uint32_t read_len(const struct ninep_files *s, const struct ns_io *io)
{
    const struct ns_name *n = ns_names_at(&s->names, io->path);
    uint64_t length = n && n->length > io->offset ? n->length - io->offset : 0;
    uint32_t max = ninep_transfer_max(s->client);
    if (io->len <= max || length <= max)
        return io->len < max ? (uint32_t)io->len : max;
    uint64_t len = io->len < length ? io->len : length;
    return len < NINEP_READ_MAX ? (uint32_t)len : NINEP_READ_MAX;
}

/* What was asked for elsewhere is of no interest any more. */
static long read_once(struct ninep_files *s, const struct ns_io *io, void *bytes, struct fail *f)
{
    struct ninep_open *o = io->file;
    if (o->lost)
        return fail_set(f, ENOTCONN, "9P");
    if (o->read.offset != io->offset)
        ninep_transfer_cancel(s->client, &o->read);
    if (ninep_transfer_is_active(&o->read))
        return ninep_transfer_result(&o->read, bytes, io->len, f);
    struct ninep_msg m = {
        .type = NINEP_TREAD, .fid = o->fid, .offset = io->offset, .count = read_len(s, io)};
    return ninep_transfer_start(s->client, &o->read, &m, f);
}

long ninep_files_read(void *state, const struct ns_io *io, void *bytes, struct fail *f)
{
    long n;
    do
        n = read_once(state, io, bytes, f);
    while (ninep_waited(state, &n, f));
    return n;
}

/* By ns.h a write is one message. */
static long write_once(struct ninep_files *s, const struct ns_io *io, const void *bytes,
                       struct fail *f)
{
    struct ninep_open *o = io->file;
    if (o->lost)
        return fail_set(f, ENOTCONN, "9P");
    if (ninep_transfer_is_active(&o->write))
        return ninep_transfer_result(&o->write, NULL, io->len, f);
    if (io->len > ninep_transfer_max(s->client))
        return fail_set(f, EFBIG, "9P");
    struct ninep_msg m = {.type = NINEP_TWRITE,
                          .fid = o->fid,
                          .offset = io->offset,
                          .data = bytes,
                          .count = (uint32_t)io->len};
    return ninep_transfer_start(s->client, &o->write, &m, f);
}

long ninep_files_write(void *state, const struct ns_io *io, const void *bytes, struct fail *f)
{
    long n;
    do
        n = write_once(state, io, bytes, f);
    while (ninep_waited(state, &n, f));
    return n;
}

/* The other machine's side of it ends. */
static void lose_open(struct ninep_files *s, struct ninep_open *o)
{
    if (o->lost)
        return;
    o->lost = true;
    ninep_transfer_cancel(s->client, &o->read);
    ninep_client_forget(s->client, &o->write); /* what is written shall be */
    ninep_listing_release(&o->listing, s->client);
    ninep_client_clunk(s->client, o->fid);
    buf_release(&o->read.data);
}

static void free_open(struct ninep_files *s, struct ninep_open *o)
{
    lose_open(s, o);
    if (o->next)
        o->next->previous = o->previous;
    *(o->previous ? &o->previous->next : &s->open) = o->next;
    s->opens--;
    free(o);
}

void ninep_files_close(void *state, void *file, uint64_t path)
{
    struct ninep_files *s = state;
    free_open(s, file);
    if (s->owner.wait)
        s->owner.wait(s->owner.arg, 0, NULL);
}

void ninep_lose_all(struct ninep_files *s)
{
    for (struct ninep_open *o = s->open; o; o = o->next)
        lose_open(s, o);
}

void ninep_close_all(struct ninep_files *s)
{
    while (s->open)
        free_open(s, s->open);
}

int ninep_files_handle(void *state, void *file, uint64_t path)
{
    struct ninep_files *s = state;
    return s->handle;
}
