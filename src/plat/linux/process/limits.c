#include "plat/limits.h"

#include "oom_score.h"
#include "signal_state.h"

#include <signal.h>

void limits_are_errors(void)
{
    dispositions_save();
    signal(SIGXFSZ, SIG_IGN);
}

void limits_first_victim(void)
{
    oom_score_raise();
}
