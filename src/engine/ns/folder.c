#include "engine/ns/folder.h"

#include "core/ns/names.h"
#include "layout.h"
#include "plat/folder.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_NAMES = 65536 };

struct folder {
    char *root;
    struct ns_names names; /* kept for ever */
    struct buf listed;     /* the names of the directory that is being listed */
    uint64_t listing;
    size_t next, at; /* the index that comes next, and where its name begins */
};

static int name_of(const struct folder *d, uint64_t path, char out[NS_PATH_MAX + 1], struct fail *f)
{
    int r = ns_names_whole(&d->names, path, d->root, out);
    return r < 0 ? fail_set(f, -r, "%.128s", d->root) : 0;
}

/* The number of a name in a directory, whether it is there or not. */
static int keep_name(struct folder *d, uint64_t directory, const char *name, uint64_t *path)
{
    if (strlen(name) > NS_NAME_MAX)
        return -ENAMETOOLONG;
    int64_t i = ns_names_hold(&d->names, directory, name);
    *path = (uint64_t)i;
    return i == -ENFILE ? -ENOSPC : i < 0 ? (int)i : 0;
}

static void fill_stat(uint64_t path, const char *name, const struct folder_file *file,
                      struct ns_stat *out)
{
    *out = (struct ns_stat){.path = path,
                            .version = (uint32_t)file->modified,
                            .directory = file->folder,
                            .mode = file->mode,
                            .length = file->length,
                            .modified = file->modified};
    strcpy(out->name, name);
}

static int folder_file_stat(void *state, uint64_t path, struct ns_stat *out, struct fail *f)
{
    const struct folder *d = state;
    struct folder_file file;
    char name[NS_PATH_MAX + 1];
    int r = name_of(d, path, name, f);
    if (r == 0)
        r = folder_stat(name, &file, f);
    if (r == 0)
        fill_stat(path, path ? ns_names_at(&d->names, path)->text : "/", &file, out);
    return r;
}

static int walk_name(void *state, uint64_t directory, const char *name, uint64_t *path,
                     struct fail *f)
{
    struct folder *d = state;
    struct folder_file file;
    char whole[NS_PATH_MAX + 1];
    int r = name_of(d, directory, whole, f);
    if (r < 0)
        return r;
    size_t len = strlen(whole);
    if (len + 1 + strlen(name) >= sizeof whole)
        return fail_set(f, ENAMETOOLONG, "%.128s", name);
    snprintf(whole + len, sizeof whole - len, "/%s", name);
    r = folder_stat(whole, &file, f); /* names that do not exist take no memory */
    if (r < 0)
        return r;
    r = keep_name(d, directory, name, path);
    return r < 0 ? fail_set(f, -r, "%.128s", name) : 0;
}

static int read_names(struct folder *d, uint64_t directory, struct fail *f)
{
    char name[NS_PATH_MAX + 1];
    int r = name_of(d, directory, name, f);
    buf_clear(&d->listed);
    d->listing = directory;
    d->next = d->at = 0;
    return r < 0 ? r : folder_names(name, MAX_NAMES, &d->listed, f);
}

/* To where the index-th name begins. */
static void seek_entry(struct folder *d, size_t index)
{
    if (index < d->next)
        d->next = d->at = 0;
    for (; d->next < index && d->at < d->listed.len; d->next++)
        d->at += strlen(d->listed.data + d->at) + 1;
}

static int read_entry(void *state, uint64_t directory, size_t index, struct ns_stat *out,
                      struct fail *f)
{
    struct folder *d = state;
    struct folder_file file = {0};
    char whole[NS_PATH_MAX + 1];
    uint64_t path;
    int r = 0;
    if (index == 0 || d->listing != directory)
        r = read_names(d, directory, f);
    if (r < 0)
        return r;
    seek_entry(d, index);
    if (d->at >= d->listed.len)
        return 0;
    const char *name = d->listed.data + d->at;
    r = keep_name(d, directory, name, &path);
    if (r < 0 || (r = name_of(d, path, whole, f)) < 0)
        return fail_set(f, -r, "%.128s", name);
    folder_stat(whole, &file, NULL); /* one that vanished meanwhile is listed without facts */
    fill_stat(path, name, &file, out);
    return 1;
}

/* --- bytes --- */

static int open_file(void *state, uint64_t path, unsigned how, void **file, struct fail *f)
{
    char name[NS_PATH_MAX + 1];
    int r = name_of(state, path, name, f);
    if (r < 0)
        return r;
    unsigned access = how & NS_ACCESS;
    r = folder_open(name, access != NS_WRITE, access != NS_READ, how & NS_TRUNCATE, f);
    if (r < 0)
        return r;
    *file = (void *)(intptr_t)r;
    return 0;
}

static long read_file(void *state, const struct ns_io *io, void *bytes, struct fail *f)
{
    return folder_read((int)(intptr_t)io->file, io->offset, bytes, io->len, f);
}

static long write_file(void *state, const struct ns_io *io, const void *bytes, struct fail *f)
{
    return folder_write((int)(intptr_t)io->file, io->offset, bytes, io->len, f);
}

static void close_file(void *state, void *file, uint64_t path)
{
    folder_close((int)(intptr_t)file);
}

static void free_folder(void *state)
{
    SCOPED_FREE struct folder *d = state;
    ns_names_release(&d->names);
    buf_release(&d->listed);
    free(d->root);
}

static const struct ns_calls calls = {.walk = walk_name,
                                      .stat = folder_file_stat,
                                      .entry = read_entry,
                                      .open = open_file,
                                      .read = read_file,
                                      .write = write_file,
                                      .close = close_file,
                                      .end = free_folder};

static int open_folder(const char *path, struct ns_server *out, struct fail *f)
{
    struct folder_file file;
    int r = folder_stat(path, &file, f);
    if (r < 0)
        return r;
    if (!file.folder)
        return fail_set(f, ENOTDIR, "%s", path);
    struct folder *d = calloc(1, sizeof *d);
    if (d) {
        d->names.max = MAX_NAMES;
        d->listing = UINT64_MAX;
        d->root = strdup(path);
    }
    if (!d || !d->root) {
        if (d)
            free_folder(d);
        return fail_set(f, ENOMEM, "%s", path);
    }
    *out = (struct ns_server){&calls, d};
    return 0;
}

int ns_bind_folder(struct ns *ns, const char *path, struct fail *f)
{
    struct ns_server server;
    int r = open_folder(path, &server, f);
    return r < 0 ? r : ns_bind_layout(ns, server, f);
}
