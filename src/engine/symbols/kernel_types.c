#include "kernel_types.h"

#include "core/types/btf.h"
#include "plat/file.h"

#include <errno.h>
#include <string.h>

#define OWN_BTF "/sys/kernel/btf/vmlinux"

static int read_btf(const char *path, struct types *out, struct fail *f)
{
    struct buf bytes = BUF_INIT;
    struct fail why;
    int r = file_read(path, BTF_MOST_BYTES, &bytes, f);
    if (r == 0 && (r = btf_read((const uint8_t *)buf_str(&bytes), bytes.len, out, &why)) < 0)
        fail_set(f, 0, "%s: %s", path, why.what);
    out->owned = (uint8_t *)bytes.data;
    return r;
}

static int no_btf(struct fail *f)
{
    fail_set(f, 0, "the kernel does not show its types (" OWN_BTF ")");
    fail_hint(f, "needs CONFIG_DEBUG_INFO_BTF; use --btf with that file of another machine with "
                 "this kernel");
    return -ENOENT;
}

static int open_btf(const char *path, struct types *out, struct fail *f)
{
    int r = read_btf(path ? path : OWN_BTF, out, f);
    return r == -ENOENT && !path ? no_btf(f) : r;
}

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

static int answer_kernel(const struct types_request *r, struct target *t, struct types_answer *out)
{
    for (size_t i = 0; i < r->queries; i++) {
        struct types_query named;
        if (name_address(t, &r->query[i], &named) == 0 &&
            types_answer_name(out, &named, (uint32_t)i) < 0)
            return -ENOMEM;
    }
    return 0;
}

int kernel_types(const struct types_request *r, struct types_answer *out, struct fail *f)
{
    struct target t = {0};
    bool symbols = any_address(r);
    int status = open_btf(r->btf, &out->types, f);
    if (status == 0 && symbols)
        status = target_open(r->want, &t, f);
    if (status == 0 && answer_kernel(r, &t, out) < 0)
        status = fail_set(f, ENOMEM, "types");
    if (symbols)
        target_release(&t);
    return status;
}
