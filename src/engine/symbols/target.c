#include "engine/symbols/target.h"

#include "plat/guard.h"
#include "plat/proc.h"
#include "target_parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_MAP_TEXT = 256 << 20 };

/* --- opening --- */

/* The path that the file has on its own system. */
static void own_path(const struct target *t, const char *file, struct buf *out)
{
    SCOPED_BUF root = BUF_INIT;
    file_realpath(file, out);
    if (t->want.search.sysroot)
        file_realpath(t->want.search.sysroot, &root);
    if (root.len > 1 && out->len > root.len && out->data[root.len] == '/' &&
        memcmp(out->data, root.data, root.len) == 0) {
        memmove(out->data, out->data + root.len, out->len - root.len + 1);
        out->len -= root.len;
    }
}

static int intern_file(struct target *t, const char *file, struct fail *f)
{
    SCOPED_BUF path = BUF_INIT;
    struct module_identity any = {0};
    own_path(t, file, &path);
    t->file = module_intern(&t->mapped.modules, buf_str(&path), &any, NULL);
    int r = t->file && !buf_error(&path) ? symbols_use_file(&t->symbols, t->file, file, f)
                                         : fail_set(f, ENOMEM, "%s", file);
    if (r == 0)
        symbols_ready(&t->symbols, t->file);
    return r;
}

/* As it is named, else below the sysroot. */
static int open_file(struct target *t, const char *file, struct fail *f)
{
    int r = intern_file(t, file, f);
    if (r != -ENOENT || !t->want.search.sysroot)
        return r;
    SCOPED_BUF below = BUF_INIT;
    buf_printf(&below, "%s/%s", t->want.search.sysroot, file);
    if (intern_file(t, buf_str(&below), NULL) == 0)
        r = 0;
    return r;
}

static int read_llvm(void *arg)
{
    struct target *t = arg;
    size_t len;
    const uint8_t *image = elf_image(t->file->elf, &len);
    t->llvm = llvm_symbols_new(image, len, t->want.llvm.tagged);
    return 0;
}

static void use_llvm(struct target *t)
{
    t->frames.want = t->want.llvm.names;
    if (t->want.llvm.rules && t->file && t->file->elf && guard_call(read_llvm, t, NULL) == 0)
        t->frames.llvm = t->llvm;
}

static int parse_kernel(struct target *t, const char *from, struct fail *f)
{
    int r = buf_error(&t->text);
    if (r == 0 && !t->text.len)
        r = -ENOEXEC;
    if (r == 0)
        r = kallsyms_init(t->text.data, t->text.len, &t->kernel);
    if (r == -ENOEXEC) {
        fail_set(f, 0, "%s: has no symbols", from);
        fail_hint(f, "use a System.map or a saved /proc/kallsyms");
        return -ENOEXEC;
    }
    if (r < 0)
        return fail_set(f, -r, "%s", from);
    if (!t->kernel.restricted)
        return 0;
    fail_set(f, 0, "%s: the kernel hides its addresses", from);
    fail_hint(f, "run as root, with sysctl kernel.kptr_restrict=1 or 0; or use --system-map or "
                 "--vmlinux");
    return -EPERM;
}

static uint64_t kernel_text(const struct target *t)
{
    uint64_t start = t->kernel.start, end;
    if (t->file && t->file->elf)
        elf_text(t->file->elf, &start, &end);
    return start;
}

static int open_kernel(struct target *t, struct fail *f)
{
    int r;
    const char *map = t->want.system_map;
    if (t->want.vmlinux) {
        r = open_file(t, t->want.vmlinux, f);
    } else {
        r = map ? file_read(map, MAX_MAP_TEXT, &t->text, f) : proc_kallsyms(&t->text, f);
        if (r == 0)
            r = parse_kernel(t, map ? map : "/proc/kallsyms", f);
    }
    if (r == 0 && t->want.has_base)
        t->slide = t->want.base - kernel_text(t);
    return r;
}

struct finding {
    struct target *target;
    uint64_t start;
};

static int find_section(void *arg)
{
    struct finding *s = arg;
    struct elf_module *reopened = NULL; /* the module's own gave up its sections with its symbols */
    size_t len;
    const uint8_t *image = elf_image(s->target->file->elf, &len);
    int r = elf_open(image, len, &reopened, NULL);
    if (r == 0 && !elf_section_start(reopened, s->target->want.section, &s->start))
        r = -ENOENT;
    elf_close(reopened);
    return r;
}

static int use_section(struct target *t, struct fail *f)
{
    struct finding s = {.target = t};
    if (!t->file->elf || guard_call(find_section, &s, NULL) < 0)
        return fail_set(f, 0, "%s: no section %s", t->want.file, t->want.section);
    t->slide -= s.start;
    return 0;
}

int target_open(const struct target_want *want, struct target *t, struct fail *f)
{
    *t = (struct target){.want = *want};
    mapped_init(&t->mapped, 0);
    symbols_init(&t->symbols, &t->want.search);
    t->symbols.package = t->want.llvm.package;
    t->symbols.relative_paths = t->want.llvm.relative_paths;
    if (want->kernel)
        return open_kernel(t, f);
    if (want->pid || want->core || want->maps)
        return target_open_process(t, f);
    if (want->has_base)
        t->slide = want->base;
    int r = open_file(t, want->file, f);
    if (r == 0 && want->section)
        r = use_section(t, f);
    if (r == 0)
        use_llvm(t);
    return r;
}

void target_release(struct target *t)
{
    frames_release(&t->frames);
    llvm_symbols_free(t->llvm);
    kallsyms_release(&t->kernel);
    buf_release(&t->text);
    mapped_release(&t->mapped);
    symbols_release(&t->symbols);
    coredump_release(&t->core);
    file_unmap(&t->core_image);
}

/* --- asking --- */

static void start_answer(struct target *t, uint64_t address, struct answer *out)
{
    frames_clear(&t->frames);
    *out = (struct answer){.address = address, .vaddr = address, .bits = 64, .frames = &t->frames};
}

/* "[vdso]" goes without its brackets, which the answer puts around each. */
static void name_module(const struct module *m, struct answer *out)
{
    bool bracketed = m->name[0] == '[';
    out->module = module_jit(m) ? "JIT" : m->name + bracketed;
    out->module_len = module_jit(m) ? 3 : strlen(m->name) - 2 * bracketed;
    out->path = module_jit(m) ? NULL : m->path;
}

static bool in_module(struct target *t, struct module *m, uint64_t vaddr, struct answer *out)
{
    out->vaddr = vaddr;
    symbols_frames(&t->symbols, m, vaddr - t->want.returns, &t->frames);
    if (m->elf)
        out->bits = elf_bits(m->elf);
    if (t->process)
        name_module(m, out);
    return t->frames.count > 0;
}

static bool in_kernel(struct target *t, const struct symbol *s, uint64_t address,
                      struct answer *out)
{
    out->vaddr = address;
    if (!s)
        return false;
    const char *module = kallsyms_module(&t->kernel, s, &out->module_len);
    out->module = out->module_len ? module : NULL;
    t->frames.symbol = s->name;
    t->frames.start = s->start;
    return frames_add(&t->frames, &(struct frame){.function = s->name}) == 0;
}

static bool in_process(struct target *t, uint64_t address, struct answer *out)
{
    uint64_t offset, vaddr;
    struct module *m = mapped_at(&t->mapped, t->process, address - t->want.returns, &offset);
    if (!m)
        return false;
    vaddr = offset += t->want.returns;
    symbols_ready(&t->symbols, m);
    module_vaddr(m, offset, &vaddr);
    in_module(t, m, vaddr, out);
    return true;
}

bool target_address(struct target *t, uint64_t address, struct answer *out)
{
    start_answer(t, address, out);
    if (t->process)
        return in_process(t, address, out);
    uint64_t linked = address - t->slide;
    if (t->file)
        return in_module(t, t->file, linked, out);
    return in_kernel(t, kallsyms_find(&t->kernel, linked - t->want.returns), linked, out);
}

bool target_frame(struct target *t, const struct unwind_frame *frame, struct answer *out)
{
    bool returns = t->want.returns;
    t->want.returns = frame->returns;
    bool known = target_address(t, frame->pc, out);
    t->want.returns = returns;
    return known;
}

static bool same_file(const struct module *m, const struct logline_text *name)
{
    size_t start = name->len;
    while (start && name->at[start - 1] != '/')
        start--;
    size_t len = name->len - start;
    return len && strncmp(m->name, name->at + start, len) == 0 && !m->name[len];
}

static struct module *module_named(struct target *t, const struct logline_text *name)
{
    if (!name->at || t->want.kernel)
        return NULL;
    for (size_t i = 0; i < t->mapped.modules.count; i++)
        if (same_file(t->mapped.modules.module[i], name))
            return t->mapped.modules.module[i];
    return NULL;
}

/* The module that a function without a file is looked for in. */
static struct module *main_module(struct target *t)
{
    return t->process ? mapped_main(&t->mapped) : t->file;
}

static bool answer_function(struct target *t, struct module *m, const struct logline_text *function,
                            uint64_t offset, struct answer *out)
{
    struct symbol s;
    const struct symbol *k;
    if (m) {
        symbols_ready(&t->symbols, m);
        if (!module_symbol_named(m, function->at, function->len, &s) ||
            offset - t->want.returns >= s.end - s.start)
            return false;
        start_answer(t, s.start + offset + (t->process ? 0 : t->slide), out);
        return in_module(t, m, s.start + offset, out);
    }
    k = t->kernel.symbols ? kallsyms_named(&t->kernel, function->at, function->len) : NULL;
    if (!k || offset - t->want.returns >= k->end - k->start)
        return false;
    start_answer(t, k->start + offset + t->slide, out);
    return in_kernel(t, k, k->start + offset, out);
}

static bool answer_relative(struct target *t, const struct logline_place *p, struct answer *out)
{
    struct module *m = module_named(t, p->module.at ? &p->module : &p->name);
    if (m && !p->function.at) {
        start_answer(t, p->offset, out);
        return in_module(t, m, p->offset, out);
    }
    if (p->module.at && !m && !t->want.kernel)
        return false;
    return answer_function(t, m ? m : main_module(t), p->function.at ? &p->function : &p->name,
                           p->offset, out);
}

bool target_place(struct target *t, const struct logline_place *p, struct answer *out)
{
    bool run_time = t->process || t->want.kernel;
    if (p->absolute && run_time && target_address(t, p->address, out))
        return true;
    if (p->relative)
        return answer_relative(t, p, out);
    return p->absolute && !run_time && target_address(t, p->address, out);
}

void target_missing_symbols(struct target *t, struct buf *why, struct buf *paths)
{
    struct module *m = t->file;
    if (!m || !m->elf || m->debug || elf_has_all_names(m->elf))
        return;
    const uint8_t *id;
    size_t len = elf_build_id(m->elf, &id);
    buf_printf(why, "%s is stripped%s", m->path,
               elf_symbol_source(m->elf) == ELF_SYMBOLS_DYNSYM
                   ? " (only exported functions have names)"
                   : "");
    buf_adds(why, len ? ", build-id " : ", and has no build-id");
    for (size_t i = 0; i < len; i++)
        buf_printf(why, "%02x", id[i]);
    symbols_debug_paths(&t->symbols, m, paths);
}
