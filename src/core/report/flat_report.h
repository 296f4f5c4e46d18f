/* flat_report: what the flat profile as text and as JSON share, and kprof's part of both. */
#pragma once

#include "core/base/share.h"
#include "core/report/flat.h"

bool flat_shown(const struct flat_report *r, const struct flat_row *row);

/* What shares are of. */
uint64_t flat_weight_shown(const struct flat_report *r, const struct flat *f);

/* Of the rows that are in the kernel or a module of it. */
uint64_t flat_kernel_weight(const struct flat_report *r, const struct flat *f);

/* Start of the main module's functions, rounded down to a page as Plan 9 does; else of its code. */
uint64_t flat_text_base(const struct flat_report *r);
