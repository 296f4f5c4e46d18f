/* Another file with the same code: a debug file, and what several of them share. */
#include "plat/guard.h"
#include "private.h"

#include <errno.h>
#include <string.h>

struct reading {
    struct module *module;
    struct elf_module *of; /* of it, or of its debug file: candidate belongs to it */
    struct elf_module *candidate;
    const struct image *image;
    struct budget *memory;
    bool cached; /* in another tool's cache */
    struct fail f;
};

static int open_candidate(struct reading *r)
{
    int e = elf_open(r->image->data, r->image->len, &r->candidate, &r->f);
    if (e == 0)
        elf_set_budget(r->candidate, r->memory);
    return e;
}

/* Whether it knows what the module itself does not. */
static bool is_useful(struct elf_module *candidate, struct elf_module *own)
{
    return (elf_has_all_names(candidate) && !elf_has_all_names(own)) ||
           (elf_has_lines(candidate) && !elf_has_lines(own));
}

/* perf's cache has copies of the files themselves. */
static bool is_copy(const struct reading *r)
{
    size_t len;
    elf_image(r->of, &len);
    return r->image->len == len;
}

static int open_debug(void *arg)
{
    struct reading *r = arg;
    int e = open_candidate(r);
    if (e == 0)
        e = debugfile_verify(r->of, r->candidate, r->image->data, r->image->len, &r->f);
    return e == 0 && (is_copy(r) || !is_useful(r->candidate, r->of)) ? -ENODATA : e;
}

static int open_alt(void *arg)
{
    struct reading *r = arg;
    int e = open_candidate(r);
    return e ? e : debugfile_verify_alt(r->of, r->candidate, &r->f);
}

/* The file at path, when `open' finds it to be what r asks for: r->candidate. Else -ESTALE and r->f
 * when it is another's, -ENODATA when it would tell nothing. */
static int open_as(struct symbols *s, const char *path, int (*open)(void *), struct reading *r)
{
    struct image image;
    int e = symbols_map_found(r->module, path, r->cached, &image, &r->f);
    if (e < 0)
        return e;
    r->image = &image;
    e = guard_call(open, r, &r->f);
    if (e == 0 && symbols_add_image(s, r->module, &image))
        return 0;
    if (e < 0)
        file_unmap(&image);
    if (e != -EFAULT)
        elf_close(r->candidate);
    return e < 0 ? e : -ENOMEM;
}

static void note_refused(struct module *m, const char *path, int e, const struct fail *f)
{
    if (e == -ESTALE || e == -EFAULT)
        module_set_note(m, "%s %s: not used", path, f->what);
}

static int try_debug(struct symbols *s, struct module *m, const char *path, bool cached,
                     struct fail *f)
{
    struct reading r = {m, .of = m->elf, .memory = symbols_memory_of(s, m), .cached = cached};
    int e = open_as(s, path, open_debug, &r);
    note_refused(m, path, e, &r.f);
    if (e == 0) {
        m->debug = r.candidate;
        m->debug_path = strdup(path);
    }
    *f = r.f;
    return e;
}

void symbols_find_debug(struct symbols *s, struct module *m)
{
    SCOPED(debugfile_paths_release) struct debugfile_paths paths;
    struct fail f;
    const uint8_t *id;
    size_t id_len = elf_build_id(m->elf, &id);
    debugfile_candidates(s->search, m->elf, m->path, &paths);
    symbols_add_cached(s, id, id_len, &paths);
    for (size_t i = 0; i < paths.count && !m->debug; i++)
        if (strcmp(paths.path[i], m->path) != 0)
            try_debug(s, m, paths.path[i], debugfile_is_cached(&paths, i), &f);
}

/* The file with what this one shares with others, when it has such a link. */
static void find_alt(struct symbols *s, struct module *m, struct elf_module *of, const char *path)
{
    const struct debugaltlink *link = of ? elf_debugaltlink(of) : NULL;
    SCOPED(debugfile_paths_release) struct debugfile_paths paths = {0};
    if (m->alt || !link || !path)
        return;
    debugfile_alt_candidates(s->search, of, path, &paths);
    symbols_add_cached(s, link->id, link->id_len, &paths);
    for (size_t i = 0; i < paths.count && !m->alt; i++) {
        struct reading r = {m, .of = of, .memory = symbols_memory_of(s, m)};
        r.cached = debugfile_is_cached(&paths, i);
        int e = open_as(s, paths.path[i], open_alt, &r);
        note_refused(m, paths.path[i], e, &r.f);
        if (e == 0)
            m->alt = r.candidate;
    }
}

void symbols_find_alt(struct symbols *s, struct module *m)
{
    find_alt(s, m, m->debug, m->debug_path);
    find_alt(s, m, m->elf, m->path);
}

int symbols_use_debug(struct symbols *s, struct module *m, const char *path, struct fail *f)
{
    int r = try_debug(s, m, path, false, f);
    if (r == -ENOEXEC)
        return fail_set(f, 0, "%s: not an ELF file", path);
    return r == -ESTALE || r == -EFAULT || r == -ENODATA ? 0 : r;
}

void symbols_debug_paths(const struct symbols *s, const struct module *m, struct buf *out)
{
    SCOPED(debugfile_paths_release) struct debugfile_paths paths = {0};
    if (!m->elf)
        return;
    debugfile_candidates(s->search, m->elf, m->path, &paths);
    for (size_t i = 0; i < paths.count; i++)
        buf_printf(out, "\n    %s", paths.path[i]);
}
