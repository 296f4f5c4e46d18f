/* verdict: in words, whether each further command of a series takes longer than the first one. */
#ifndef PSUITE_CORE_TIME_VERDICT_H
#define PSUITE_CORE_TIME_VERDICT_H

#include "core/time/report.h"

/* A line a command, and one that tells what its figures mean. */
void verdicts_write(const struct time_report *r, struct buf *out);

#endif
