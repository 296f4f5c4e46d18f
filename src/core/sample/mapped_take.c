/* Mappings, forks and execs as the kernel's records tell them. */
#include "core/sample/mapped.h"

#include "core/perf/perfrec.h"

#include <errno.h>
#include <string.h>

/* Every process outside our pid namespace has this number in perf's records: their mappings are of
 * many spaces, and an exec of one is not of the others. */
enum { OUTSIDE = 0 };

/* "[kernel.kallsyms]_text" is the kernel; "/lib/modules/.../ip-tables.ko.xz" is "[ip_tables]". */
static void kernel_name(const struct perfrec *r, char *name, size_t cap)
{
    const char *slash = strrchr(r->name, '/'), *from = slash ? slash + 1 : r->name;
    size_t len = strcspn(from, slash ? "." : "]"), at = 0;
    if (strncmp(r->name, "[kernel.", 8) == 0 || !r->map.len) {
        from = "kernel";
        len = 6;
    } else if (*from == '[') {
        from++;
        len--;
    }
    name[at++] = '[';
    for (size_t i = 0; i < len && at < cap - 2; i++)
        name[at++] = from[i] == '-' ? '_' : from[i];
    memcpy(name + at, "]", 2);
}

static void handle_kernel_mmap(struct mapped *d, const struct perfrec *r)
{
    char name[64];
    kernel_name(r, name, sizeof name);
    if (r->map.start + r->map.len > r->map.start)
        mapped_kernel(d, r->map.start, r->map.start + r->map.len, name);
}

static void handle_mmap(struct mapped *d, const struct perfrec *r)
{
    struct space_map at = {
        .start = r->map.start, .end = r->map.start + r->map.len, .file_offset = r->map.file_offset};
    struct module_identity id = {.major = r->map.major,
                                 .minor = r->map.minor,
                                 .inode = r->map.inode,
                                 .build_id_len = r->map.build_id_len};
    memcpy(id.build_id, r->map.build_id, sizeof id.build_id);
    if (r->map.executable && at.end > at.start)
        mapped_add(d, r->pid, &at, r->name, &id);
}

static void handle_fork(struct mapped *d, const struct perfrec *r)
{
    if (r->pid != r->ppid && spaces_fork(&d->spaces, r->pid, r->ppid) < 0)
        d->err = -ENOMEM;
}

static void handle_exec(struct mapped *d, const struct perfrec *r)
{
    if (spaces_exec(&d->spaces, r->pid) < 0)
        d->err = -ENOMEM;
    if (r->pid == d->pid)
        d->main_module = SIZE_MAX;
}

void mapped_add_record(struct mapped *d, const struct perfrec *r)
{
    if (r->pid == OUTSIDE)
        return;
    if (r->type == PERFREC_MMAP || r->type == PERFREC_MMAP2)
        (r->pid == MAPPED_KERNEL ? handle_kernel_mmap : handle_mmap)(d, r);
    else if (r->type == PERFREC_FORK)
        handle_fork(d, r);
    else if (r->type == PERFREC_COMM && r->exec)
        handle_exec(d, r);
    else if (r->type == PERFREC_EXIT && r->pid == r->tid)
        spaces_end(&d->spaces, r->pid);
}
