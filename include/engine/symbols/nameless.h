/*
 * nameless: the modules whose functions a report could not name, as their files have no symbols,
 * and what brings the names on this system. Nothing is started, and no network is used: the files
 * of dpkg and apt are read.
 */
#pragma once

#include "core/sample/sampled.h"
#include "engine/symbols/symbols.h"

/* Samples without a name are reported when they are over this share of all, and then so many
 * modules are named, each with a tenth of these samples at least. */
enum { NAMELESS_REPORTED_PCT = 10, NAMELESS_MAX_MODULES = 3 };

/* Reads the symbols of the modules with samples. Appends to why which files are stripped, and to
 * hint what is to be done; nothing where few samples lack a name, or for another reason than that.
 * 0 or -ENOMEM. */
int symbols_nameless(struct symbols *s, const struct sampled *sampled, struct buf *why,
                     struct buf *hint);
