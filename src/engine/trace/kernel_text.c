#include "engine/trace/kernel_text.h"

#include "core/base/hex.h"
#include "core/symbol/kernel_map.h"
#include "plat/host.h"
#include "plat/proc.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <string.h>

/* The names are strings by now. */
static bool has_symbol(const struct kernel_text *k, const char *name)
{
    size_t len = strlen(name);
    const char *at = k->text.data, *end = at + k->text.len, *found;
    while ((found = memmem(at, (size_t)(end - at), name, len + 1)) && found[-1] != ' ')
        at = found + len;
    return found;
}

static void find_bounds(struct kernel_text *k)
{
    struct kernel_map map;
    k->base = has_symbol(k, "_text") ? "_text" : "_stext";
    if (kernel_map_init(k->text.data, k->text.len, NULL, 0, &map) < 0)
        return;
    for (size_t i = 0; i < map.ranges; i++)
        if (strcmp(map.range[i].name, "[kernel]") == 0) {
            k->start = map.range[i].start;
            k->end = map.range[i].end;
        }
    kernel_map_release(&map);
}

static int check_addresses(const struct kernel_text *k, struct fail *f)
{
    if (!k->names.restricted)
        return 0;
    fail_set(f, 0, "/proc/kallsyms: the kernel hides its addresses");
    fail_hint(f, "run as root, with sysctl kernel.kptr_restrict=1 or 0");
    return -EACCES;
}

int kernel_text_read(struct kernel_text *k, struct fail *f)
{
    struct host host;
    *k = (struct kernel_text){.text = BUF_INIT};
    int r = proc_kallsyms(&k->text, f);
    if (r == 0) {
        r = kallsyms_init(k->text.data, k->text.len, &k->names);
        r = r < 0 ? fail_set(f, -r, "/proc/kallsyms") : check_addresses(k, f);
    }
    host_describe(&host);
    k->instruction = host.machine[0] == 'a' ? 4 : 1; /* aarch64, armv7l; x86_64 */
    if (r == 0)
        find_bounds(k);
    else
        kernel_text_release(k);
    return r;
}

void kernel_text_release(struct kernel_text *k)
{
    if (k->names.symbols)
        kallsyms_release(&k->names);
    buf_release(&k->text);
    *k = (struct kernel_text){.text = BUF_INIT};
}

uint64_t kernel_text_last(const struct kernel_text *k, const struct symbol *s)
{
    return s->end - s->start > k->instruction ? s->end - k->instruction : s->start;
}

void kernel_text_place(const struct kernel_text *k, const struct symbol *s, struct buf *out)
{
    size_t len;
    const char *module = kallsyms_module(&k->names, s, &len);
    if (len)
        buf_printf(out, "%.*s:%s", (int)len, module, s->name);
    else
        buf_printf(out, "%s+0x%" PRIx64, k->base, s->start - k->start);
}

/* --- by name: several functions may have it, and a function several names --- */

static bool is_in_module(const struct kernel_text *k, const char *name, const char *module)
{
    size_t len;
    const char *of = kallsyms_module(&k->names, &(struct symbol){.name = name}, &len);
    bool kernel = strcmp(module, "kernel") == 0 || strcmp(module, "vmlinux") == 0;
    return kernel ? !len : strlen(module) == len && memcmp(module, of, len) == 0;
}

/* `ADDRESS T NAME': the address, and false for what is no function. */
static bool read_start(const struct kernel_text *k, const char *name, uint64_t *start)
{
    const char *at = name - 3;
    while (at > k->text.data && isxdigit((unsigned char)at[-1]))
        at--;
    return strchr("tTwW", name[-2]) && hex_read(&at, start) && at == name - 3 && *start;
}

size_t kernel_text_named(const struct kernel_text *k, const char *name, const char *module,
                         uint64_t *start, size_t max)
{
    size_t found = 0, len = strlen(name) + 1;
    const char *at = k->text.data, *end = at + k->text.len;
    for (; found < max && at < end && (at = memmem(at, (size_t)(end - at), name, len)); at += len)
        if (at - k->text.data > 3 && at[-1] == ' ' && (!module || is_in_module(k, at, module)))
            found += read_start(k, at, &start[found]);
    return found;
}
