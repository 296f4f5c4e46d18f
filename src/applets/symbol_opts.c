#include "applets/symbol_opts.h"

static int add_dir(struct symbol_opts *to, const struct opt_state *o)
{
    if (to->search.dirs == DEBUGFILE_MOST_DIRS) {
        applet_misuse(o->applet, "--debug-dir: at most %d", DEBUGFILE_MOST_DIRS);
        return -1;
    }
    to->search.dir[to->search.dirs++] = o->arg;
    return 1;
}

int symbol_opt(struct symbol_opts *to, const struct opt_state *o, int id)
{
    switch (id) {
    case DEBUG_DIR:
        return add_dir(to, o);
    case SYSROOT:
        to->search.sysroot = o->arg;
        return 1;
    case NO_DEMANGLE:
        to->no_demangle = true;
        return 1;
    default:
        return 0;
    }
}
