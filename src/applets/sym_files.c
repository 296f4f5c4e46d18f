#include "applets/sym_files.h"

#include "applets/applet.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_FILES = 64 }; /* open at a time; then all are closed */

struct sym_file {
    char *path;
    struct target target;
    struct target_want want;
    bool open;
};

extern const struct applet applet_sym;

static struct sym_file *find_file(const struct sym_files *s, const char *path)
{
    for (size_t i = 0; i < s->files; i++)
        if (strcmp(s->file[i].path, path) == 0)
            return &s->file[i];
    return NULL;
}

static void open_file(struct sym_files *s, struct sym_file *one)
{
    struct fail f;
    one->want = *s->want;
    one->want.file = one->path;
    one->open = target_open(&one->want, &one->target, &f) == 0;
    if (one->open)
        return;
    target_release(&one->target);
    s->failed = true;
    applet_fail(&applet_sym, &f);
}

/* Targets hold pointers to themselves, so that they do not move. */
static struct sym_file *add_file(struct sym_files *s, const char *path)
{
    if (s->files == MAX_FILES)
        sym_files_release(s);
    if (!s->file)
        s->file = calloc(MAX_FILES, sizeof *s->file);
    char *own = strdup(path);
    if (!s->file || !own) {
        free(own);
        return NULL;
    }
    struct sym_file *one = &s->file[s->files++];
    one->path = own;
    open_file(s, one);
    return one;
}

struct target *sym_files_target(struct sym_files *s, const char *path)
{
    struct sym_file *one = find_file(s, path);
    if (!one)
        one = add_file(s, path);
    return one && one->open ? &one->target : NULL;
}

void sym_files_release(struct sym_files *s)
{
    for (size_t i = 0; i < s->files; i++) {
        if (s->file[i].open)
            target_release(&s->file[i].target);
        free(s->file[i].path);
    }
    free(s->file);
    s->file = NULL;
    s->files = 0;
}
