/* topo_view: topo's view in the terminal. */
#ifndef PSUITE_APPLETS_TOPO_VIEW_H
#define PSUITE_APPLETS_TOPO_VIEW_H

#include "applets/applet.h"

struct topo;

extern const struct applet applet_topo;

int topo_view_run(const struct topo *t); /* until q or ^C: the exit status */

#endif
