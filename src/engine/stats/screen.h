/* stats_screen: what live samples and recorded ones share on the screen. */
#ifndef PSUITE_ENGINE_STATS_SCREEN_H
#define PSUITE_ENGINE_STATS_SCREEN_H

#include "core/stats/view.h"
#include "engine/base/screen.h"

void stats_screen_draw(struct screen *screen, struct statsview *view);

#endif
