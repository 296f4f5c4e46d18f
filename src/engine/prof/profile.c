/* A profile opened: the file, its modules, the names of its functions. */
#include "engine/prof/profile.h"

#include "core/prof/report.h"
#include "core/symbol/demangle.h"
#include "plat/guard.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- the file --- */

struct reading {
    const struct image *image;
    struct prof_tree *tree;
    struct fail *f;
};

static int read_tree(void *arg)
{
    struct reading *r = arg;
    return prof_read(r->image->data, r->image->len, r->tree, r->f);
}

/* A file given by mistake is named as what it is. Nothing, of a named program, is Plan 9's
 * profile without a node. */
static int check_image(const struct image *image, const char *program, struct fail *f)
{
    if (image->len >= 4 && memcmp(image->data, "\177ELF", 4) == 0)
        return fail_set(f, 0, "is a program, not a profile");
    if (prof_is_unbegun(image->data, image->len) && (image->len || !program))
        return fail_set(f, 0, "empty: the program ended before recording began");
    return 0;
}

static int read_bytes(struct profile *p, const struct image *image, struct fail *f)
{
    struct fail crash;
    struct reading r = {image, &p->tree, f};
    int e = check_image(image, p->want.program, f);
    if (e < 0)
        return e;
    e = guard_call(read_tree, &r, &crash);
    if (e == -EFAULT) {
        prof_tree_init(&p->tree);
        return fail_set(f, 0, "reading it %s: it may have been truncated", crash.what);
    }
    return e;
}

static int read_file(struct profile *p, struct fail *f)
{
    struct image image;
    struct fail why;
    int r = file_input(p->want.path, SIZE_MAX / 2, &image, f);
    if (r < 0)
        return r;
    r = read_bytes(p, &image, &why);
    file_unmap(&image);
    return r < 0 ? fail_set(f, why.err, "%s: %s", p->want.path, why.what) : 0;
}

bool profile_is_ours(const char *path)
{
    struct image image;
    if (file_map_regular(path, &image, NULL) < 0)
        return false;
    bool is = prof_is_v2(image.data, image.len) || prof_is_unbegun(image.data, image.len);
    file_unmap(&image);
    return is;
}

/* --- the program named by the user --- */

static int use_program(struct profile *p, const char *path, struct module **out, struct fail *f)
{
    struct module_identity any = {0};
    struct fail why;
    *out = module_append(&p->modules, path, &any);
    if (!*out)
        return fail_set(f, ENOMEM, "%s", path);
    int r = symbols_use_file(&p->symbols, *out, path, &why);
    (*out)->linked = true;
    if (r < 0 && why.err)
        return fail_set(f, why.err, "%s", path);
    if (r == 0)
        return 0;
    r = fail_set(f, 0, "%s: text file not an a.out", path);
    fail_hint(f, "name the program that was profiled: psuite prof PROGRAM %s", p->want.path);
    return r;
}

static int use_default(struct profile *p, struct module **out, struct fail *f)
{
    int r = use_program(p, p->want.defaults[0], out, f);
    if (r == -ENOENT && use_program(p, p->want.defaults[1], out, NULL) == 0)
        return 0;
    if (r == -ENOENT)
        fail_hint(f, "name the program that was profiled: prof PROGRAM %s", p->want.path);
    return r;
}

static bool is_module(const struct module *m, const struct prof_module *of)
{
    return m->identity.build_id_len == of->build_id_bytes &&
           memcmp(m->identity.build_id, of->build_id, of->build_id_bytes) == 0;
}

/* By their build-ids; without one it can only be the program itself. */
static int find_module(const struct profile *p, const struct module *m, size_t *out)
{
    bool has_id = m->identity.build_id_len > 0;
    for (size_t i = 0; i < (has_id ? p->tree.modules : p->tree.modules > 0); i++)
        if (is_module(m, &p->tree.module[i])) {
            *out = i;
            return 0;
        }
    return -ENOENT;
}

static void add_id(const uint8_t *id, size_t len, struct buf *out)
{
    buf_adds(out, len ? "" : "none");
    for (size_t i = 0; i < len; i++)
        buf_printf(out, "%02x", id[i]);
}

static int wrong_build(const struct profile *p, const struct module *m, struct fail *f)
{
    SCOPED_BUF own = BUF_INIT, its = BUF_INIT;
    const struct prof_module *of = p->tree.modules ? &p->tree.module[0] : NULL;
    add_id(m->identity.build_id, m->identity.build_id_len, &its);
    if (of)
        add_id(of->build_id, of->build_id_bytes, &own);
    fail_set(f, 0, "%s: not the build that was profiled (build-id %s, the profile has %s)",
             p->want.program, buf_str(&its), of ? buf_str(&own) : "no module");
    if (of && *of->path)
        fail_hint(f, "the profile is of %s", of->path);
    return -EINVAL;
}

static bool wrong_machine(const struct profile *p, const struct module *m)
{
    return p->tree.about.machine && m->elf && elf_machine(m->elf) != p->tree.about.machine;
}

static int match_program(struct profile *p, struct fail *f)
{
    struct module *m;
    size_t i;
    int r = p->want.program ? use_program(p, p->want.program, &m, f) : use_default(p, &m, f);
    if (r < 0)
        return r;
    if (wrong_machine(p, m))
        return fail_set(f, 0, "%s: built for another processor than the profile", p->want.program);
    if (p->tree.about.version == 1)
        i = 0;
    else if (find_module(p, m, &i) < 0)
        return wrong_build(p, m, f);
    if (i < p->tree.modules)
        p->module_of[i] = m;
    return 0;
}

/* --- modules and names --- */

static struct module *add_recorded(struct profile *p, const struct prof_module *of)
{
    struct module_identity id = {.build_id_len = of->build_id_bytes};
    memcpy(id.build_id, of->build_id, sizeof id.build_id);
    struct module *m = module_append(&p->modules, *of->path ? of->path : "[unknown]", &id);
    if (!m)
        return NULL;
    m->linked = true;
    symbols_need_recorded(&p->symbols, m, SYMBOLS_MADE_HERE);
    if (wrong_machine(p, m)) {
        elf_close(m->elf);
        m->elf = NULL;
        module_set_why(m, "the file at its path is for another processor");
    }
    return m;
}

static struct module *module_at(struct profile *p, uint32_t i)
{
    if (!p->module_of[i])
        p->module_of[i] = add_recorded(p, &p->tree.module[i]);
    if (p->module_of[i])
        symbols_ready(&p->symbols, p->module_of[i]);
    return p->module_of[i];
}

static void find_lines(struct profile *p, struct module *m, uint64_t address,
                       struct prof_found *out)
{
    SCOPED(frames_release) struct frames frames = {0};
    symbols_frames(&p->symbols, m, address, &frames);
    if (frames.count) {
        const struct frame *own = &frames.frame[frames.count - 1];
        out->file = own->file;
        out->line = own->line;
    }
}

static void find_function(void *arg, uint32_t module, uint64_t address, struct prof_found *out)
{
    struct profile *p = arg;
    struct module *m = module_at(p, module);
    struct symbol s;
    if (!m)
        return;
    if (p->want.lines)
        find_lines(p, m, address, out);
    if (module_symbol(m, address, &s)) {
        out->symbol = s.name;
        out->start = s.start;
    }
}

struct naming {
    struct profile *profile;
    struct demangler names;
};

static int make_names(void *arg)
{
    struct naming *n = arg;
    struct prof_naming by = {.find = find_function, .arg = n->profile, .names = &n->names};
    return prof_names_make(&n->profile->tree, &by, &n->profile->names);
}

static int name_all(struct profile *p, struct fail *f)
{
    struct fail crash;
    struct naming n = {.profile = p, .names = {.off = p->want.no_demangle}};
    int r = guard_call(make_names, &n, &crash);
    demangler_release(&n.names);
    if (r == -EFAULT)
        return fail_set(f, 0, "names: %s: a program may have been rewritten", crash.what);
    return r < 0 ? fail_set(f, -r, "names") : 0;
}

static int open_all(struct profile *p, struct fail *f)
{
    int r = read_file(p, f);
    if (r < 0)
        return r;
    p->module_of = calloc(p->tree.modules + 1, sizeof *p->module_of);
    if (!p->module_of || (p->want.raw && prof_tree_settle(&p->tree, true) < 0))
        return fail_set(f, ENOMEM, "%s", p->want.path);
    if (p->want.program || p->tree.about.version == 1)
        r = match_program(p, f);
    return r < 0 ? r : name_all(p, f);
}

int profile_open(const struct profile_want *want, struct profile *p, struct fail *f)
{
    SCOPED_BUF method = BUF_INIT;
    *p = (struct profile){.want = *want};
    prof_tree_init(&p->tree);
    symbols_init(&p->symbols, &p->want.search);
    int r = open_all(p, f);
    prof_method(&p->tree, want->raw, &method);
    snprintf(p->method, sizeof p->method, "%s", buf_str(&method));
    return r;
}

void profile_release(struct profile *p)
{
    prof_names_release(&p->names);
    prof_tree_release(&p->tree);
    modules_release(&p->modules);
    symbols_release(&p->symbols);
    free(p->module_of);
    *p = (struct profile){0};
}
