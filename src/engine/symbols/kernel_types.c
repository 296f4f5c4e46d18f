#include "kernel_types.h"

#include "core/base/bytes.h"
#include "core/base/grow.h"
#include "core/types/btf.h"
#include "plat/file.h"
#include "plat/folder.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define BTF_FOLDER "/sys/kernel/btf"
#define OWN_BTF    BTF_FOLDER "/vmlinux"

enum { MAX_MODULES = 4096 };

/* --- files of BTF --- */

/* The kernel's bytes, and behind them a module's, which refer to them. */
struct btf_bytes {
    struct buf bytes;
    size_t base;
};

static int read_file(const char *path, struct btf_bytes *b, struct fail *f)
{
    return file_read(path, BTF_MOST_BYTES, &b->bytes, f);
}

/* Its names stay in the bytes, which become the types'. */
static int parse(const char *path, struct btf_bytes *b, struct types *out, struct fail *f)
{
    const uint8_t *at = (const uint8_t *)buf_str(&b->bytes);
    size_t len = b->bytes.len;
    struct fail why;
    int r = btf_read(at, b->base ? b->base : len, out, &why);
    if (r == 0 && b->base)
        r = btf_read_split(at, b->base, at + b->base, len - b->base, out, &why);
    if (r < 0)
        fail_set(f, 0, "%s: %s", path, why.what);
    out->owned = (uint8_t *)b->bytes.data;
    b->bytes = (struct buf)BUF_INIT;
    return r;
}

/* A module's types, with those of the kernel that it refers to. */
static int read_module(const char *kernel, const char *path, struct types *out, struct fail *f)
{
    struct btf_bytes b = {.bytes = BUF_INIT};
    int r = read_file(kernel, &b, f);
    b.base = b.bytes.len;
    if (r == 0)
        r = read_file(path, &b, f);
    if (r == 0)
        return parse(path, &b, out, f);
    buf_release(&b.bytes);
    return r;
}

static int no_btf(struct fail *f)
{
    fail_set(f, 0, "the kernel does not show its types (" OWN_BTF ")");
    fail_hint(f, "needs CONFIG_DEBUG_INFO_BTF; use --btf with that file of another machine with "
                 "this kernel");
    return -ENOENT;
}

/* The kernel's file in the folder of a module's. */
static void kernel_beside(const char *path, struct buf *out)
{
    const char *slash = strrchr(path, '/');
    buf_add(out, path, slash ? (size_t)(slash - path) + 1 : 0);
    buf_adds(out, "vmlinux");
}

/* A whole BTF file that cannot be read by itself may be a module's. */
static bool may_be_module(const struct types *t, size_t len)
{
    return len > 2 && t->owned &&
           (get_le16(t->owned) == BTF_MAGIC || get_be16(t->owned) == BTF_MAGIC);
}

static int read_beside(const char *path, struct types *out, struct fail *f)
{
    struct buf kernel = BUF_INIT;
    struct types with = {0};
    kernel_beside(path, &kernel);
    int r = strcmp(buf_str(&kernel), path) != 0 ? read_module(buf_str(&kernel), path, &with, NULL)
                                                : -ENOEXEC;
    buf_release(&kernel);
    if (r < 0) {
        types_release(&with);
        fail_hint(f, "a module's needs the kernel's in the same folder, named vmlinux");
        return -ENOEXEC;
    }
    types_release(out);
    *out = with;
    return 0;
}

static int open_btf(const char *path, struct types *out, struct fail *f)
{
    struct btf_bytes b = {.bytes = BUF_INIT};
    int r = read_file(path ? path : OWN_BTF, &b, f);
    size_t len = b.bytes.len;
    if (r == 0)
        r = parse(path ? path : OWN_BTF, &b, out, f);
    buf_release(&b.bytes);
    if (r == -ENOEXEC && path && may_be_module(out, len))
        return read_beside(path, out, f);
    return r == -ENOENT && !path ? no_btf(f) : r;
}

/* --- what is asked --- */

/* An address becomes the name of the function that the kernel has there. */
static int name_address(struct target *t, const struct types_query *q, struct types_query *out)
{
    *out = *q;
    if (!q->by_address)
        return 0;
    const struct symbol *s = kallsyms_find(&t->kernel, q->address - t->slide);
    if (!s)
        return -ENOENT;
    out->name = s->name;
    out->by_address = false;
    return 0;
}

static bool any_address(const struct types_request *r)
{
    for (size_t i = 0; i < r->queries; i++)
        if (r->query[i].by_address)
            return true;
    return false;
}

struct asking {
    const struct types_request *request;
    struct target target;
    struct types_answers *out;
    bool *found; /* of each query */
};

static int answer_queries(struct asking *k, struct types_answer *out)
{
    for (size_t i = 0; i < k->request->queries; i++) {
        struct types_query named;
        if (k->found[i] || name_address(&k->target, &k->request->query[i], &named) < 0)
            continue;
        int r = types_answer_name(out, &named, (uint32_t)i);
        if (r < 0)
            return r;
        k->found[i] = r > 0;
    }
    return 0;
}

/* --- the kernel's modules --- */

static const char *without_keyword(const char *name)
{
    const char *blank = strrchr(name, ' ');
    return blank ? blank + 1 : name;
}

/* Whether a string of the bytes is a name that is still looked for. */
static bool may_have(struct asking *k, const struct buf *bytes)
{
    for (size_t i = 0; i < k->request->queries; i++) {
        struct types_query named;
        if (k->found[i] || name_address(&k->target, &k->request->query[i], &named) < 0)
            continue;
        const char *name = without_keyword(named.name);
        if (memmem(buf_str(bytes), bytes->len, name, strlen(name) + 1))
            return true;
    }
    return false;
}

static struct types_answer *add_answer(struct types_answers *all)
{
    if (!grow(&all->answer, &all->cap, all->count, sizeof *all->answer))
        return NULL;
    all->answer[all->count] = (struct types_answer){0};
    return &all->answer[all->count++];
}

/* A module that cannot be read has nothing. */
static int ask_module(struct asking *k, const char *name)
{
    SCOPED_BUF path = BUF_INIT, bytes = BUF_INIT;
    int r = 0;
    buf_printf(&path, BTF_FOLDER "/%s", name);
    bool may = file_read(buf_str(&path), BTF_MOST_BYTES, &bytes, NULL) == 0 && may_have(k, &bytes);
    struct types_answer *a = may ? add_answer(k->out) : NULL;
    if (may && !a)
        r = -ENOMEM;
    else if (may && read_module(OWN_BTF, buf_str(&path), &a->types, NULL) == 0)
        r = answer_queries(k, a);
    return r;
}

static bool all_found(const struct asking *k)
{
    for (size_t i = 0; i < k->request->queries; i++)
        if (!k->found[i])
            return false;
    return true;
}

static int ask_modules(struct asking *k)
{
    SCOPED_BUF names = BUF_INIT;
    int r = 0;
    if (!all_found(k) && folder_names(BTF_FOLDER, MAX_MODULES, &names, NULL) == 0)
        for (size_t at = 0; at < names.len && r == 0 && !all_found(k);
             at += strlen(names.data + at) + 1)
            if (strcmp(names.data + at, "vmlinux") != 0)
                r = ask_module(k, names.data + at);
    return r;
}

/* --- all --- */

static int answer_all(struct asking *k, struct fail *f)
{
    const struct types_request *r = k->request;
    struct types_answer *kernel = add_answer(k->out);
    if (!kernel || !k->found)
        return fail_set(f, ENOMEM, "types");
    int status = open_btf(r->btf, &kernel->types, f);
    if (status == 0 && any_address(r))
        status = target_open(r->want, &k->target, f);
    if (status < 0)
        return status;
    if (answer_queries(k, kernel) < 0 || (!r->btf && ask_modules(k) < 0))
        return fail_set(f, ENOMEM, "types");
    return 0;
}

int kernel_types(const struct types_request *r, struct types_answers *out, struct fail *f)
{
    struct asking k = {.request = r, .out = out, .found = calloc(r->queries + 1, sizeof *k.found)};
    int status = answer_all(&k, f);
    if (any_address(r))
        target_release(&k.target);
    free(k.found);
    return status;
}
