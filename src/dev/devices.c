#include "dev/devices.h"

#include "dev.h"

#include <stdio.h>
#include <string.h>

#define DEVICE(name) extern const struct dev dev_##name;
#include "devices.def"
#undef DEVICE

static const struct dev *const devices[] = {
#define DEVICE(name) &dev_##name,
#include "devices.def"
#undef DEVICE
};

/* NAME, or NAME=FILE. */
static int bind_name(struct ns *ns, const char *binding, struct ns_server server, struct fail *f)
{
    char name[NS_NAME_MAX + 1];
    const char *file = strchr(binding, '=');
    size_t len = file ? (size_t)(file - binding) : strlen(binding);
    snprintf(name, sizeof name, "%.*s", (int)len, binding);
    return ns_bind(ns, name, file ? file + 1 : "", server, f);
}

int devices_bind(struct ns *ns, struct fail *f)
{
    struct ns_server server;
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++) {
        int r = dev_serve(devices[i], &server, f);
        for (const char *const *name = devices[i]->names; r == 0 && *name; name++)
            r = bind_name(ns, *name, server, f);
        if (r < 0)
            return r;
    }
    return 0;
}
