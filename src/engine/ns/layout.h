/*
 * ns_places: the layout of a tree that replaces all devices: the usual paths of Plan 9's files in
 * it.
 */
#pragma once

#include "core/ns/ns.h"

/* The tree itself at /, so that its dev/sysstat is /dev/sysstat; the devices at what is bound there
 * by custom: #c, #K and #T at dev, #l, #l0 at net, #p at proc, #P at prof: #c/sysstat is its
 * dev/sysstat, too. The name space owns the server, also when this fails. */
int ns_bind_layout(struct ns *ns, struct ns_server server, struct fail *f);
