/*
 * errno_name: names of the kernel's error numbers ("ENOENT"), which are the same on all processors
 * that psuite runs on; those that never leave the kernel, too (include/linux/errno.h).
 */
#pragma once

enum { ERRNO_MOST = 4095 }; /* include/linux/err.h: -1 to -4095 are errors */

/* Of a positive number; NULL: it has no name. */
const char *errno_name(int number);
