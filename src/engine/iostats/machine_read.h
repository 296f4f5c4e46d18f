/* machine_read: a round of core/io/machine.h, read from /proc. */
#ifndef PSUITE_ENGINE_IOSTATS_MACHINE_READ_H
#define PSUITE_ENGINE_IOSTATS_MACHINE_READ_H

#include "core/io/machine.h"

void machine_read(struct io_machine *m);

#endif
