#include "coverage_parts.h"

#include "core/base/grow.h"
#include "core/base/text.h"
#include "plat/guard.h"
#include "plat/proc.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void free_file(struct coverage_file *x)
{
    coverage_entries_release(&x->entries);
    elf_close(x->elf);
    file_unmap(&x->image);
    free(x->path);
    free(x);
}

void coverage_files_release(struct coverage_counting *c)
{
    for (size_t i = 0; i < c->files; i++)
        free_file(c->file[i]);
    free(c->file);
}

/* --- opening --- */

static int read_code(void *arg)
{
    struct coverage_file *x = arg;
    if (elf_open(x->image.data, x->image.len, &x->elf, NULL) < 0)
        return -1;
    return coverage_can_read(x->elf) && elf_text(x->elf, &x->start, &x->end) ? 0 : -1;
}

static int read_entries(void *arg)
{
    struct coverage_file *x = arg;
    return coverage_entries_make(x->elf, &x->entries);
}

static bool open_file(struct coverage_file *x, int pid, const struct maps_line *at)
{
    const struct proc_mapping mapping = {.pid = pid,
                                         .start = at->start,
                                         .end = at->end,
                                         .path = at->path,
                                         .major = at->major,
                                         .minor = at->minor,
                                         .inode = at->inode};
    x->major = at->major;
    x->minor = at->minor;
    x->inode = at->inode;
    x->path = strdup(at->path);
    return x->path && proc_image(&mapping, &x->image, NULL) == 0 &&
           guard_call(read_code, x, NULL) == 0;
}

/* --- which are counted --- */

static bool is_named(const char *path, const char *name)
{
    return strcmp(path, name) == 0 || strcmp(path_last(path), name) == 0;
}

bool coverage_is_wanted(const struct coverage_counting *c, const char *path)
{
    if (c->device)
        return profdev_wants(c->device, path);
    for (size_t i = 0; i < c->want->modules; i++)
        if (is_named(path, c->want->module[i]))
            return true;
    return !c->want->modules && c->program && strcmp(path, c->program) == 0;
}

static void count_file(struct coverage_counting *c, struct coverage_file *x)
{
    const uint8_t *id;
    if (!coverage_is_wanted(c, x->path))
        return;
    size_t len = elf_build_id(x->elf, &id);
    x->module = coverage_record_module(c->record, x->path, id, len);
    c->failed |= !x->module || guard_call(read_entries, x, NULL) == -ENOMEM;
}

static struct coverage_file *find_file(const struct coverage_counting *c,
                                       const struct maps_line *at)
{
    for (size_t i = 0; i < c->files; i++) {
        struct coverage_file *x = c->file[i];
        if (x->inode == at->inode && x->major == at->major && x->minor == at->minor &&
            strcmp(x->path, at->path) == 0)
            return x;
    }
    return NULL;
}

static struct coverage_file *add_file(struct coverage_counting *c, int pid,
                                      const struct maps_line *at)
{
    struct coverage_file *x = calloc(1, sizeof *x);
    if (!x || !open_file(x, pid, at) ||
        !grow(&c->file, &c->cap, c->files, sizeof(struct coverage_file *))) {
        if (x)
            free_file(x);
        return NULL;
    }
    count_file(c, x);
    return c->file[c->files++] = x;
}

struct coverage_file *coverage_file_of(struct coverage_counting *c, int pid,
                                       const struct maps_line *at)
{
    struct coverage_file *x = find_file(c, at);
    return x ? x : add_file(c, pid, at);
}
