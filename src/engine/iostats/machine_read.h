/* machine_read: a round of core/io/machine.h, read from /proc. */
#pragma once

#include "core/io/machine.h"

void machine_read(struct io_machine *m);
