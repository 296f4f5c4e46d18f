/* Symbols that JIT compilers of a process wrote: perf-PID.map, jit-PID.dump. */
#include "core/base/grow.h"
#include "core/elf/symtab.h"
#include "core/symbol/jitdump.h"
#include "core/symbol/perfmap.h"
#include "plat/guard.h"
#include "plat/proc.h"
#include "private.h"

#include <errno.h>

enum { MAX_JITS = 256 };

struct symbols_jit {
    uint32_t pid;
    struct proc_jit map; /* folder -1: none */
    int dump;            /* a handle; -1: none */
    bool missed;         /* its process had ended at the last sweep */
};

/* --- taking hold --- */

static void close_jit(struct symbols_jit *jit)
{
    proc_jit_close(&jit->map);
    proc_held_close(jit->dump);
}

static void add_jit(struct symbols *s, struct symbols_jit *one)
{
    if (!GROW_ADD_WITHIN(s->jit, s->jit_cap, s->jits, MAX_JITS, *one))
        close_jit(one);
}

/* A process has one, whatever number of its memory is asked about. */
static bool has_map(const struct symbols *s, uint32_t pid)
{
    for (size_t i = 0; i < s->jits; i++)
        if (s->jit[i].pid == pid && s->jit[i].dump < 0)
            return true;
    return false;
}

void symbols_need_jit(struct symbols *s, int pid)
{
    struct symbols_jit one = {.pid = (uint32_t)pid, .dump = -1};
    if (!has_map(s, one.pid) && proc_jit_open(pid, &one.map, NULL) == 0)
        add_jit(s, &one);
}

void symbols_need_recorded_jit(struct symbols *s, int pid)
{
    const char *root = s->search->sysroot ? s->search->sysroot : "";
    struct symbols_jit one = {.pid = (uint32_t)pid, .dump = -1};
    if (!has_map(s, one.pid) && proc_jit_recorded(root, pid, &one.map, NULL) == 0)
        add_jit(s, &one);
}

void symbols_need_dump(struct symbols *s, uint32_t pid, const struct proc_mapping *at)
{
    struct symbols_jit one = {.pid = pid, .map.folder = -1, .dump = proc_hold(at, NULL)};
    if (one.dump >= 0)
        add_jit(s, &one);
}

void symbols_need_recorded_dump(struct symbols *s, const struct module *m, int pid)
{
    SCOPED_BUF path = BUF_INIT;
    buf_printf(&path, "%s%s", s->search->sysroot ? s->search->sysroot : "", m->path);
    symbols_need_dump(s, (uint32_t)pid, &(struct proc_mapping){.path = buf_str(&path)});
}

/* --- reading --- */

struct reading {
    size_t *total; /* bytes read of all processes */
    struct jit_code code;
    struct buf *text;
    struct image *dump;
    size_t texts, dumps, text_cap, dump_cap;
    struct symtab *table;
};

/* What is over the limit of all is not read. */
static bool is_within_limit(struct reading *r, struct module *m, size_t bytes)
{
    if (bytes > SYMBOLS_MAX_JIT - *r->total) {
        module_set_note(m,
                        "symbols of JIT compilers are over %d MB: those of process %u are left out",
                        SYMBOLS_MAX_JIT >> 20, m->identity.pid);
        return false;
    }
    *r->total += bytes;
    return true;
}

static void read_map(struct reading *r, struct module *m, const struct proc_jit *from)
{
    if (!grow(&r->text, &r->text_cap, r->texts, sizeof *r->text))
        return;
    struct buf *text = &r->text[r->texts++];
    *text = (struct buf)BUF_INIT;
    int e = proc_jit_read(from, text, NULL);
    if (e == -EPERM)
        module_set_note(
            m, "/tmp/perf-%d.map is owned by neither the process's user nor root: not used",
            from->pid);
    if (e == -EFBIG)
        is_within_limit(r, m, SIZE_MAX);
    if (e == 0 && text->len && !buf_error(text) && is_within_limit(r, m, text->len))
        perfmap_read(text->data, text->len, &r->code);
}

static void read_dump(struct reading *r, struct module *m, int handle)
{
    struct fail f;
    if (!grow(&r->dump, &r->dump_cap, r->dumps, sizeof *r->dump))
        return;
    if (proc_held_image(handle, &r->dump[r->dumps], NULL) < 0)
        return;
    const struct image *image = &r->dump[r->dumps++];
    if (is_within_limit(r, m, image->len) &&
        jitdump_read(image->data, image->len, &r->code, &f) < 0)
        module_set_note(m, "the jitdump file of process %u: %s", m->identity.pid, f.what);
}

struct asking {
    struct symbols *symbols;
    struct module *module;
    struct reading reading;
};

/* What a dump tells counts before what a map does. */
static int read_jits(void *arg)
{
    struct asking *a = arg;
    const struct symbols *s = a->symbols;
    for (int dumps = 0; dumps < 2; dumps++)
        for (size_t i = 0; i < s->jits; i++) {
            const struct symbols_jit *jit = &s->jit[i];
            if (jit->pid != a->module->identity.pid || (jit->dump >= 0) != dumps)
                continue;
            if (dumps)
                read_dump(&a->reading, a->module, jit->dump);
            else
                read_map(&a->reading, a->module, &jit->map);
        }
    if (a->reading.code.count)
        a->reading.table = jit_code_symbols(&a->reading.code);
    return 0;
}

static void release_reading(struct reading *r)
{
    for (size_t i = 0; i < r->texts; i++)
        buf_release(&r->text[i]);
    for (size_t i = 0; i < r->dumps; i++)
        file_unmap(&r->dump[i]);
    free(r->text);
    free(r->dump);
    jit_code_release(&r->code);
}

void symbols_read_jit(struct symbols *s, struct module *m)
{
    struct asking a = {.symbols = s, .module = m, .reading.total = &s->jit_bytes};
    size_t before = s->jit_bytes;
    struct fail f;
    if (guard_call(read_jits, &a, &f) == -EFAULT)
        module_set_note(m, "reading its JIT compiler's symbols %s", f.what);
    struct symtab *table = a.reading.table;
    release_reading(&a.reading);
    m->external.bytes = s->jit_bytes - before;
    if (!table)
        return;
    m->external.symbols = m->external.own = table;
    m->external.source = "jit";
    m->why[0] = '\0';
}

void symbols_renew_jit(struct symbols *s, struct module *m)
{
    if (m->elf || !m->ready || !m->external.own)
        return;
    s->jit_bytes -= m->external.bytes;
    symtab_free(m->external.own);
    m->external = (struct module_external){0};
    m->ready = false;
}

/* Samples of a process that has just ended may still come: it is looked at twice. */
void symbols_sweep_jits(struct symbols *s)
{
    size_t kept = 0;
    for (size_t i = 0; i < s->jits; i++) {
        struct symbols_jit one = s->jit[i];
        bool alive = proc_alive((int)one.pid);
        if (!alive && one.missed) {
            close_jit(&one);
            continue;
        }
        one.missed = !alive;
        s->jit[kept++] = one;
    }
    s->jits = kept;
}

void symbols_release_jits(struct symbols *s)
{
    for (size_t i = 0; i < s->jits; i++)
        close_jit(&s->jit[i]);
    free(s->jit);
}
