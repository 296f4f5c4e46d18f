#include "applets/symbol_opts.h"

#include "engine/symbols/symbols.h"

static int add_dir(struct debugfile_search *to, const struct opt_state *o)
{
    if (to->dirs == DEBUGFILE_MAX_DIRS)
        return opt_wrong(o, "at most %d directories", DEBUGFILE_MAX_DIRS);
    to->dir[to->dirs++] = o->arg;
    return 1;
}

static int set_memory(struct debugfile_search *to, const struct opt_state *o)
{
    uint64_t mb;
    if (opt_u64(o, 1, SYMBOLS_MEMORY_MOST >> 20, &mb) < 0)
        return -1;
    to->most_bytes = (size_t)mb << 20;
    return 1;
}

int symbol_opt(struct debugfile_search *search, bool *no_demangle, const struct opt_state *o,
               int id)
{
    switch (id) {
    case DEBUG_DIR:
        return add_dir(search, o);
    case SYSROOT:
        search->sysroot = o->arg;
        return 1;
    case SYMBOL_MEMORY:
        return set_memory(search, o);
    case NO_DEMANGLE:
        *no_demangle = true;
        return 1;
    default:
        return 0;
    }
}
