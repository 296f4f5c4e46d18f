#include "engine/prof/probes.h"

#include "core/elf/elf.h"
#include "core/unwind/cfi.h"
#include "plat/guard.h"

#include <errno.h>
#include <stdio.h>

struct reading {
    struct probes_file *file;
    struct fail f;
};

static int plan_file(void *arg)
{
    struct reading *r = arg;
    struct probe_module *m = &r->file->module;
    struct cfi_image bytes = {r->file->image.data, r->file->image.len, NULL};
    int err = elf_open(r->file->image.data, r->file->image.len, &m->elf, &r->f);
    if (err == 0)
        err = cfi_new(&bytes, NULL, &r->file->cfi, &r->f);
    return err ? err : probe_plan_init(&m->plan, m->elf, r->file->cfi, &r->f);
}

static int plan_guarded(struct probes_file *p, struct fail *f)
{
    struct reading r = {.file = p};
    struct fail crash;
    int err = guard_call(plan_file, &r, &crash);
    const struct fail *why = err == -EFAULT ? &crash : &r.f;
    if (err < 0)
        fail_set(f, why->err, "%s: %.200s", p->module.path, why->what);
    if (err < 0 && err != -EFAULT) /* what a crashed reader held is lost */
        probes_file_release(p);
    return err;
}

int probes_file_open(struct probes_file *p, const char *path, struct fail *f)
{
    *p = (struct probes_file){.module = {.path = path}};
    int err = file_map_regular(path, &p->image, f);
    return err < 0 ? err : plan_guarded(p, f);
}

void probes_file_release(struct probes_file *p)
{
    probe_plan_release(&p->module.plan);
    cfi_free(p->cfi);
    elf_close(p->module.elf);
    file_unmap(&p->image);
}
