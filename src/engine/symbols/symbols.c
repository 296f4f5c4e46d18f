#include "engine/symbols/symbols.h"

#include "core/symbol/jitdump.h"
#include "core/text/counted.h"
#include "plat/guard.h"
#include "plat/proc.h"
#include "plat/sysfile.h"
#include "private.h"

#include <errno.h>
#include <string.h>

void symbols_init(struct symbols *s, const struct debugfile_search *search)
{
    size_t most = search ? search->most_bytes : 0;
    *s = (struct symbols){.search = search};
    budget_init(&s->memory, most ? most : symbols_memory_limit(sysfile_memory_bytes()));
}

size_t symbols_memory_limit(size_t memory_bytes)
{
    size_t share = memory_bytes / 4;
    return share < SYMBOLS_MEMORY_LEAST  ? SYMBOLS_MEMORY_LEAST
           : share > SYMBOLS_MEMORY_MOST ? SYMBOLS_MEMORY_MOST
                                         : share;
}

struct budget *symbols_memory_of(struct symbols *s, struct module *m)
{
    if (!m->memory.whole)
        budget_share(&m->memory, &s->memory);
    return &m->memory;
}

void symbols_note_memory(struct symbols *s, struct module *m, size_t before)
{
    if (m->memory.denied == before || m->incomplete)
        return;
    m->incomplete = true;
    s->short_of_memory++;
    module_set_note(m,
                    "%.100s: symbols or lines are left out: over its share of the %zu MB for all "
                    "files",
                    m->path, s->memory.limit >> 20);
}

void symbols_release(struct symbols *s)
{
    symbols_release_images(s);
    symbols_release_jits(s);
    symbols_kernel_free(s->kernel);
    *s = (struct symbols){0};
}

/* --- bytes --- */

void symbols_need(struct symbols *s, struct module *m, int pid, uint64_t start, uint64_t end)
{
    struct fail f;
    struct image image;
    struct proc_mapping at = {
        pid, start, end, m->path, m->identity.major, m->identity.minor, m->identity.inode};
    if (m->identity.pid)
        symbols_need_jit(s, pid);
    if (jitdump_is_path(m->path))
        symbols_need_dump(s, (uint32_t)pid, &at);
    else if (proc_image(&at, &image, &f) == 0)
        symbols_set_image(s, m, &image);
    else
        module_set_why(m, "%s",
                       f.err == ESTALE ? "the file was replaced after it was mapped"
                                       : strerror(f.err));
}

int symbols_use_file(struct symbols *s, struct module *m, const char *path, struct fail *f)
{
    struct image image;
    struct fail ignored;
    f = f ? f : &ignored;
    if (m->elf)
        return symbols_use_debug(s, m, path, f);
    int r = file_map_regular(path, &image, f);
    if (r < 0)
        return r;
    symbols_set_image(s, m, &image);
    return m->elf ? 0 : fail_set(f, 0, "%s: %s", path, m->why);
}

/* --- symbols --- */

static int build_symbols(void *arg)
{
    struct module *m = arg;
    elf_symbols(m->elf);
    return 0;
}

void symbols_mark_unusable(struct module *m, const struct fail *f)
{
    m->elf = m->debug = m->alt = NULL;
    m->crashed = true;
    module_set_why(m, "reading its symbols %s", f->what);
    m->note[0] = '\0'; /* this one matters more */
    module_set_note(m, "%.120s: %.40s: it may have been rewritten", m->path, f->what);
}

static void note_packed(struct module *m)
{
    if (!m->debug && elf_packed_symbols(m->elf))
        module_set_note(m, "%s has its symbols packed in .gnu_debugdata, which is not supported",
                        m->path);
}

static void load_symbols(struct symbols *s, struct module *m)
{
    struct fail f;
    if (m->kernel)
        symbols_kernel(s, m);
    if (m->identity.pid)
        symbols_read_jit(s, m);
    if (!m->elf)
        return;
    if (guard_call(build_symbols, m, &f) == -EFAULT) {
        symbols_mark_unusable(m, &f);
        return;
    }
    bool symbols = elf_has_all_names(m->elf);
    if (!m->debug && (!symbols || !elf_has_lines(m->elf)))
        symbols_find_debug(s, m);
    symbols_find_alt(s, m);
    if (!symbols)
        note_packed(m);
}

static void note_left_out(struct module *m)
{
    size_t n = m->elf ? symtab_left_out(elf_symbols(m->elf)) : 0;
    n += m->debug ? symtab_left_out(elf_symbols(m->debug)) : 0;
    if (n)
        module_set_note(m,
                        "%.100s: %s left out: over the limit of %d per file, or of "
                        "the bytes of their names",
                        m->path, counted(n, "symbol").text, SYMTAB_MAX);
}

void symbols_ready(struct symbols *s, struct module *m)
{
    if (m->ready)
        return;
    m->ready = true;
    size_t before = m->memory.denied;
    load_symbols(s, m);
    symbols_note_memory(s, m, before);
    note_left_out(m);
    symbols_unload_read(s, m->elf);
    symbols_unload_read(s, m->debug);
    symbols_unload_images(s);
}

/* --- answers --- */

struct asking {
    struct module *module;
    uint64_t vaddr;
    struct frames *out;
};

/* The symbol's name is in the mapped file. It is read here, so that an error names the file. */
static int ask_frames(void *arg)
{
    struct asking *a = arg;
    int r = module_frames(a->module, a->vaddr, a->out);
    if (r == 0 && a->out->symbol)
        (void)*(const volatile char *)a->out->symbol;
    return r;
}

void symbols_frames(struct symbols *s, struct module *m, uint64_t vaddr, struct frames *out)
{
    struct asking a = {m, vaddr, out};
    struct fail f;
    symbols_ready(s, m);
    symbols_lines(s, m);
    size_t before = m->memory.denied;
    if (guard_call(ask_frames, &a, &f) == -EFAULT) {
        frames_clear(out);
        symbols_mark_unusable(m, &f);
    } else {
        symbols_note_memory(s, m, before);
        symbols_note_missing(m);
        symbols_unload(s, m);
    }
}
