/*
 * snap_page: a snap as one page of HTML that needs nothing else: statistics and a timeline above,
 * and below a flame graph of the samples of the selected time and thread.
 */
#pragma once

#include "core/snap/contents.h"

/* Appends the page. -ENOMEM. */
int snap_page(const struct snap_contents *c, struct buf *out);
