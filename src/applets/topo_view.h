/* topo_view: topo's view in the terminal. */
#pragma once

#include "applets/applet.h"

struct topo;

extern const struct applet applet_topo;

int topo_view_run(const struct topo *t); /* until q or ^C: the exit status */
