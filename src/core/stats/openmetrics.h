/* openmetrics: lines of OpenMetrics 1.0. */
#pragma once

#include <stddef.h>

struct buf;

/* TYPE and HELP of a family; help has no full stop. */
void openmetrics_head(struct buf *out, const char *name, const char *type, const char *help);
/* `NAME{KEY="VALUE"} ': the number and the newline follow. */
void openmetrics_label(struct buf *out, const char *name, const char *key, const char *value);
/* The same with several: KEY, VALUE, KEY, VALUE ... */
void openmetrics_labels(struct buf *out, const char *name, size_t labels, const char *const *pair);
