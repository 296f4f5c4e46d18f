/* The modules of a process: one that runs, one of a core file, one whose maps were saved. */
#include "core/elf/elf.h"
#include "plat/guard.h"
#include "plat/proc.h"
#include "private.h"
#include "target_parts.h"

#include <string.h>

enum { WITHOUT = 1, WITH_HEAD }; /* in the place of inodes, which a core file does not have */
enum { SAVED = 1 /* a process whose number is not known */, MAX_MAPS_TEXT = 256 << 20 };

static void set_process(struct target *t, int pid)
{
    t->process = t->mapped.pid = pid > 0 ? (uint32_t)pid : SAVED;
}

/* --- a process that runs --- */

static void need_image(void *arg, struct module *m, uint32_t pid, uint64_t start, uint64_t end)
{
    struct target *t = arg;
    symbols_need(&t->symbols, m, (int)pid, start, end);
}

static int open_running(struct target *t, struct fail *f)
{
    SCOPED_BUF maps = BUF_INIT, program = BUF_INIT;
    int pid = t->want.pid;
    set_process(t, pid);
    t->mapped.need_image = need_image;
    t->mapped.arg = t;
    int r = proc_text(pid, "maps", &maps, f);
    if (r == 0) {
        proc_program(pid, &program);
        mapped_maps(&t->mapped, (uint32_t)pid, buf_str(&program), buf_str(&maps));
    }
    return r;
}

/* --- saved maps --- */

/* The file that was mapped; else the one of its path: the maps may be another machine's. */
static void need_saved(void *arg, struct module *m, uint32_t pid, uint64_t start, uint64_t end)
{
    struct target *t = arg;
    if (strcmp(m->path, "[vdso]") == 0)
        module_set_why(m, "no copy of the vdso");
    symbols_need_recorded(&t->symbols, m, SYMBOLS_MADE_HERE);
    symbols_need_recorded(&t->symbols, m, SYMBOLS_PATH);
}

static int open_saved(struct target *t, struct fail *f)
{
    SCOPED_BUF maps = BUF_INIT;
    set_process(t, SAVED);
    t->mapped.need_image = need_saved;
    t->mapped.arg = t;
    int r = file_read(t->want.maps, MAX_MAPS_TEXT, &maps, f);
    if (r == 0)
        mapped_maps(&t->mapped, t->process, "", buf_str(&maps));
    if (r == 0 && !t->mapped.modules.count) {
        r = fail_set(f, 0, "%s: has no lines of a /proc/PID/maps with code", t->want.maps);
        fail_hint(f, "save one by `cp /proc/PID/maps FILE' while the process runs");
    }
    return r;
}

/* --- a core file --- */

/* The head of a mapped file, as far as the core file has it. */
struct heading {
    const uint8_t *bytes;
    size_t len;
    struct module_identity id;
    bool found; /* link: the link-time address of the file's first byte */
    uint64_t link;
};

static int read_heading(void *arg)
{
    struct heading *h = arg;
    struct elf_module *elf;
    const uint8_t *id;
    int r = elf_open(h->bytes, h->len, &elf, NULL);
    if (r < 0)
        return r;
    size_t len = elf_build_id(elf, &id);
    h->found = elf_vaddr(elf, 0, &h->link);
    if (len <= sizeof h->id.build_id) {
        memcpy(h->id.build_id, id ? id : h->id.build_id, len);
        h->id.build_id_len = len;
    }
    elf_close(elf);
    return 0;
}

/* Modules whose head is there have link-time addresses: those of a debug file alone are right. A
 * file mapped with its head and again without it is two modules. */
static struct module *add_code(struct target *t, const struct coredump_code *code,
                               const struct heading *h)
{
    struct space_map at = {code->start, code->end, code->file_offset, 0};
    struct module_identity id = h->id;
    id.inode = h->found ? WITH_HEAD : WITHOUT;
    if (h->found)
        at.file_offset = code->start - code->base + h->link;
    mapped_add(&t->mapped, t->process, &at, code->path, &id);
    uint64_t offset;
    struct module *m = mapped_at(&t->mapped, t->process, code->start, &offset);
    if (m && m->file)
        m->linked = h->found;
    return m;
}

static void map_code(struct target *t, const struct coredump_code *code)
{
    uint64_t avail = 0;
    struct heading h = {0};
    h.bytes = code->base ? coredump_memory(&t->core, code->base, &avail) : NULL;
    h.len = (size_t)avail;
    if (h.bytes && guard_call(read_heading, &h, NULL) < 0)
        h.found = false;
    struct module *m = add_code(t, code, &h);
    if (!m || m->elf)
        return;
    if (strcmp(m->path, "[vdso]") == 0 && h.bytes)
        symbols_set_bytes(&t->symbols, m, h.bytes, h.len);
    else
        symbols_need_recorded(&t->symbols, m, SYMBOLS_PATH);
}

static void map_core(struct target *t)
{
    struct coredump_cursor at = {0};
    struct coredump_code code;
    while (coredump_next_code(&t->core, &at, &code))
        map_code(t, &code);
    const struct space_map *main =
        t->core.entry ? spaces_find(&t->mapped.spaces, t->process, t->core.entry) : NULL;
    if (main)
        t->mapped.main_module = main->module;
}

/* The program of the core file, where it is now. */
static int use_program(struct target *t, struct fail *f)
{
    struct module *main = mapped_main(&t->mapped);
    if (!main)
        return fail_set(f, 0, "%s: does not say where its program was", t->want.core);
    if (main->elf)
        return 0;
    return symbols_use_file(&t->symbols, main, t->want.file, f);
}

static int open_core(struct target *t, struct fail *f)
{
    struct fail why;
    int r = file_map_regular(t->want.core, &t->core_image, f);
    if (r == 0)
        r = coredump_open(t->core_image.data, t->core_image.len, &t->core, &why);
    if (r < 0 && t->core_image.data) {
        fail_set(f, 0, "%s: %s", t->want.core, why.what);
        fail_hint(f, "%s", why.hint);
        return r;
    }
    if (r < 0)
        return r;
    set_process(t, t->core.pid);
    map_core(t);
    return t->want.file ? use_program(t, f) : 0;
}

int target_open_process(struct target *t, struct fail *f)
{
    return t->want.core ? open_core(t, f) : t->want.maps ? open_saved(t, f) : open_running(t, f);
}

/* --- doubts --- */

struct target_doubts target_doubts(const struct target *t)
{
    struct target_doubts d = {0};
    for (size_t i = 0; (t->want.core || t->want.maps) && i < t->mapped.modules.count; i++) {
        const struct module *m = t->mapped.modules.module[i];
        bool missing = !m->elf, other = m->by_path;
        if (!m->ready || !m->file || (!missing && !other))
            continue;
        d.missing += missing;
        d.other += !missing;
        d.one_missing = d.one_missing || !missing ? d.one_missing : m;
        d.one_other = d.one_other || missing ? d.one_other : m;
    }
    return d;
}
