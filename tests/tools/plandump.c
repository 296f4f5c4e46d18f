/* plandump FILE: the functions of an ELF file that probes can have, `address size how return' a
 * line. */
#include "core/elf/elf.h"
#include "core/probe/plan.h"
#include "core/unwind/cfi.h"
#include "plat/file.h"

#include <inttypes.h>
#include <stdio.h>

static void dump(const struct probe_plan *p)
{
    for (size_t i = 0; i < p->count; i++) {
        const struct probe_site *s = &p->site[i];
        printf("%" PRIx64 " %" PRIx32 " %s %s\n", s->start, s->size,
               s->way == PROBE_REFUSED ? probe_reasons[s->reason].key : probe_ways[s->way].key,
               probe_returns[s->returns].key);
    }
}

int main(int argc, char **argv)
{
    struct image image;
    struct elf_module *m;
    struct cfi *c;
    struct probe_plan plan;
    struct fail f;
    if (argc != 2)
        return 2;
    if (file_map(argv[1], SIZE_MAX, &image, &f) < 0 ||
        elf_open(image.data, image.len, &m, &f) < 0 ||
        cfi_new(&(struct cfi_image){image.data, image.len, NULL}, NULL, &c, &f) < 0 ||
        probe_plan_init(&plan, m, c, &f) < 0) {
        fprintf(stderr, "plandump: %s: %s\n", argv[1], f.what);
        return 1;
    }
    dump(&plan);
    probe_plan_release(&plan);
    cfi_free(c);
    elf_close(m);
    file_unmap(&image);
    return 0;
}
