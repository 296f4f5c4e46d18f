/* The instructions of the programs that the device wants. */
#include "coverage_parts.h"
#include "module_counter.h"

#include <errno.h>
#include <stdlib.h>

static bool is_program_wanted(void *arg, int pid)
{
    const struct coverage_counting *c = arg;
    return module_wants_program(c->device, pid);
}

/* Lives as long as the process. */
static void *start_counting(const struct profdev *p, struct breaks_callbacks *to)
{
    struct coverage_counting *c = calloc(1, sizeof *c);
    struct coverage_record *r = calloc(1, sizeof *r);
    if (!c || !r) {
        free(c);
        free(r);
        return NULL;
    }
    c->device = p;
    c->record = r;
    *to = coverage_callbacks(c);
    to->wanted = is_program_wanted;
    return c;
}

/* --- counts: from the first address of a file's text on --- */

static int add_counts(const struct coverage_file *x, struct coverage_counts *out)
{
    struct coverage_counts *counts = &x->module->counts;
    uint64_t count;
    coverage_sort(counts);
    for (uint64_t at = x->start; coverage_next(counts, &at, &count); at++) {
        uint64_t *to = coverage_count_at(out, at - x->start);
        if (!to)
            return -ENOMEM;
        *to += count;
    }
    return 0;
}

static int add_file(const struct coverage_file *x, struct coverage_record *out)
{
    const struct profdev_file file = {x->path, x->major, x->minor, x->inode};
    struct coverage_module *m = module_record(out, &file);
    return m ? add_counts(x, &m->counts) : -ENOMEM;
}

/* Two files of one path and build-id are counted in one module. */
static bool is_counted_before(const struct coverage_counting *c, size_t file)
{
    for (size_t i = 0; i < file; i++)
        if (c->file[i]->module == c->file[file]->module)
            return true;
    return false;
}

static int count_files(void *counter, struct coverage_record *out)
{
    const struct coverage_counting *c = counter;
    int r = c->failed ? -ENOMEM : 0;
    for (size_t i = 0; r == 0 && i < c->files; i++)
        if (c->file[i]->module && !is_counted_before(c, i))
            r = add_file(c->file[i], out);
    return r;
}

const struct module_kind module_coverage = {start_counting, count_files};
