/* install: installs links from the applets' names to this executable in a directory. */
#pragma once

#include <stdbool.h>

struct applet;

/* One link an applet in DIR, hard or symbolic. A name that exists is left alone and told, unless it
 * is already this very link. Returns DONE, or FAILED when any was skipped. */
int install_links(const struct applet *applet, const char *dir, bool symbolic);
