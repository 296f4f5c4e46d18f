/* Images that some module's strings point into: kept as long as it, in memory as far as needed. */
#include "core/base/grow.h"
#include "plat/guard.h"
#include "private.h"

#include <errno.h>

/* A quarter of MAX_MORE_RESIDENT kept 2.5 MB less in memory, but a report of call chains through 65
 * files took 1.5 to 1.8 times the CPU time: pages that are dropped come back 64 KB at a time. */
enum { UNLOAD_OVER = 1 << 20, MAX_MORE_RESIDENT = 4 << 20, LOOK_EACH = 16 };

bool symbols_add_image(struct symbols *s, const struct module *of, struct image *image)
{
    if (!GROW_ADD(s->image, s->image_cap, s->images, (struct symbols_image){*image, of})) {
        file_unmap(image);
        return false;
    }
    symbols_unload_images(s);
    return true;
}

struct image_setting {
    struct module *module;
    const uint8_t *bytes;
    size_t len;
};

static int set_image(void *arg)
{
    struct image_setting *g = arg;
    return module_set_image(g->module, g->bytes, g->len);
}

void symbols_set_bytes(struct symbols *s, struct module *m, const uint8_t *bytes, size_t len)
{
    struct image_setting g = {m, bytes, len};
    struct fail f;
    if (guard_call(set_image, &g, &f) == -EFAULT) {
        m->elf = NULL;
        module_set_why(m, "reading its file %s", f.what);
    }
    if (m->elf)
        elf_set_budget(m->elf, symbols_memory_of(s, m));
}

void symbols_set_image(struct symbols *s, struct module *m, struct image *image)
{
    if (!symbols_add_image(s, m, image))
        module_set_why(m, "%s", strerror(ENOMEM));
    else
        symbols_set_bytes(s, m, image->data, image->len);
}

static void unload_file(struct symbols *s, const struct elf_module *of)
{
    size_t len;
    const uint8_t *bytes = of ? elf_image(of, &len) : NULL;
    for (size_t i = 0; bytes && i < s->images; i++)
        if (s->image[i].image.data == bytes)
            file_drop_pages(&s->image[i].image);
}

void symbols_unload_read(struct symbols *s, const struct elf_module *of)
{
    size_t len;
    if (of && elf_image(of, &len) && len > UNLOAD_OVER)
        unload_file(s, of);
}

static bool are_many_resident(const struct symbols *s)
{
    return file_resident() > s->resident + MAX_MORE_RESIDENT;
}

void symbols_unload_images(struct symbols *s)
{
    if (are_many_resident(s))
        symbols_unload_all(s);
}

void symbols_unload_all(struct symbols *s)
{
    for (size_t i = 0; i < s->images; i++)
        file_drop_pages(&s->image[i].image);
    s->resident = file_resident();
}

/* Looking costs more than what most names bring to memory. */
static bool were_many_faults(struct symbols *s)
{
    unsigned long faults = file_faults();
    if (faults - s->faults < MAX_MORE_RESIDENT / FILE_FAULT_BYTES)
        return false;
    s->faults = faults;
    return true;
}

/* There may be hundreds of files: to ask the kernel for each takes its time. */
void symbols_unload_asked(struct symbols *s, const struct module *m)
{
    if (++s->asked % LOOK_EACH || !were_many_faults(s) || !are_many_resident(s))
        return;
    if (m) {
        unload_file(s, m->elf);
        unload_file(s, m->debug);
    }
    symbols_unload_images(s);
}

void symbols_forget(struct symbols *s, struct module *const *gone, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        s->jit_bytes -= gone[i]->external.bytes;
        module_close(gone[i]);
    }
    for (size_t i = 0; i < s->images; i++) {
        if (s->image[i].of && s->image[i].of->closed)
            file_unmap(&s->image[i].image);
        else
            s->image[kept++] = s->image[i];
    }
    s->images = kept;
}

uint64_t symbols_file_bytes(const struct symbols *s)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < s->images; i++)
        bytes += s->image[i].image.len;
    return bytes;
}

void symbols_release_images(struct symbols *s)
{
    for (size_t i = 0; i < s->images; i++)
        file_unmap(&s->image[i].image);
    free(s->image);
}
