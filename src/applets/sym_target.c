#include "applets/sym_target.h"

#include "core/base/hex.h"
#include "core/coredump/coredump.h"
#include "core/text/counted.h"
#include "plat/file.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static int parse_base(struct target_want *want, const struct opt_state *o)
{
    const char *end = o->arg;
    want->has_base = hex_read(&end, &want->base) && !*end;
    return want->has_base ? 1 : opt_wrong(o, "not a hexadecimal address");
}

static const struct opt_member members[] = {
    {'k', OPT_FLAG(struct target_want, kernel)},
    {SYM_SYSTEM_MAP, OPT_TEXT(struct target_want, system_map)},
    {SYM_VMLINUX, OPT_TEXT(struct target_want, vmlinux)},
    {SYM_CORE, OPT_TEXT(struct target_want, core)},
    {SYM_MAPS, OPT_TEXT(struct target_want, maps)},
    {0},
};

int sym_target_opt(struct target_want *want, const struct opt_state *o)
{
    return o->id == SYM_BASE ? parse_base(want, o) : opt_set(o, members, want);
}

/* What cannot be asked of a process. NULL: all can. */
static const char *not_of_process(const struct target_want *want)
{
    return want->core && want->maps    ? "--maps"
           : want->kernel              ? "-k"
           : want->system_map          ? "--system-map"
           : want->vmlinux             ? "--vmlinux"
           : want->has_base            ? "--base"
           : want->section             ? "-j"
           : want->file && !want->core ? "-e"
                                       : NULL;
}

static int check_process(const struct target_want *want)
{
    const char *other = not_of_process(want);
    return other ? applet_misuse(&applet_sym, "%s: not with %s", other,
                                 want->core ? "--core" : "--maps")
                 : DONE;
}

static bool all_digits(const char *s)
{
    return *s && !s[strspn(s, "0123456789")];
}

static bool is_core(const char *path)
{
    struct image file;
    if (file_map_regular(path, &file, NULL) < 0)
        return false;
    bool is = coredump_is(file.data, file.len);
    file_unmap(&file);
    return is;
}

int sym_parse_target(struct target_want *want, int *operands, char ***operand)
{
    if (want->core || want->maps)
        return check_process(want);
    if (!want->kernel && (want->system_map || want->vmlinux))
        return applet_misuse(&applet_sym, "%s: only with -k",
                             want->vmlinux ? "--vmlinux" : "--system-map");
    if (want->kernel || want->file)
        return 0;
    if (!*operands)
        return applet_usage(&applet_sym);
    want->file = **operand;
    if (all_digits(want->file)) {
        long pid = strtol(want->file, NULL, 10);
        if (pid < 1 || pid > INT_MAX)
            return applet_misuse(&applet_sym, "%s: not a process id", want->file);
        want->pid = (int)pid;
    } else if (is_core(want->file)) {
        return applet_misuse(&applet_sym, "%s: is a core file; did you mean `sym --core %s'?",
                             want->file, want->file);
    }
    --*operands;
    ++*operand;
    return 0;
}

/* What the core file itself lacks. */
static void warn_core(const struct target *t)
{
    const char *file = t->want.core;
    if (!file)
        return;
    if (t->core.missing_bytes) {
        applet_warn(&applet_sym, "%s: is cut short: %" PRIu64 " bytes are missing", file,
                    t->core.missing_bytes);
        applet_warn(&applet_sym, "hint: run `ulimit -c unlimited' before the program");
    }
    if (t->core.left_out)
        applet_warn(&applet_sym, "%s: %s left out: damaged, or too many", file,
                    counted(t->core.left_out, "mapping or thread").text);
    if (!t->core.files)
        applet_warn(&applet_sym, "%s: does not say which files were mapped: no NT_FILE note", file);
}

void sym_warn_missing(struct target *t)
{
    SCOPED_BUF why = BUF_INIT, paths = BUF_INIT;
    warn_core(t);
    if (t->file && t->file->note[0])
        applet_warn(&applet_sym, "%s", t->file->note);
    if (t->file)
        t->file->note[0] = '\0'; /* room for what the questions will show */
    target_missing_symbols(t, &why, &paths);
    if (why.len)
        applet_warn(&applet_sym, "%s", buf_str(&why));
    if (paths.len)
        applet_warn(&applet_sym, "hint: no matching debug file at%s", buf_str(&paths));
}

static void warn_doubts(const struct target *t)
{
    struct target_doubts d = target_doubts(t);
    if (d.missing) {
        applet_warn(&applet_sym, "%s not read, such as %s: %s",
                    counted(d.missing, "mapped file").text, d.one_missing->path,
                    d.one_missing->why);
        applet_warn(&applet_sym, "hint: --sysroot DIR names the folder with the files of that "
                                 "machine, --debug-dir DIR one with debug files");
    }
    if (d.other)
        applet_warn(&applet_sym, "%s %s: names come from what is now at the path, such as %s",
                    counted(d.other, "file").text,
                    t->want.core ? "without build-id" : "of another inode", d.one_other->path);
}

bool sym_all_read(const struct target *t)
{
    bool all = true;
    warn_doubts(t);
    for (size_t i = 0; i < t->mapped.modules.count; i++) {
        const struct module *m = t->mapped.modules.module[i];
        if (m->note[0])
            applet_warn(&applet_sym, "%s", m->note);
        all &= !m->crashed;
    }
    return all;
}
