#include "core/elf/debugfile.h"

#include "core/base/buf.h"
#include "core/base/grow.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static void add_path(struct debugfile_paths *out, struct buf *path)
{
    if (!grow(&out->path, &out->cap, out->count, sizeof *out->path) || buf_error(path)) {
        out->err = -ENOMEM;
        buf_release(path);
        return;
    }
    out->path[out->count++] = path->data;
    buf_init(path);
}

static size_t dirs_of(const struct debugfile_search *s)
{
    return s->dirs ? s->dirs : 1;
}

static const char *dir_of(const struct debugfile_search *s, size_t i)
{
    return s->dirs ? s->dir[i] : DEBUGFILE_DIR;
}

/* Below the sysroot first, then here. */
static void add_both(const struct debugfile_search *s, const struct buf *path,
                     struct debugfile_paths *out)
{
    struct buf one = BUF_INIT;
    if (s->sysroot) {
        buf_printf(&one, "%s%s%s", s->sysroot, path->data[0] == '/' ? "" : "/", path->data);
        add_path(out, &one);
    }
    buf_adds(&one, path->data);
    add_path(out, &one);
}

static void add_hex(struct buf *path, const uint8_t *id, size_t len)
{
    for (size_t i = 0; i < len && i < 64; i++)
        buf_printf(path, "%02x", id[i]);
}

static void add_build_id(struct buf *path, const char *dir, const uint8_t *id, size_t len)
{
    buf_printf(path, "%s/.build-id/%02x/", dir, id[0]);
    add_hex(path, id + 1, len - 1);
}

static void add_by_id(const struct debugfile_search *s, const uint8_t *id, size_t len,
                      struct debugfile_paths *out)
{
    SCOPED_BUF path = BUF_INIT;
    for (size_t d = 0; d < dirs_of(s) && len > 1; d++) {
        buf_clear(&path);
        add_build_id(&path, dir_of(s, d), id, len);
        buf_adds(&path, ".debug");
        if (!buf_error(&path))
            add_both(s, &path, out);
    }
}

static int folder_len(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (int)(slash - path) : 0;
}

static void add_by_link(const struct debugfile_search *s, const char *name, const char *of,
                        struct debugfile_paths *out)
{
    SCOPED_BUF path = BUF_INIT;
    int len = folder_len(of);
    size_t dirs = s->debuglink_dir ? 1 : dirs_of(s);
    for (size_t i = 0; i < 2 + dirs; i++) {
        buf_clear(&path);
        if (i < 2)
            buf_printf(&path, "%.*s%s/%s", len, of, i ? "/.debug" : "", name);
        else
            buf_printf(&path, "%s%.*s/%s", s->debuglink_dir ? s->debuglink_dir : dir_of(s, i - 2),
                       len, of, name);
        if (!buf_error(&path))
            add_both(s, &path, out);
    }
}

void debugfile_candidates(const struct debugfile_search *s, const struct elf_module *of,
                          const char *path, struct debugfile_paths *out)
{
    const uint8_t *id;
    size_t id_len = elf_build_id(of, &id);
    const struct debuglink *link = elf_debuglink(of);
    *out = (struct debugfile_paths){0};
    add_by_id(s, id, id_len, out);
    if (link && path[0] == '/')
        add_by_link(s, link->name, path, out);
    if (!s->sysroot || path[0] != '/')
        return;
    struct buf own = BUF_INIT;
    buf_printf(&own, "%s%s", s->sysroot, path);
    add_path(out, &own);
}

void debugfile_by_id(const struct debugfile_search *s, const uint8_t *id, size_t id_len,
                     struct debugfile_paths *out)
{
    *out = (struct debugfile_paths){0};
    add_by_id(s, id, id_len, out);
}

static void add_of_perf(const char *dir, const char *name, const uint8_t *id, size_t len,
                        struct debugfile_paths *out)
{
    struct buf path = BUF_INIT;
    add_build_id(&path, dir, id, len);
    buf_printf(&path, "/%s", name);
    add_path(out, &path);
}

void debugfile_cached(const struct debugfile_caches *caches, const uint8_t *id, size_t id_len,
                      struct debugfile_paths *out)
{
    struct buf path = BUF_INIT;
    size_t before = out->count;
    if (id_len < 2)
        return;
    if (caches->debuginfod) {
        buf_printf(&path, "%s/", caches->debuginfod);
        add_hex(&path, id, id_len);
        buf_adds(&path, "/debuginfo");
        add_path(out, &path);
    }
    if (caches->perf) {
        add_of_perf(caches->perf, "debug", id, id_len, out);
        add_of_perf(caches->perf, "elf", id, id_len, out);
    }
    out->cached = out->count - before;
}

void debugfile_alt_candidates(const struct debugfile_search *s, const struct elf_module *of,
                              const char *of_path, struct debugfile_paths *out)
{
    const struct debugaltlink *alt = elf_debugaltlink(of);
    SCOPED_BUF path = BUF_INIT;
    *out = (struct debugfile_paths){0};
    if (!alt)
        return;
    if (alt->path[0] == '/')
        buf_adds(&path, alt->path);
    else
        buf_printf(&path, "%.*s/%s", folder_len(of_path), of_path, alt->path);
    if (!buf_error(&path))
        add_both(s, &path, out);
    add_by_id(s, alt->id, alt->id_len, out);
}

void debugfile_paths_release(struct debugfile_paths *p)
{
    for (size_t i = 0; i < p->count; i++)
        free(p->path[i]);
    free(p->path);
    *p = (struct debugfile_paths){0};
}

enum { SAME, DIFFERENT, UNKNOWN };

static int compare_ids(const struct elf_module *a, const struct elf_module *b)
{
    const uint8_t *id_a, *id_b;
    size_t len_a = elf_build_id(a, &id_a), len_b = elf_build_id(b, &id_b);
    if (!len_a || !len_b)
        return UNKNOWN;
    return len_a == len_b && memcmp(id_a, id_b, len_a) == 0 ? SAME : DIFFERENT;
}

int debugfile_verify_alt(const struct elf_module *of, const struct elf_module *candidate,
                         struct fail *f)
{
    const struct debugaltlink *alt = elf_debugaltlink(of);
    const uint8_t *id;
    size_t len = elf_build_id(candidate, &id);
    if (alt && len && len == alt->id_len && memcmp(id, alt->id, len) == 0)
        return 0;
    return fail_set(f, ESTALE, "is from another build (its build-id differs)");
}

int debugfile_verify(const struct elf_module *of, const struct elf_module *candidate,
                     const uint8_t *bytes, size_t len, struct fail *f)
{
    int same = compare_ids(of, candidate);
    const struct debuglink *link = elf_debuglink(of);
    if (elf_machine(of) != elf_machine(candidate) || elf_bits(of) != elf_bits(candidate))
        return fail_set(f, ESTALE, "is for another machine");
    if (same == DIFFERENT)
        return fail_set(f, ESTALE, "is from another build (its build-id differs)");
    if (same == UNKNOWN && link && (uint32_t)crc32_z(0, bytes, len) != link->crc)
        return fail_set(f, ESTALE, "is from another build (its checksum differs)");
    return 0;
}
