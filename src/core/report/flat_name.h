/* flat_name: what a row of the flat profile is called, see core/report/flat.h. */
#pragma once

#include "core/report/flat.h"

/* Appends the name of row in module m (NULL: outside every module), safe on a terminal; amount: the
 * number that its line starts with. */
void flat_name(const struct flat_report *r, const struct flat_row *row, const struct module *m,
               bool main, uint64_t amount, struct buf *out);
