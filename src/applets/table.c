/* The applets of this psuite, and the names of those that were left out of it. */
#include "applets/applet.h"

#include <string.h>

#define APPLET(name, brief) extern const struct applet applet_##name;
#define LEFT_OUT(name)
#include "applets_built.def"
#undef APPLET
#undef LEFT_OUT

const struct applet_entry applet_table[] = {
#define APPLET(name, brief) {&applet_##name, brief},
#define LEFT_OUT(name)
#include "applets_built.def"
#undef APPLET
#undef LEFT_OUT
    {NULL, NULL},
};

static const char *const left_out[] = {
#define APPLET(name, brief)
#define LEFT_OUT(name) #name,
#include "applets_built.def"
#undef APPLET
#undef LEFT_OUT
    NULL,
};

/* The two programs of the report Topo; topo sees by which name it was called. */
static const char *first_name(const char *name)
{
    return strcmp(name, "topo-collect") == 0 || strcmp(name, "topo-draw") == 0 ? "topo" : name;
}

const struct applet *applet_find(const char *name)
{
    name = first_name(name);
    for (const struct applet_entry *e = applet_table; e->applet; e++)
        if (strcmp(e->applet->name, name) == 0)
            return e->applet;
    return NULL;
}

bool applet_is_left_out(const char *name)
{
    for (const char *const *n = left_out; *n; n++)
        if (strcmp(*n, name) == 0)
            return true;
    return false;
}
