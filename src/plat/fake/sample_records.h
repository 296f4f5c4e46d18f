/* sample_records: the records that a scenario tells, as bytes; sample.c's head is the manual. */
#pragma once

#include "plat/sample.h"

typedef void sample_record_fn(void *arg, const void *record, size_t len);

/* Hands over those that were wanted, in the layout: samples of the times [from, until), and all
 * else when from is 0. */
void sample_records(const struct sample_want *want, const struct perfrec_format *format,
                    uint64_t from, uint64_t until, sample_record_fn *emit, void *arg);
