/* How the functions of a module are left, read guarded as all of foreign files. */
#include "core/unwind/cfi.h"
#include "plat/guard.h"
#include "private.h"

struct reading {
    struct module *module;
    struct budget *budget;
};

static struct cfi_image image_of(const struct elf_module *elf, struct budget *budget)
{
    struct cfi_image image = {NULL, 0, budget};
    if (elf)
        image.bytes = elf_image(elf, &image.len);
    return image;
}

static int read_cfi(void *arg)
{
    struct reading *r = arg;
    struct module *m = r->module;
    struct cfi_image file = image_of(m->elf, r->budget), debug = image_of(m->debug, r->budget);
    return cfi_new(&file, debug.bytes ? &debug : NULL, &m->cfi, NULL);
}

void symbols_cfi(struct symbols *s, struct module *m)
{
    struct reading r = {m, symbols_memory_of(s, m)};
    size_t before = m->memory.denied;
    if (!m->elf || m->kernel)
        return;
    if (guard_call(read_cfi, &r, NULL) < 0)
        m->cfi = NULL;
    symbols_unload_read(s, m->elf);
    symbols_unload_read(s, m->debug);
    symbols_note_memory(s, m, before);
}
