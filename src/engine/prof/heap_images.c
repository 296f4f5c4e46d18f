/* Where the functions of malloc's family are. */
#include "code_places.h"
#include "heap_parts.h"

#include "core/base/buf.h"
#include "plat/proc.h"

#include <errno.h>
#include <string.h>

enum { MORE_POINTS = 1024 }; /* where calls return to, in one file */

struct named_function {
    const char *name;
    enum heap_function function;
};
static const struct named_function family[] = {
    {"malloc", HEAP_MALLOC},
    {"calloc", HEAP_CALLOC},
    {"realloc", HEAP_REALLOC},
    {"reallocarray", HEAP_REALLOCARRAY},
    {"memalign", HEAP_MEMALIGN},
    {"aligned_alloc", HEAP_MEMALIGN},
    {"posix_memalign", HEAP_POSIX_MEMALIGN},
    {"valloc", HEAP_VALLOC},
    {"pvalloc", HEAP_VALLOC},
    {"free", HEAP_FREE},
    {"cfree", HEAP_FREE},
    /* operator new, of a size_t that is unsigned long, and unsigned int: its callers allocate */
    {"_Znwm", HEAP_MALLOC},
    {"_Znam", HEAP_MALLOC},
    {"_ZnwmRKSt9nothrow_t", HEAP_MALLOC},
    {"_ZnamRKSt9nothrow_t", HEAP_MALLOC},
    {"_Znwj", HEAP_MALLOC},
    {"_Znaj", HEAP_MALLOC},
    {"_ZnwjRKSt9nothrow_t", HEAP_MALLOC},
    {"_ZnajRKSt9nothrow_t", HEAP_MALLOC},
    {"_ZnwmSt11align_val_t", HEAP_MALLOC},
    {"_ZnwjSt11align_val_t", HEAP_MALLOC},
};
enum { FAMILY = sizeof family / sizeof *family };

/* 0: none of these. Of names at one address libc's `__libc_malloc' may be the one that is known. */
static enum heap_function function_named(const char *name)
{
    static const char inner[] = "__libc_";
    if (strncmp(name, inner, sizeof inner - 1) == 0)
        name += sizeof inner - 1;
    for (size_t i = 0; i < FAMILY; i++)
        if (strcmp(family[i].name, name) == 0)
            return family[i].function;
    return 0;
}

/* --- a file that is mapped --- */

static void set_function(struct heap_run *h, const struct breaks_stop *s, uint64_t address,
                         enum heap_function function)
{
    struct heap_image *m = breaks_data(s->image);
    uint64_t *slot = imap_at(&m->functions, address);
    if (!slot) {
        h->failed = true;
        return;
    }
    if (*slot)
        return;
    *slot = function;
    h->functions++;
    h->unset += breaks_set(s->image, address) < 0;
}

static bool has_family(const struct symtab *t)
{
    for (size_t i = 0; i < symtab_count(t); i++)
        if (function_named(symtab_at(t, i)->name))
            return true;
    return false;
}

/* The loader has such functions, too, for itself until libc's are there. */
static void set_functions(struct heap_run *h, const struct breaks_stop *s, struct elf_module *elf,
                          const struct maps_line *at, uint64_t bias)
{
    const struct symtab *t = elf_symbols(elf);
    uint64_t hook;
    if (code_loaded_hook(elf, &hook) && strstr(at->path, "/ld-linux"))
        return;
    if (!has_family(t) || breaks_reserve(s, at->start, at->end, FAMILY + MORE_POINTS) < 0)
        return;
    for (size_t i = 0; i < symtab_count(t); i++) {
        const struct symbol *one = symtab_at(t, i);
        enum heap_function function = function_named(one->name);
        uint64_t address = bias + (function ? code_entry(elf, one->start) : one->start);
        if (function && address >= at->start && address < at->end)
            set_function(h, s, address, function);
    }
}

static void watch_loader(struct heap_run *h, const struct breaks_stop *s, struct elf_module *elf,
                         const struct maps_line *at, uint64_t bias)
{
    struct heap_image *m = breaks_data(s->image);
    uint64_t vaddr;
    if (m->loaded || s->pc < at->start || s->pc >= at->end || !code_loaded_hook(elf, &vaddr))
        return;
    m->loaded = bias + vaddr;
    if (breaks_reserve(s, at->start, at->end, 1) < 0 || breaks_set(s->image, m->loaded) < 0)
        h->unset++;
}

static void look_at(struct heap_run *h, const struct breaks_stop *s, const struct maps_line *at)
{
    const struct heap_image *m = breaks_data(s->image);
    uint64_t offset, bias;
    const struct module *of = mapped_at(&h->sampling->sampled.mapped, m->pid, at->start, &offset);
    if (!of || !of->elf || !code_bias(of->elf, at, &bias))
        return;
    watch_loader(h, s, of->elf, at, bias);
    set_functions(h, s, of->elf, at, bias);
}

void heap_image_look(struct heap_run *h, const struct breaks_stop *s)
{
    const struct heap_image *m = breaks_data(s->image);
    SCOPED_BUF maps = BUF_INIT, program = BUF_INIT;
    struct maps_line at;
    proc_program(s->pid, &program);
    if (proc_text(s->pid, "maps", &maps, NULL) == 0) {
        const char *text = buf_str(&maps);
        mapped_maps(&h->sampling->sampled.mapped, m->pid, buf_str(&program), text);
        while (maps_next(&text, &at))
            if (at.executable && at.path[0] == '/')
                look_at(h, s, &at);
    }
}

/* --- where calls return to --- */

/* Once is enough, even if it fails; unless they are used up: then again. */
static void reserve_near(const struct heap_run *h, const struct breaks_stop *s, uint64_t address,
                         bool again)
{
    struct heap_image *m = breaks_data(s->image);
    const struct space_map *map = spaces_find(&h->sampling->sampled.mapped.spaces, m->pid, address);
    uint64_t *reserved = map ? imap_at(&m->reserved, map->start) : NULL;
    if (!reserved || (*reserved && !again))
        return;
    *reserved = 1;
    breaks_reserve(s, map->start, map->end, MORE_POINTS);
}

/* Slots that are not near may do, but passing the breakpoint is slower there. */
int heap_set_return(const struct heap_run *h, const struct breaks_stop *s, uint64_t address)
{
    if (breaks_is_set(s->image, address))
        return 0;
    reserve_near(h, s, address, false);
    int r = breaks_set(s->image, address);
    if (r != -ENOSPC)
        return r;
    reserve_near(h, s, address, true);
    return breaks_set(s->image, address);
}
