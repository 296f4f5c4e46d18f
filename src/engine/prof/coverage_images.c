/* Where the files that are counted are mapped, and the breakpoints in them. */
#include "code_places.h"
#include "coverage_parts.h"

#include "core/base/buf.h"
#include "core/base/grow.h"
#include "plat/proc.h"

#include <stdlib.h>
#include <string.h>

enum { CALL_BYTES = 2 }; /* of code for each call, or instruction, at least, in the mean */

struct coverage_image *coverage_image_copy(const struct coverage_image *from)
{
    struct coverage_image *m = calloc(1, sizeof *m);
    if (!m || !from)
        return m;
    if (from->places && !grow_to(&m->place, &m->cap, from->places, sizeof *m->place)) {
        free(m);
        return NULL;
    }
    if (from->places)
        memcpy(m->place, from->place, from->places * sizeof *m->place);
    m->places = from->places;
    m->loaded = from->loaded;
    m->landing = from->landing;
    return m;
}

void coverage_image_free(struct coverage_image *m)
{
    if (m)
        free(m->place);
    free(m);
}

const struct coverage_place *coverage_place_at(const struct coverage_image *m, uint64_t pc)
{
    for (size_t i = 0; m && i < m->places; i++)
        if (pc >= m->place[i].start && pc < m->place[i].end)
            return &m->place[i];
    return NULL;
}

/* --- a file's place --- */

static void set_entries(struct coverage_counting *c, const struct breaks_stop *s,
                        const struct coverage_place *p)
{
    const struct coverage_file *x = p->file;
    size_t points = x->entries.count + (size_t)((p->end - p->start) / CALL_BYTES);
    if (breaks_reserve(s, p->start, p->end, points) < 0) {
        c->unset += x->entries.count;
        return;
    }
    for (size_t i = 0; i < x->entries.count; i++)
        c->unset += breaks_set(s->image, p->bias + x->entries.vaddr[i]) < 0;
}

static void place_file(struct coverage_counting *c, const struct breaks_stop *s,
                       const struct coverage_file *x, uint64_t bias)
{
    struct coverage_image *m = breaks_data(s->image);
    if (!GROW_ADD(m->place, m->cap, m->places,
                  (struct coverage_place){x, bias + x->start, bias + x->end, bias})) {
        c->failed = true;
        return;
    }
    c->record->processes++;
    set_entries(c, s, &m->place[m->places - 1]);
}

/* --- the loader --- */

/* It begins the program, and calls an empty function whenever it has mapped files. */
static void watch_loader(struct coverage_counting *c, const struct breaks_stop *s,
                         const struct coverage_file *x, uint64_t bias)
{
    struct coverage_image *m = breaks_data(s->image);
    uint64_t function;
    if (!code_loaded_hook(x->elf, &function))
        return;
    m->loaded = bias + function;
    if (breaks_reserve(s, bias + x->start, bias + x->end, 1) < 0 ||
        breaks_set(s->image, m->loaded) < 0)
        c->unset++;
}

static bool is_in(const struct maps_line *at, uint64_t pc)
{
    return pc >= at->start && pc < at->end;
}

/* Of a process that runs, it is known by its name alone: ld-linux-x86-64.so.2, ld-musl-x86_64.so.1.
 */
static bool is_named_loader(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash && strncmp(slash + 1, "ld-", 3) == 0;
}

/* unwinder: that is loaded once. */
static void look_at(struct coverage_counting *c, const struct breaks_stop *s,
                    const struct maps_line *at, bool first)
{
    uint64_t bias;
    struct coverage_image *m = breaks_data(s->image);
    bool attached = breaks_is_attached(s->image);
    bool loader = first && (attached ? is_named_loader(at->path) : is_in(at, s->pc));
    bool unwinder = !attached && !m->landing.start && coverage_is_unwinder(at->path);
    if (!loader && !unwinder && !coverage_is_wanted(c, at->path))
        return;
    struct coverage_file *x = coverage_file_of(c, s->pid, at);
    if (!x || !code_bias(x->elf, at, &bias) || coverage_place_at(m, bias + x->start))
        return;
    if (x->module)
        place_file(c, s, x, bias);
    if (loader)
        watch_loader(c, s, x, bias);
    if (unwinder && !x->module)
        coverage_watch_unwinder(c, s, x, bias);
}

/* The first program that is executed is the command's. */
static void find_program(struct coverage_counting *c, int pid)
{
    SCOPED_BUF path = BUF_INIT;
    proc_program(pid, &path);
    c->program = strdup(buf_str(&path));
}

void coverage_image_look(struct coverage_counting *c, const struct breaks_stop *s, bool first)
{
    SCOPED_BUF maps = BUF_INIT;
    struct maps_line at;
    if (!c->program)
        find_program(c, s->pid);
    if (proc_text(s->pid, "maps", &maps, NULL) == 0) {
        const char *text = buf_str(&maps);
        while (maps_next(&text, &at))
            if (at.executable && at.path[0] == '/')
                look_at(c, s, &at, first);
    }
}
