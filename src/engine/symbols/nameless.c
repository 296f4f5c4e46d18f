#include "engine/symbols/nameless.h"

#include "core/base/buf.h"
#include "core/base/text.h"
#include "core/elf/debug_package.h"
#include "plat/folder.h"
#include "plat/guard.h"
#include "plat/sysfile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_LISTS = 1 << 16, MAX_SOURCES = 1 << 10, LIST_PART = 64 << 10 };

struct stripped {
    struct module *module;
    uint64_t samples;
    bool has_package;
};

struct nameless {
    struct symbols *symbols;
    const struct sampled *sampled;
    uint64_t *samples; /* without a name, by module */
    uint64_t sum;
    struct stripped of[NAMELESS_MAX_MODULES]; /* most first */
    size_t count;
    struct buf packages;
};

/* --- which modules --- */

static bool is_stripped(struct symbols *s, struct module *m)
{
    if (!m->elf || m->kernel || m->crashed)
        return false;
    symbols_ready(s, m);
    return m->elf && !m->debug && !elf_has_all_names(m->elf);
}

/* Each cell as it is: one place of several threads is looked up several times, which costs less
 * than to sort them. */
static void count_cell(struct nameless *n, const struct sampled_cell *c)
{
    const struct sampled_node *place = sampled_place(n->sampled, c->node);
    struct symbol symbol;
    uint64_t vaddr;
    if (place->module == SAMPLED_OUTSIDE)
        return;
    struct module *m = sampled_module(n->sampled, place->module);
    if (!module_vaddr(m, place->offset, &vaddr) || !is_stripped(n->symbols, m) ||
        module_symbol(m, vaddr, &symbol))
        return;
    n->samples[place->module] += c->samples;
    n->sum += c->samples;
}

static int count_nameless(void *arg)
{
    struct nameless *n = arg;
    for (size_t i = 0; i < n->sampled->cells.count; i++)
        count_cell(n, sampled_cell_at(n->sampled, i));
    return 0;
}

static void add_module(struct nameless *n, struct module *m, uint64_t samples)
{
    size_t at = n->count;
    while (at > 0 && n->of[at - 1].samples < samples)
        at--;
    if (at == NAMELESS_MAX_MODULES)
        return;
    n->count += n->count < NAMELESS_MAX_MODULES;
    for (size_t i = n->count - 1; i > at; i--)
        n->of[i] = n->of[i - 1];
    n->of[at] = (struct stripped){.module = m, .samples = samples};
}

static void choose_modules(struct nameless *n)
{
    const struct modules *modules = &n->sampled->mapped.modules;
    uint64_t all = n->sampled->count.samples;
    if (n->sum == 0 || n->sum <= all * NAMELESS_REPORTED_PCT / 100)
        return;
    for (size_t i = 0; i < modules->count; i++)
        if (n->samples[i] && n->samples[i] >= n->sum / 10)
            add_module(n, modules->module[i], n->samples[i]);
}

/* --- their packages --- */

/* Its path names a file of this system, which dpkg may have put there. */
static bool is_of_this_system(const struct nameless *n, const struct module *m)
{
    const struct debugfile_search *search = n->symbols->search;
    return m->path[0] == '/' && !m->deleted && !m->replaced && !(search && search->sysroot);
}

static size_t count_without_package(const struct nameless *n)
{
    size_t without = 0;
    for (size_t i = 0; i < n->count; i++)
        without += !n->of[i].has_package && is_of_this_system(n, n->of[i].module);
    return without;
}

static void ask_part(struct nameless *n, const char *part, size_t len)
{
    for (size_t i = 0; i < n->count; i++) {
        struct stripped *s = &n->of[i];
        if (!s->has_package && is_of_this_system(n, s->module))
            s->has_package = debug_package_owns(part, len, s->module->path);
    }
}

/* A list may have megabytes: a part of it is in memory, whole lines. */
static void ask_parts(struct nameless *n, int list, struct buf *part)
{
    long got;
    for (uint64_t at = 0;
         buf_reserve(part, LIST_PART) &&
         (got = folder_read(list, at, part->data + part->len, LIST_PART, NULL)) > 0;
         at += (uint64_t)got) {
        buf_commit(part, (size_t)got);
        const char *end = memrchr(part->data, '\n', part->len);
        size_t whole = end ? (size_t)(end - part->data) + 1 : part->len;
        ask_part(n, part->data, whole);
        buf_drop(part, whole);
    }
    ask_part(n, buf_str(part), part->len);
}

static void ask_list(struct nameless *n, const char *name)
{
    SCOPED_BUF path = BUF_INIT, part = BUF_INIT;
    size_t without = count_without_package(n);
    buf_printf(&path, DEBUG_PACKAGE_LISTS "/%s", name);
    int list = sysfile_open(buf_str(&path), NULL);
    if (list >= 0) {
        ask_parts(n, list, &part);
        folder_close(list);
    }
    buf_clear(&part);
    if (count_without_package(n) < without && debug_package_name(name, &part))
        buf_printf(&n->packages, " %s", buf_str(&part));
}

/* The text of DIR/NAME; empty when it cannot be read. */
static void read_below(const char *dir, const char *name, struct buf *text)
{
    SCOPED_BUF path = BUF_INIT;
    buf_clear(text);
    buf_printf(&path, "%s/%s", dir, name);
    sysfile_text(buf_str(&path), text, NULL);
}

static void find_packages(struct nameless *n)
{
    SCOPED_BUF names = BUF_INIT;
    if (count_without_package(n) && sysfile_names(DEBUG_PACKAGE_LISTS, MAX_LISTS, &names, NULL) < 0)
        buf_clear(&names);
    for (size_t at = 0; at < names.len && count_without_package(n);
         at += strlen(names.data + at) + 1) {
        const char *name = names.data + at;
        if (text_ends(name, ".list"))
            ask_list(n, name);
    }
}

static bool has_source(const struct debug_source *source)
{
    static const char dir[] = "/etc/apt/sources.list.d";
    SCOPED_BUF names = BUF_INIT, text = BUF_INIT;
    read_below("/etc/apt", "sources.list", &text);
    bool found = debug_package_listed(buf_str(&text), text.len, source);
    if (sysfile_names(dir, MAX_SOURCES, &names, NULL) < 0)
        buf_clear(&names);
    for (size_t at = 0; at < names.len && !found; at += strlen(names.data + at) + 1) {
        if (!text_ends(names.data + at, ".list") && !text_ends(names.data + at, ".sources"))
            continue;
        read_below(dir, names.data + at, &text);
        found = debug_package_listed(buf_str(&text), text.len, source);
    }
    return found;
}

/* --- in words --- */

/* Files of one name, as the compilers of several processors, are named once. */
static bool is_named_before(const struct nameless *n, size_t module)
{
    for (size_t i = 0; i < module; i++)
        if (strcmp(n->of[i].module->name, n->of[module].module->name) == 0)
            return true;
    return false;
}

static void say_why(const struct nameless *n, struct buf *why)
{
    buf_printf(why, "%.1f%% of the samples are in functions without names; stripped:",
               100.0 * (double)n->sum / (double)n->sampled->count.samples);
    for (size_t i = 0; i < n->count; i++)
        if (!is_named_before(n, i))
            buf_printf(why, "%s %s", i ? "," : "", n->of[i].module->name);
}

static void hint_packages(const struct nameless *n, struct buf *hint)
{
    SCOPED_BUF release = BUF_INIT;
    struct debug_source source;
    buf_printf(hint, "apt install%s", buf_str(&n->packages));
    read_below("/etc", "os-release", &release);
    if (debug_package_source(buf_str(&release), release.len, &source) && !has_source(&source))
        buf_printf(hint, "\n    from the apt source: %s", source.words);
}

/* No package is known: where the debug file of the first would be found. */
static void hint_file(const struct nameless *n, struct buf *hint)
{
    const struct module *m = n->of[0].module;
    SCOPED(debugfile_paths_release) struct debugfile_paths paths = {0};
    const uint8_t *id;
    size_t len = elf_build_id(m->elf, &id);
    if (n->symbols->search && len)
        debugfile_by_id(n->symbols->search, id, len, &paths);
    if (paths.count)
        buf_printf(hint, "the debug file of %s is looked for at\n    %s", m->name, paths.path[0]);
    else
        buf_printf(hint, "build %s without -s, and do not strip it", m->name);
}

int symbols_nameless(struct symbols *s, const struct sampled *sampled, struct buf *why,
                     struct buf *hint)
{
    struct nameless n = {.symbols = s, .sampled = sampled, .packages = BUF_INIT};
    n.samples = calloc(sampled->mapped.modules.count + 1, sizeof *n.samples);
    int r = n.samples ? guard_call(count_nameless, &n, NULL) : -ENOMEM;
    if (r == 0)
        choose_modules(&n);
    if (n.count) {
        say_why(&n, why);
        find_packages(&n);
        if (n.packages.len)
            hint_packages(&n, hint);
        else
            hint_file(&n, hint);
    }
    buf_release(&n.packages);
    free(n.samples);
    return r == -ENOMEM ? r : 0;
}
