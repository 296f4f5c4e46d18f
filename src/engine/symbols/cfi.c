/* How the functions of a module are left, read guarded as all of foreign files. */
#include "core/unwind/cfi.h"
#include "engine/symbols/symbols.h"
#include "plat/guard.h"

#include <stddef.h>

static struct cfi_image image_of(const struct elf_module *elf)
{
    struct cfi_image image = {NULL, 0};
    if (elf)
        image.bytes = elf_image(elf, &image.len);
    return image;
}

static int read_cfi(void *arg)
{
    struct module *m = arg;
    struct cfi_image file = image_of(m->elf), debug = image_of(m->debug);
    struct fail f;
    return cfi_new(&file, debug.bytes ? &debug : NULL, &m->cfi, &f);
}

void symbols_cfi(struct symbols *s, struct module *m)
{
    struct fail f;
    (void)s;
    if (!m->elf || m->kernel)
        return;
    if (guard_call(read_cfi, m, &f) < 0)
        m->cfi = NULL;
}
