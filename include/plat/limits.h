/*
 * limits: turns limits that would end this process into errors.
 */
#ifndef PSUITE_PLAT_LIMITS_H
#define PSUITE_PLAT_LIMITS_H

/* From here on a write beyond the limit on the size of files (RLIMIT_FSIZE, `ulimit -f') fails with
 * EFBIG, like one on a full disk with ENOSPC, and ends nothing. Commands that are started have what
 * psuite was started with. Called first of all. */
void limits_are_errors(void);

#endif
