#include "engine/symbols.h"

#include "symbol_lines.h"

#include "core/perfmap.h"
#include "plat/guard.h"
#include "plat/proc.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_JITS = 256, UNLOAD_OVER = 1 << 20 };

struct symbols_jit {
    size_t module;
    struct proc_jit from;
};

void symbols_init(struct symbols *s, const struct debugfile_search *search)
{
    *s = (struct symbols){.search = search};
}

void symbols_release(struct symbols *s)
{
    for (size_t i = 0; i < s->images; i++)
        file_unmap(&s->image[i]);
    for (size_t i = 0; i < s->jits; i++)
        proc_jit_close(&s->jit[i].from);
    symbols_kernel_free(s->kernel);
    free(s->image);
    free(s->jit);
    *s = (struct symbols){0};
}

/* --- bytes --- */

bool symbols_keep(struct symbols *s, struct image *image)
{
    struct image *grown = realloc(s->image, (s->images + 1) * sizeof *grown);
    if (!grown) {
        file_unmap(image);
        return false;
    }
    s->image = grown;
    s->image[s->images++] = *image;
    return true;
}

struct reading {
    struct module *module;
    struct elf_module *of; /* candidate belongs to it */
    struct elf_module *candidate;
    const struct image *image;
    struct fail f;
};

static int set_image(void *arg)
{
    struct reading *r = arg;
    return module_set_image(r->module, r->image->data, r->image->len);
}

static void give(struct symbols *s, struct module *m, struct image *image)
{
    struct reading r = {.module = m, .image = image};
    struct fail f;
    if (!symbols_keep(s, image)) {
        module_set_why(m, "%s", strerror(ENOMEM));
        return;
    }
    if (guard_call(set_image, &r, &f) == -EFAULT) {
        m->elf = NULL;
        module_set_why(m, "reading its file %s", f.what);
    }
}

static void need_jit(struct symbols *s, const struct module *m, int pid)
{
    struct symbols_jit one = {.module = m->id};
    if (s->jits >= MOST_JITS || proc_jit_open(pid, &one.from, NULL) < 0)
        return;
    struct symbols_jit *grown = realloc(s->jit, (s->jits + 1) * sizeof *grown);
    if (!grown) {
        proc_jit_close(&one.from);
        return;
    }
    s->jit = grown;
    s->jit[s->jits++] = one;
}

void symbols_need(struct symbols *s, struct module *m, int pid, uint64_t start, uint64_t end)
{
    struct fail f;
    struct image image;
    struct proc_mapping at = {
        pid, start, end, m->path, m->identity.major, m->identity.minor, m->identity.inode};
    if (m->identity.pid)
        need_jit(s, m, pid);
    if (proc_image(&at, &image, &f) == 0)
        give(s, m, &image);
    else
        module_set_why(m, "%s",
                       f.err == ESTALE ? "the file was replaced since it was mapped"
                                       : strerror(f.err));
}

/* --- a module of a recording --- */

static bool recorded_file(struct symbols *s, struct module *m, const char *path)
{
    struct image image;
    if (file_map_regular(path, &image, NULL) < 0)
        return false;
    give(s, m, &image);
    return m->elf != NULL;
}

static bool recorded_debug(struct symbols *s, struct module *m)
{
    struct debugfile_paths paths;
    debugfile_by_id(s->search, m->identity.build_id, m->identity.build_id_len, &paths);
    for (size_t i = 0; i < paths.count && !m->elf; i++)
        recorded_file(s, m, paths.path[i]);
    debugfile_paths_release(&paths);
    return m->elf != NULL;
}

void symbols_need_recorded(struct symbols *s, struct module *m, bool made_here)
{
    struct buf below = BUF_INIT;
    bool told = m->identity.build_id_len > 0;
    if (!m->file || m->elf)
        return;
    if (s->search->sysroot)
        buf_printf(&below, "%s%s", s->search->sysroot, m->path);
    if (below.len && recorded_file(s, m, buf_str(&below)))
        ;
    else if (!told && !made_here)
        module_set_why(m, "no build-id tells which file it was");
    else if (!recorded_file(s, m, m->path) && !(told && recorded_debug(s, m)))
        module_set_why(m, "no file of its build is here");
    buf_release(&below);
}

void symbols_need_vdso(struct symbols *s, struct module *m, uint64_t start, uint64_t end,
                       bool made_here)
{
    struct image image;
    struct proc_mapping own = {.start = start, .end = end, .path = "[vdso]"};
    bool may_be = made_here || m->identity.build_id_len;
    if (!m->elf && may_be && proc_image(&own, &image, NULL) == 0)
        give(s, m, &image);
    if (!m->elf)
        module_set_why(m, "no image of the vdso");
}

/* --- another file with the same code --- */

static bool has_all_names(struct elf_module *m)
{
    return elf_symbol_source(m) == ELF_SYMBOLS_SYMTAB;
}

/* Whether it knows what the module itself does not. */
static bool useful(struct elf_module *candidate, struct elf_module *own)
{
    return (has_all_names(candidate) && !has_all_names(own)) ||
           (elf_has_lines(candidate) && !elf_has_lines(own));
}

static int open_debug(void *arg)
{
    struct reading *r = arg;
    int e = elf_open(r->image->data, r->image->len, &r->candidate, &r->f);
    if (e == 0)
        e = debugfile_judge(r->of, r->candidate, r->image->data, r->image->len, &r->f);
    return e == 0 && !useful(r->candidate, r->of) ? -ENODATA : e;
}

static int open_alt(void *arg)
{
    struct reading *r = arg;
    int e = elf_open(r->image->data, r->image->len, &r->candidate, &r->f);
    return e ? e : debugfile_judge_alt(r->of, r->candidate, &r->f);
}

/* The file at path, when `open' finds it to be what r asks for: r->candidate. Else -ESTALE and r->f
 * when it is another's, -ENODATA when it would tell nothing. */
static int open_as(struct symbols *s, const char *path, int (*open)(void *), struct reading *r)
{
    struct image image;
    int e = file_map_regular(path, &image, &r->f);
    if (e < 0)
        return e;
    r->image = &image;
    e = guard_call(open, r, &r->f);
    if (e == 0 && symbols_keep(s, &image))
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

static int try_debug(struct symbols *s, struct module *m, const char *path, struct fail *f)
{
    struct reading r = {.of = m->elf};
    int e = open_as(s, path, open_debug, &r);
    note_refused(m, path, e, &r.f);
    if (e == 0) {
        m->debug = r.candidate;
        m->debug_path = strdup(path);
    }
    *f = r.f;
    return e;
}

static void find_debug(struct symbols *s, struct module *m)
{
    struct debugfile_paths paths;
    struct fail f;
    debugfile_candidates(s->search, m->elf, m->path, &paths);
    for (size_t i = 0; i < paths.count && !m->debug; i++)
        if (strcmp(paths.path[i], m->path) != 0)
            try_debug(s, m, paths.path[i], &f);
    debugfile_paths_release(&paths);
}

/* The file with what this one shares with others, when it has such a link. */
static void find_alt(struct symbols *s, struct module *m, struct elf_module *of, const char *path)
{
    struct debugfile_paths paths;
    if (m->alt || !of || !path || !elf_debugaltlink(of))
        return;
    debugfile_alt_candidates(s->search, of, path, &paths);
    for (size_t i = 0; i < paths.count && !m->alt; i++) {
        struct reading r = {.of = of};
        int e = open_as(s, paths.path[i], open_alt, &r);
        note_refused(m, paths.path[i], e, &r.f);
        if (e == 0)
            m->alt = r.candidate;
    }
    debugfile_paths_release(&paths);
}

/* A file of another build is told, and no failure. */
static int use_beside(struct symbols *s, struct module *m, const char *path, struct fail *f)
{
    int r = try_debug(s, m, path, f);
    if (r == -ENOEXEC)
        return fail_set(f, 0, "%s: not an ELF file", path);
    return r == -ESTALE || r == -EFAULT || r == -ENODATA ? 0 : r;
}

int symbols_use_file(struct symbols *s, struct module *m, const char *path, struct fail *f)
{
    struct image image;
    struct fail ignored;
    f = f ? f : &ignored;
    if (m->elf)
        return use_beside(s, m, path, f);
    int r = file_map(path, SIZE_MAX / 2, &image, f);
    if (r < 0)
        return r;
    give(s, m, &image);
    return m->elf ? 0 : fail_set(f, 0, "%s: %s", path, m->why);
}

/* --- symbols --- */

static int build(void *arg)
{
    struct module *m = arg;
    elf_symbols(m->elf);
    return 0;
}

static void unusable(struct module *m, const struct fail *f)
{
    m->elf = m->debug = m->alt = NULL;
    m->crashed = true;
    module_set_why(m, "reading its symbols %s", f->what);
    m->note[0] = '\0'; /* this one matters more */
    module_set_note(m, "%.120s: %.40s: was it rewritten meanwhile?", m->path, f->what);
}

static void read_jit(struct symbols *s, struct module *m)
{
    struct buf text = BUF_INIT;
    struct symtab *told = NULL;
    for (size_t i = 0; i < s->jits && !told; i++) {
        if (s->jit[i].module != m->id || proc_jit_read(&s->jit[i].from, &text, NULL) < 0)
            continue;
        if (text.len && !buf_error(&text))
            told = perfmap_symbols(text.data, text.len);
    }
    if (!told) {
        buf_release(&text);
        return;
    }
    m->told = (struct module_told){.symbols = told, .by = "jit", .own = told, .text = text.data};
    m->why[0] = '\0';
}

static void note_packed(struct module *m)
{
    if (!m->debug && elf_packed_symbols(m->elf))
        module_set_note(m, "%s has its symbols packed in .gnu_debugdata, which is not supported",
                        m->path);
}

/* What was read into a table need not stay in memory: names are read again when they are shown. */
static void unload(struct symbols *s, const struct elf_module *of)
{
    size_t len;
    const uint8_t *bytes = of ? elf_image(of, &len) : NULL;
    for (size_t i = 0; bytes && i < s->images; i++)
        if (s->image[i].data == bytes && len > UNLOAD_OVER)
            file_unload(&s->image[i]);
}

static void ready(struct symbols *s, struct module *m);

void symbols_ready(struct symbols *s, struct module *m)
{
    if (m->ready)
        return;
    m->ready = true;
    ready(s, m);
    unload(s, m->elf);
    unload(s, m->debug);
}

static void ready(struct symbols *s, struct module *m)
{
    struct fail f;
    if (m->kernel)
        symbols_kernel(s, m);
    if (m->identity.pid)
        read_jit(s, m);
    if (!m->elf)
        return;
    if (guard_call(build, m, &f) == -EFAULT) {
        unusable(m, &f);
        return;
    }
    bool symbols = has_all_names(m->elf);
    if (!m->debug && (!symbols || !elf_has_lines(m->elf)))
        find_debug(s, m);
    find_alt(s, m, m->debug, m->debug_path);
    find_alt(s, m, m->elf, m->path);
    if (!symbols)
        note_packed(m);
}

void symbols_places(const struct symbols *s, const struct module *m, struct buf *out)
{
    struct debugfile_paths paths;
    if (!m->elf)
        return;
    debugfile_candidates(s->search, m->elf, m->path, &paths);
    for (size_t i = 0; i < paths.count; i++)
        buf_printf(out, "\n    %s", paths.path[i]);
    debugfile_paths_release(&paths);
}

struct asking {
    struct module *module;
    uint64_t vaddr;
    struct frames *out;
};

static int ask(void *arg)
{
    struct asking *a = arg;
    return module_frames(a->module, a->vaddr, a->out);
}

void symbols_frames(struct symbols *s, struct module *m, uint64_t vaddr, struct frames *out)
{
    struct asking a = {m, vaddr, out};
    struct fail f;
    symbols_ready(s, m);
    symbols_lines(s, m);
    if (guard_call(ask, &a, &f) == -EFAULT) {
        frames_clear(out);
        unusable(m, &f);
    } else {
        symbols_note_missing(m);
        symbols_unload(s, m);
    }
}
