/*
 * ns_find: finds the server that has the file of a name.
 */
#pragma once

#include "core/ns/ns.h"

struct ns_found {
    const struct ns_mount *mount; /* NULL: a directory that only what is bound below it makes */
    uint64_t path;
};

/* -ENOENT; -ENODEV when it is a device's name and there is none such. */
int ns_find(const struct ns *ns, const char *name, struct ns_found *out, struct fail *f);

/* The same, in one mount: -ENOENT also when the name does not lie below it. */
int ns_find_in(const struct ns_mount *m, const struct ns_elements *e, struct ns_found *out,
               struct fail *f);

/* Whether the mount's name lies below that of the elements; *next is the element that leads there,
 * of *len bytes. */
bool ns_leads_to(const struct ns_mount *m, const struct ns_elements *e, const char **next,
                 size_t *len);
