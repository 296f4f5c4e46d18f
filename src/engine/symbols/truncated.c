/* Files that were truncated while they were mapped. */
#include "core/symbol/module.h"
#include "engine/symbols/symbols.h"
#include "plat/guard.h"
#include "private.h"

#include <errno.h>

static int read_last_byte(void *arg)
{
    size_t len;
    const volatile uint8_t *image = elf_image(arg, &len);
    if (image && len)
        (void)image[len - 1];
    return 0;
}

static bool is_whole(struct elf_module *file, struct fail *f)
{
    return !file || guard_call(read_last_byte, file, f) != -EFAULT;
}

void symbols_drop_truncated(const struct modules *t)
{
    struct fail f;
    for (size_t i = 0; i < t->count; i++) {
        struct module *m = t->module[i];
        if (!is_whole(m->elf, &f) || !is_whole(m->debug, &f) || !is_whole(m->alt, &f))
            symbols_mark_unusable(m, &f);
    }
}
