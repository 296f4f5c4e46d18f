#include "applets/sym_files.h"

#include "applets/sym_target.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_FILES = 64 }; /* open at a time; then all are closed */

static struct sym_file *find_file(const struct sym_files *s, const char *path)
{
    for (size_t i = 0; i < s->files; i++)
        if (strcmp(s->file[i].path, path) == 0)
            return &s->file[i];
    return NULL;
}

static void open_file(struct sym_files *s, struct sym_file *one)
{
    one->want = *s->want;
    one->want.file = one->path;
    one->open = target_open(&one->want, &one->target, &one->why) == 0;
    if (one->open)
        return;
    target_release(&one->target);
    s->failed = true;
}

static void close_files(struct sym_files *s)
{
    for (size_t i = 0; i < s->files; i++) {
        struct sym_file *one = &s->file[i];
        if (one->open && !sym_all_read(&one->target))
            s->failed = true;
        if (one->open)
            target_release(&one->target);
        free(one->path);
    }
    s->files = 0;
}

/* Targets hold pointers to themselves, so that they do not move. */
static struct sym_file *add_file(struct sym_files *s, const char *path)
{
    if (s->files == MAX_FILES)
        close_files(s);
    if (!s->file)
        s->file = calloc(MAX_FILES, sizeof *s->file);
    char *own = strdup(path);
    if (!s->file || !own) {
        free(own);
        return NULL;
    }
    struct sym_file *one = &s->file[s->files++];
    *one = (struct sym_file){.path = own};
    open_file(s, one);
    return one;
}

struct sym_file *sym_files_get(struct sym_files *s, const char *path)
{
    struct sym_file *one = find_file(s, path);
    return one ? one : add_file(s, path);
}

void sym_files_release(struct sym_files *s)
{
    close_files(s);
    free(s->file);
    s->file = NULL;
}
