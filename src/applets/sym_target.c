#include "applets/sym_target.h"

#include "core/base/hex.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static int parse_base(struct target_want *want, const char *text)
{
    const char *end = text;
    want->has_base = hex_read(&end, &want->base) && !*end;
    if (!want->has_base)
        applet_misuse(&applet_sym, "--base: %s: not a hexadecimal address", text);
    return want->has_base ? 0 : -1;
}

int sym_target_opt(struct target_want *want, const struct opt_state *o, int id)
{
    switch (id) {
    case 'k':
        want->kernel = true;
        return 1;
    case SYM_BASE:
        return parse_base(want, o->arg) < 0 ? -1 : 1;
    case SYM_SYSTEM_MAP:
        want->system_map = o->arg;
        return 1;
    case SYM_VMLINUX:
        want->vmlinux = o->arg;
        return 1;
    default:
        return 0;
    }
}

static bool all_digits(const char *s)
{
    return *s && !s[strspn(s, "0123456789")];
}

int sym_parse_target(struct target_want *want, int *operands, char ***operand)
{
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
    }
    --*operands;
    ++*operand;
    return 0;
}

void sym_warn_missing(struct target *t)
{
    struct buf why = BUF_INIT, paths = BUF_INIT;
    if (t->file && t->file->note[0])
        applet_warn(&applet_sym, "%s", t->file->note);
    if (t->file)
        t->file->note[0] = '\0'; /* room for what the questions will show */
    target_missing_symbols(t, &why, &paths);
    if (why.len)
        applet_warn(&applet_sym, "%s", buf_str(&why));
    if (paths.len)
        applet_warn(&applet_sym, "hint: no matching debug file at%s", buf_str(&paths));
    buf_release(&why);
    buf_release(&paths);
}

bool sym_all_read(const struct target *t)
{
    bool all = true;
    for (size_t i = 0; i < t->mapped.modules.count; i++) {
        const struct module *m = t->mapped.modules.module[i];
        if (m->note[0])
            applet_warn(&applet_sym, "%s", m->note);
        all &= !m->crashed;
    }
    return all;
}
