/* web_usage: what processes and control groups use, read when somebody asks for it. */
#pragma once

#include "core/base/buf.h"

#include <stdint.h>

struct web_usage;

struct web_usage *web_usage_new(void); /* NULL: no memory */
void web_usage_free(struct web_usage *u);

/* Appends lines of OpenMetrics. They are read anew when those at hand are over a second old. */
void web_usage_add(struct web_usage *u, uint64_t now_ns, struct buf *out);
