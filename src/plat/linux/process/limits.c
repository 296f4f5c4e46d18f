#include "plat/limits.h"

#include "signal_state.h"

#include <signal.h>

void limits_are_errors(void)
{
    dispositions_save();
    signal(SIGXFSZ, SIG_IGN);
}
