/* The debug information of a module: in its debug file, else in itself; and the files it names. */
#include "private.h"

#include "core/base/buf.h"
#include "core/dwarf/lines.h"
#include "plat/guard.h"
#include "plat/sysfile.h"

#include <errno.h>

/* Files of at least so many bytes are unloaded when so much is resident; looked at when so many
 * bytes were read since. */
enum { BIG = 16 << 20, MAX_RESIDENT = 64 << 20, LOOK_EVERY = 16 << 20 };

size_t symbols_lines_limit(uint64_t free_bytes)
{
    uint64_t share = free_bytes / SYMBOLS_LINES_SHARE;
    if (free_bytes == UINT64_MAX)
        return SYMBOLS_LINES_UNKNOWN;
    return share < SYMBOLS_LINES_LEAST  ? SYMBOLS_LINES_LEAST
           : share > SYMBOLS_LINES_MOST ? SYMBOLS_LINES_MOST
                                        : (size_t)share;
}

struct opening {
    struct symbols *symbols;
    struct module *module;
    struct fail *f;
};

static const struct elf_module *elf_with_lines(const struct module *m)
{
    if (m->debug && elf_has_lines(m->debug))
        return m->debug;
    return m->elf && elf_has_lines(m->elf) ? m->elf : NULL;
}

/* The bytes of a file of the target's, below the sysroot first; ours until symbols_release. */
static bool target_file(struct symbols *s, const char *path, struct image *image)
{
    SCOPED_BUF below = BUF_INIT;
    int r = -ENOENT;
    if (s->search->sysroot) {
        buf_printf(&below, "%s/%s", s->search->sysroot, path);
        r = file_map_regular(buf_str(&below), image, NULL);
    }
    if (r < 0)
        r = file_map_regular(path, image, NULL);
    return r == 0 && symbols_add_image(s, NULL, image);
}

static bool split_file(void *arg, const char *path, const uint8_t **bytes, size_t *len)
{
    struct image image;
    if (!target_file(arg, path, &image))
        return false;
    *bytes = image.data;
    *len = image.len;
    return true;
}

static void use_package(struct symbols *s, struct module *m)
{
    SCOPED_BUF path = BUF_INIT;
    struct image image;
    buf_printf(&path, "%s%s", s->package ? s->package : m->path, s->package ? "" : ".dwp");
    if (target_file(s, buf_str(&path), &image))
        lines_set_package(m->lines, image.data, image.len, NULL);
    else if (s->package)
        module_set_note(m, "%s: no such debug package", s->package);
}

static void use_supplement(struct module *m)
{
    size_t len;
    const uint8_t *bytes = m->alt ? elf_image(m->alt, &len) : NULL;
    struct lines_link link;
    struct fail f;
    if (!lines_supplement(m->lines, &link))
        return;
    if (!bytes)
        module_set_note(m, "%s: names are missing: they are in %s, which was not found", m->path,
                        link.path);
    else if (lines_set_supplement(m->lines, bytes, len, &f) < 0)
        module_set_note(m, "%.60s: names are missing: %.40s: %s", m->path, link.path, f.what);
}

static int open_lines(void *arg)
{
    struct opening *o = arg;
    struct module *m = o->module;
    const struct elf_module *of = elf_with_lines(m);
    size_t len = 0;
    const uint8_t *bytes = of ? elf_image(of, &len) : NULL;
    int r =
        of ? lines_open(bytes, len, symbols_memory_of(o->symbols, m), &m->lines, o->f) : -ENODATA;
    if (r < 0)
        return r;
    lines_limit(m->lines, symbols_lines_limit(sysfile_free_bytes()));
    if (o->symbols->relative_paths)
        lines_relative_paths(m->lines);
    lines_set_split(m->lines, split_file, o->symbols);
    use_supplement(m);
    use_package(o->symbols, m);
    return 0;
}

void symbols_lines(struct symbols *s, struct module *m)
{
    struct fail f, crash;
    struct opening o = {s, m, &f};
    if (m->lines_asked)
        return;
    m->lines_asked = true;
    size_t before = m->memory.denied;
    int r = guard_call(open_lines, &o, &crash);
    if (r == -EFAULT) {
        m->lines = NULL;
        module_set_note(m, "%s: reading its debug information %s", m->path, crash.what);
    } else if (r < 0 && r != -ENODATA && m->memory.denied == before)
        module_set_note(m, "%.100s: %s%s", m->path, f.what, r == -ENOMEM ? ": out of memory" : "");
    symbols_note_memory(s, m, before);
}

void symbols_note_missing(struct module *m)
{
    const char *path = NULL;
    struct fail f;
    size_t missing = m->lines ? lines_missing(m->lines, &path) : 0;
    if (missing)
        module_set_note(m, "%s: functions are missing: %s%s was not found", m->path, path,
                        missing > 1 ? ", among others," : "");
    if (m->lines && dwarf_left_out_any(lines_left_out(m->lines))) {
        dwarf_left_out_text(lines_left_out(m->lines), &f);
        module_set_note(m, "%.100s: %s", m->path, f.what);
    }
}

static bool any_big(const struct symbols *s)
{
    for (size_t i = 0; i < s->images; i++)
        if (s->image[i].image.len >= BIG)
            return true;
    return false;
}

void symbols_unload(struct symbols *s, struct module *m)
{
    uint64_t touched = m->lines ? lines_touched(m->lines) : 0;
    s->touched += touched - m->lines_touched;
    m->lines_touched = touched;
    if (s->touched < LOOK_EVERY)
        return;
    s->touched = 0;
    if (!any_big(s) || file_resident() < MAX_RESIDENT)
        return;
    for (size_t i = 0; i < s->images; i++)
        if (s->image[i].image.len >= BIG)
            file_drop_pages(&s->image[i].image);
}
