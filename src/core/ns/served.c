#include "core/ns/served.h"

#include <errno.h>
#include <string.h>

enum { BLOCK_BYTES = 4096, COUNTED_BLOCK = 512 };

void ns_served_forget(const struct ns_served *t, uint64_t path, uint64_t times)
{
    if (path && t->files.calls->forget)
        t->files.calls->forget(t->files.state, path, times);
}

void ns_served_attr(const struct ns_served *t, const struct ns_stat *st, struct ns_attr *out)
{
    struct ns_time modified = {.s = (uint64_t)st->modified};
    *out = (struct ns_attr){
        .ino = st->path,
        .mode = (st->directory ? NS_S_DIR : NS_S_FILE) | (st->mode & 0777),
        .uid = t->uid,
        .gid = t->gid,
        .links = 1,
        .size = st->length,
        .block_bytes = BLOCK_BYTES,
        .blocks = st->length / COUNTED_BLOCK + (st->length % COUNTED_BLOCK != 0),
        .accessed = modified,
        .modified = modified,
        .changed = modified,
        .version = st->version,
    };
}

/* --- open files --- */

static bool is_modifying(unsigned how)
{
    return (how & NS_ACCESS) != NS_READ || how & NS_TRUNCATE;
}

int ns_served_open(const struct ns_served *t, uint64_t path, bool directory, unsigned how,
                   struct ns_file *out, struct fail *f)
{
    static const struct ns_calls none;
    if (directory && is_modifying(how))
        return fail_set(f, EISDIR, "%s", "");
    if (is_modifying(how) && !t->writable)
        return fail_set(f, EROFS, "%s", "");
    *out = (struct ns_file){.server = {&none, NULL}, .path = path, .how = how};
    return directory && !t->opens_directories ? 0 : ns_file_open(&t->files, path, how, out, f);
}

int ns_served_truncate(const struct ns_served *t, uint64_t path, uint64_t length, struct fail *f)
{
    struct ns_file file;
    if (length)
        return fail_set(f, EPERM, "%s", "");
    int r = ns_served_open(t, path, false, NS_WRITE | NS_TRUNCATE, &file, f);
    if (r == 0)
        ns_file_close(&file);
    return r;
}

/* --- directories --- */

/* The directory's own entries. */
static int stat_dots(uint64_t directory, uint64_t cookie, struct ns_stat *st)
{
    static const char *const dots[NS_FIRST_FILE] = {".", ".."};
    *st = (struct ns_stat){.path = directory, .directory = true};
    strcpy(st->name, dots[cookie]);
    return NS_ENTRY_NAME;
}

static int list_entry(const struct ns_served *t, const struct ns_file *directory, size_t index,
                      struct ns_stat *st, struct fail *f)
{
    const struct ns_calls *calls = t->files.calls;
    uint64_t path = directory->path;
    return calls->read_entry
               ? calls->read_entry(t->files.state, directory->file, path, index, st, f)
               : calls->entry(t->files.state, path, index, st, f);
}

int ns_served_entry(const struct ns_served *t, const struct ns_file *directory, uint64_t cookie,
                    struct ns_stat *st, struct ns_entry *out, struct fail *f)
{
    uint64_t index = cookie - NS_FIRST_FILE;
    int r = 0;
    *st = (struct ns_stat){.path = 0};
    if (cookie < NS_FIRST_FILE)
        r = stat_dots(directory->path, cookie, st);
    else if (index < SIZE_MAX / 2)
        r = list_entry(t, directory, (size_t)index, st, f);
    if (r > 0)
        *out = (struct ns_entry){.ino = st->path,
                                 .next = cookie + 1,
                                 .type = (st->directory ? NS_S_DIR : NS_S_FILE) >> 12,
                                 .name = st->name};
    return r;
}
