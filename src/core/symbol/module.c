#include "core/symbol/module.h"

#include "core/base/buf.h"
#include "core/base/bytes.h"
#include "core/base/grow.h"
#include "core/dwarf/lines.h"
#include "core/unwind/cfi.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char deleted_mark[] = " (deleted)";

void module_close(struct module *m)
{
    lines_close(m->lines);
    cfi_free(m->cfi);
    elf_close(m->elf);
    elf_close(m->debug);
    elf_close(m->alt);
    symtab_free(m->external.own);
    m->lines = NULL;
    m->cfi = NULL;
    m->elf = m->debug = m->alt = NULL;
    m->external = (struct module_external){0};
    m->closed = true;
}

void module_free(struct module *m)
{
    module_close(m);
    free(m->debug_path);
    free(m->path);
    free(m);
}

void modules_release(struct modules *t)
{
    for (size_t i = 0; i < t->count; i++)
        module_free(t->module[i]);
    free(t->module);
    imap_release(&t->of_path);
    *t = (struct modules){0};
}

static size_t path_len(const char *path)
{
    size_t len = strlen(path), mark = sizeof deleted_mark - 1;
    return len > mark && strcmp(path + len - mark, deleted_mark) == 0 ? len - mark : len;
}

static bool is_compatible(const struct module_identity *a, const struct module_identity *b)
{
    if (a->inode && b->inode &&
        (a->inode != b->inode || a->major != b->major || a->minor != b->minor))
        return false;
    if (a->pid && b->pid && a->pid != b->pid)
        return false;
    return !a->build_id_len || !b->build_id_len ||
           (a->build_id_len == b->build_id_len &&
            memcmp(a->build_id, b->build_id, a->build_id_len) == 0);
}

static void merge_identity(struct module_identity *have, const struct module_identity *more)
{
    if (!have->inode) {
        have->inode = more->inode;
        have->major = more->major;
        have->minor = more->minor;
    }
    if (!have->build_id_len) {
        memcpy(have->build_id, more->build_id, sizeof have->build_id);
        have->build_id_len = more->build_id_len;
    }
}

static struct module *module_new(const char *path, size_t len, const struct module_identity *id)
{
    struct module *m = calloc(1, sizeof *m);
    if (!m)
        return NULL;
    m->path = strndup(path, len);
    if (!m->path) {
        free(m);
        return NULL;
    }
    const char *slash = strrchr(m->path, '/');
    m->file = path[0] == '/' && strncmp(path, "//", 2) != 0;
    m->name = m->file ? slash + 1 : m->path;
    m->deleted = path[len] != '\0';
    m->identity = *id;
    module_set_why(m, "its file was not read");
    return m;
}

/* FNV-1a; imap has no key of all ones. */
static uint64_t hash_path(const char *path, size_t len)
{
    uint64_t hash = 0xcbf29ce484222325;
    for (size_t i = 0; i < len; i++)
        hash = (hash ^ (uint8_t)path[i]) * 0x100000001b3;
    return hash >> 1;
}

/* Behind those of its hash that are there. */
static bool index_module(struct modules *t, size_t number)
{
    struct module *m = t->module[number];
    uint64_t *first = imap_at(&t->of_path, hash_path(m->path, strlen(m->path)));
    if (!first)
        return false;
    m->next_of_path = 0;
    if (!*first)
        *first = number + 1;
    else
        t->module[t->module[*first - 1]->last_of_path]->next_of_path = number + 1;
    t->module[*first - 1]->last_of_path = number;
    return true;
}

static struct module *append_module(struct modules *t, const char *path, size_t len,
                                    const struct module_identity *id)
{
    if (!grow(&t->module, &t->cap, t->count, sizeof *t->module))
        return NULL;
    struct module *m = module_new(path, len, id);
    if (!m)
        return NULL;
    m->id = t->count;
    t->module[t->count] = m;
    if (!index_module(t, t->count)) {
        module_free(m);
        return NULL;
    }
    t->count++;
    return m;
}

/* Shared memory without a name is a file of its own, which the kernel calls /dev/zero. */
static bool is_unnamed(const char *path)
{
    static const char zero[] = "/dev/zero";
    return path[0] == '\0' || strcmp(path, "//anon") == 0 ||
           (strncmp(path, zero, sizeof zero - 1) == 0 && path_len(path) == sizeof zero - 1);
}

struct module *module_intern(struct modules *t, const char *path, const struct module_identity *id,
                             bool *is_new)
{
    if (is_unnamed(path))
        path = "[anon]";
    size_t len = path_len(path);
    if (is_new)
        *is_new = false;
    for (size_t i = (size_t)imap_get(&t->of_path, hash_path(path, len)); i;
         i = t->module[i - 1]->next_of_path) {
        struct module *m = t->module[i - 1];
        if (strncmp(m->path, path, len) == 0 && m->path[len] == '\0' &&
            is_compatible(&m->identity, id)) {
            merge_identity(&m->identity, id);
            return m;
        }
    }
    struct module *m = append_module(t, path, len, id);
    if (m && is_new)
        *is_new = true;
    return m;
}

struct module *module_append(struct modules *t, const char *path, const struct module_identity *id)
{
    return append_module(t, path, path_len(path), id);
}

/* Where memory ends a module is not found by its path, and one more is made for it. */
void modules_renumber(struct modules *t, const uint32_t *to)
{
    size_t kept = 0, count = t->count;
    imap_release(&t->of_path);
    for (size_t i = 0; i < count; i++)
        if (to[i] != UINT32_MAX) {
            t->module[kept] = t->module[i];
            t->module[kept]->id = kept;
            index_module(t, kept++);
        }
    t->count = kept;
}

int module_set_image(struct module *m, const uint8_t *bytes, size_t len)
{
    struct fail f;
    const uint8_t *id;
    int r = elf_open(bytes, len, &m->elf, &f);
    if (r < 0) {
        module_set_why(m, "%s", f.what);
        return r;
    }
    size_t id_len = elf_build_id(m->elf, &id);
    struct module_identity read = {.build_id_len = id_len <= sizeof read.build_id ? id_len : 0};
    memcpy(read.build_id, id ? id : read.build_id, read.build_id_len);
    if (!is_compatible(&m->identity, &read)) {
        elf_close(m->elf);
        m->elf = NULL;
        module_set_why(m, "the file was replaced after it was mapped");
        return -ESTALE;
    }
    merge_identity(&m->identity, &read);
    m->why[0] = '\0';
    return 0;
}

/* FNV-1a by words of 8 bytes: enough to distinguish builds; not against forgery. */
bool module_sum(const struct module *m, struct module_file *out)
{
    size_t len, at = 0;
    const uint8_t *bytes = m->elf ? elf_image(m->elf, &len) : NULL;
    if (!bytes || len > MODULE_SUM_MOST)
        return false;
    *out = (struct module_file){.bytes = len, .sum = 0xcbf29ce484222325};
    for (; at + 8 <= len; at += 8)
        out->sum = (out->sum ^ get_le64(bytes + at)) * 0x100000001b3;
    for (; at < len; at++)
        out->sum = (out->sum ^ bytes[at]) * 0x100000001b3;
    return true;
}

void module_set_why(struct module *m, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(m->why, sizeof m->why, fmt, ap);
    va_end(ap);
}

void module_set_note(struct module *m, const char *fmt, ...)
{
    va_list ap;
    if (m->note[0])
        return;
    va_start(ap, fmt);
    vsnprintf(m->note, sizeof m->note, fmt, ap);
    va_end(ap);
}

bool module_path_is_private(const char *path)
{
    static const char *const none[] = {"//anon", "[heap]", "[stack", "[anon", "/anon_hugepage"};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
        if (strncmp(path, none[i], strlen(none[i])) == 0)
            return true;
    return is_unnamed(path);
}

void module_owner(const struct module *m, uint32_t pid, struct buf *out)
{
    if (m->identity.pid && m->identity.pid != pid)
        buf_printf(out, " of process %" PRIu32, m->identity.pid);
}

static const struct symtab *own_symbols(const struct module *m)
{
    return m->elf ? elf_symbols(m->elf) : m->external.symbols;
}

static void cut_at_next(const struct symtab *t, uint64_t vaddr, uint64_t *end)
{
    const struct symbol *next = t ? symtab_next(t, vaddr) : NULL;
    if (next && next->start < *end)
        *end = next->start;
}

/* The debug file has no names of stubs, so what it does not cover is looked up in the module; but
 * such a symbol must not reach over one of the debug file's. */
bool module_symbol(const struct module *m, uint64_t vaddr, struct symbol *out)
{
    const struct symtab *debug = m->debug ? elf_symbols(m->debug) : NULL, *own = own_symbols(m);
    const struct symbol *s = debug ? symtab_find(debug, vaddr) : NULL;
    if (s && symbol_is_named(s)) {
        *out = *s;
        return true;
    }
    s = own ? symtab_find(own, vaddr) : NULL;
    if ((!s || !symbol_is_named(s)) && m->elf && m->external.symbols)
        s = symtab_find(m->external.symbols, vaddr);
    if (!s || !symbol_is_named(s))
        return false;
    *out = *s;
    cut_at_next(debug, vaddr, &out->end);
    return true;
}

/* A function without a name is one of which only the extent is known. */
static bool nameless_at(const struct module *m, uint64_t vaddr, uint64_t *start, uint64_t *end)
{
    if (m->elf)
        return elf_function_extent(m->elf, vaddr, start, end);
    const struct symbol *s = m->external.symbols ? symtab_find(m->external.symbols, vaddr) : NULL;
    if (s) {
        *start = s->start;
        *end = s->end;
    }
    return s != NULL;
}

bool module_function_start(const struct module *m, uint64_t vaddr, uint64_t *start)
{
    uint64_t end;
    return nameless_at(m, vaddr, start, &end);
}

bool module_function_extent(const struct module *m, uint64_t vaddr, uint64_t *start, uint64_t *end)
{
    if (!nameless_at(m, vaddr, start, end))
        return false;
    cut_at_next(m->debug ? elf_symbols(m->debug) : NULL, vaddr, end);
    cut_at_next(own_symbols(m), vaddr, end);
    cut_at_next(m->external.symbols, vaddr, end);
    return true;
}

static bool find_named(const struct symtab *t, const char *name, size_t len, struct symbol *out)
{
    const struct symbol *s = t ? symtab_named(t, name, len) : NULL;
    if (s)
        *out = *s;
    return s;
}

bool module_symbol_named(const struct module *m, const char *name, size_t len, struct symbol *out)
{
    return (m->debug && find_named(elf_symbols(m->debug), name, len, out)) ||
           find_named(own_symbols(m), name, len, out);
}

uint64_t module_text(const struct module *m)
{
    uint64_t start = UINT64_MAX, end;
    const struct symtab *t[2] = {m->debug ? elf_symbols(m->debug) : NULL, own_symbols(m)};
    for (size_t i = 0; i < 2; i++)
        if (t[i] && symtab_count(t[i]) && symtab_at(t[i], 0)->start < start)
            start = symtab_at(t[i], 0)->start;
    if (m->external.text_start && !m->elf && !m->debug)
        return m->external.text_start;
    if (start == UINT64_MAX && (!m->elf || !elf_text(m->elf, &start, &end)))
        return 0;
    return start;
}

const char *module_symbol_source(const struct module *m)
{
    static const char *const sources[] = {"none", "dynsym", "symtab"};
    if (m->debug)
        return "debug";
    return m->elf                ? sources[elf_symbol_source(m->elf)]
           : m->external.symbols ? m->external.source
                                 : "none";
}

bool module_jit(const struct module *m)
{
    return m->external.symbols && !m->elf && module_path_is_private(m->path);
}

bool module_vaddr(const struct module *m, uint64_t file_offset, uint64_t *vaddr)
{
    if (!m->kernel && !m->linked && (m->elf || !m->external.symbols))
        return m->elf && elf_vaddr(m->elf, file_offset, vaddr);
    *vaddr = file_offset;
    return !m->linked || file_offset != UINT64_MAX;
}
