/*
 * absent: the error of a file that has no data on this machine.
 */
#ifndef PSUITE_DEV_ABSENT_H
#define PSUITE_DEV_ABSENT_H

#include "core/base/fail.h"

/* The reason, in f; -ENOENT. */
#define dev_absent(f, ...) (fail_set(f, 0, __VA_ARGS__), -ENOENT)

#endif
