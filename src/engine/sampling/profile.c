/* A sampling of a process as the histogram that proc(3) hands out. */
#include "core/elf/elf.h"
#include "core/report/profile_file.h"
#include "core/sample/hits.h"
#include "engine/sampling/report.h"

#include <errno.h>
#include <stdlib.h>

/* Hits are in the order of modules, and in each of addresses: those of the program are adjacent.
 */
static void add_hits(struct hits *hits, const struct module *program, struct profile_hit *out,
                     struct profile_counts *c)
{
    struct hit h;
    while (hits_next(hits, &h)) {
        if (h.known && h.module == program->id)
            out[c->hits++] = (struct profile_hit){h.vaddr, h.weight};
        else
            c->outside_ns += h.weight;
    }
}

static int write_hits(struct sampling *s, const struct module *program, struct profile_counts *c,
                      struct buf *out)
{
    SCOPED(hits_release) struct hits hits;
    int r = hits_make(&s->sampled, true, &hits);
    SCOPED_FREE struct profile_hit *hit = r < 0 ? NULL : malloc((hits.count + 1) * sizeof *hit);
    if (hit) {
        add_hits(&hits, program, hit, c);
        c->hit = hit;
        r = profile_file_write(c, out);
    }
    return hit ? r : -ENOMEM;
}

static bool find_text(struct sampling *s, struct module *program, struct profile_counts *c)
{
    uint64_t start;
    if (!program || !program->elf || !elf_text(program->elf, &start, &c->end))
        return false;
    symbols_ready(&s->symbols, program);
    c->base = profile_file_base(module_text(program));
    return true;
}

size_t sampling_profile_length(struct sampling *s)
{
    struct profile_counts c = {0};
    bool known = find_text(s, mapped_main(&s->sampled.mapped), &c);
    return known ? profile_file_length(c.base, c.end) : 0;
}

int sampling_profile(struct sampling *s, struct buf *out, struct fail *f)
{
    struct module *program = mapped_main(&s->sampled.mapped);
    struct profile_counts c = {0};
    if (!find_text(s, program, &c))
        return fail_set(f, ENOEXEC, "%s", program ? program->path : "the program");
    int r = write_hits(s, program, &c, out);
    return r < 0 ? fail_set(f, -r, "profile") : 0;
}
