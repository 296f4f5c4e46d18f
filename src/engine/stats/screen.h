/* stats_screen: what live samples and recorded ones share on the screen. */
#pragma once

#include "core/stats/view.h"
#include "engine/base/screen.h"

void stats_screen_draw(struct screen *screen, struct statsview *view);
