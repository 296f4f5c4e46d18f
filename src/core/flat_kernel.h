/* flat_kernel: what flat_kernel.c and flat_report.c share. */
#ifndef PSUITE_CORE_FLAT_KERNEL_H
#define PSUITE_CORE_FLAT_KERNEL_H

#include "core/flat.h"

/* Of the rows that are in the kernel or a module of it. */
uint64_t flat_kernel_weight(const struct flat_report *r, const struct flat *f);

#endif
