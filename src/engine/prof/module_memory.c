/* What the programs that the device wants allocate, by the places that do. */
#include "core/profdev/memory.h"
#include "heap_parts.h"
#include "module_counter.h"

#include <errno.h>
#include <stdlib.h>

struct module_memory {
    struct heap_run run;
    struct heap_watch watch;
    struct sampling sampling;
    struct sampling_want want;
    const struct profdev *device;
    struct profdev_memory memory;
};

/* --- tracing --- */

static bool is_program_wanted(void *arg, int pid)
{
    const struct heap_run *h = arg;
    const struct module_memory *m = h->arg;
    return module_wants_program(m->device, pid);
}

/* Its number in the table of modules; false: it is not in the list. */
static bool find_place(const struct module_memory *m, uint32_t pid, uint64_t pc, size_t *module,
                       uint64_t *address)
{
    uint64_t offset, start, end, vaddr;
    const struct module *of = mapped_at(&m->sampling.sampled.mapped, pid, pc, &offset);
    if (!of || !of->elf || !profdev_wants(m->device, of->path) ||
        !elf_text(of->elf, &start, &end) || !elf_vaddr(of->elf, offset, &vaddr) || vaddr < start)
        return false;
    *module = of->id;
    *address = vaddr - start;
    return true;
}

/* Site 0 is everywhere else. */
static uint32_t site_of(void *arg, const struct heap_image *image, const struct breaks_stop *s)
{
    struct module_memory *m = arg;
    uint64_t is_thumb = m->run.perf.word == 4 ? s->pc & 1 : 0, address;
    size_t module;
    if (!find_place(m, image->pid, s->pc - is_thumb, &module, &address))
        return 0;
    uint32_t place = module < PROFDEV_MAX_PLACE_MODULES
                         ? profdev_memory_place(&m->memory, (uint32_t)module, address)
                         : 0;
    m->run.failed |= !place;
    return place;
}

static void on_changed(void *arg, uint32_t site, uint64_t bytes, bool gone)
{
    struct module_memory *m = arg;
    profdev_memory_changed(&m->memory, site, bytes, gone);
}

/* Lives as long as the process. */
static void *start_counting(const struct profdev *p, struct breaks_callbacks *to)
{
    struct module_memory *m = calloc(1, sizeof *m);
    if (!m)
        return NULL;
    m->device = p;
    m->watch = (struct heap_watch){on_changed, m};
    m->run = (struct heap_run){
        .sampling = &m->sampling, .site_of = site_of, .arg = m, .watch = &m->watch};
    if (heap_prepare(&m->want, &m->sampling, &m->run, NULL) < 0) {
        free(m);
        return NULL;
    }
    *to = heap_callbacks(&m->run);
    to->wanted = is_program_wanted;
    return m;
}

/* --- cells --- */

static int set_cells(struct coverage_counts *to, uint64_t cell, const struct profdev_bytes *b)
{
    uint64_t *now = coverage_count_at(to, cell);
    if (now)
        *now += b->now;
    uint64_t *most = now ? coverage_count_at(to, cell + 1) : NULL;
    if (most)
        *most += b->most;
    return most ? 0 : -ENOMEM;
}

static struct coverage_module *module_of(const struct module_memory *m, size_t number,
                                         struct coverage_record *out)
{
    const struct module *of = m->sampling.sampled.mapped.modules.module[number];
    const struct profdev_file file = {of->path, of->identity.major, of->identity.minor,
                                      of->identity.inode};
    return module_record(out, &file);
}

static int count_modules(void *counter, struct coverage_record *out)
{
    const struct module_memory *m = counter;
    int r = m->run.failed || m->sampling.sampled.err ? -ENOMEM : 0;
    for (size_t i = 0; r == 0 && i < m->memory.modules; i++) {
        struct coverage_module *to = m->memory.module[i].most ? module_of(m, i, out) : NULL;
        if (m->memory.module[i].most)
            r = to ? set_cells(&to->counts, 0, &m->memory.module[i]) : -ENOMEM;
    }
    for (size_t i = 0; r == 0 && i < m->memory.places; i++) {
        const struct profdev_place *p = &m->memory.place[i];
        struct coverage_module *to = module_of(m, p->module, out);
        r = to ? set_cells(&to->counts, profdev_memory_cell(p), &p->bytes) : -ENOMEM;
    }
    return r;
}

const struct module_kind module_memory = {start_counting, count_modules};
