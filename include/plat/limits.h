/* limits: limits that would end this process, and one by which it ends first. */
#pragma once

/* From here on a write beyond the limit on the size of files (RLIMIT_FSIZE, `ulimit -f') fails with
 * EFBIG, like one on a full disk with ENOSPC, and ends nothing. Commands that are started have what
 * psuite was started with. Called first of all. */
void limits_are_errors(void);

/* From here on the kernel kills this process before any other when memory runs out. Commands that
 * are started have the oom_score_adj that psuite was started with. */
void limits_first_victim(void);
