/*
 * demangle: names of C++ (the Itanium ABI's), Rust (v0 and legacy) as their authors wrote them.
 * Done when a name is shown, never before.
 *
 * Names may be hostile: one that would need more than DEMANGLE_MAX_LEN bytes, or too deep a
 * recursion (libiberty's limit, which a mangled name of more than 1 KB meets), stays as it is.
 */
#pragma once

#include "core/base/buf.h"
#include "core/containers/imap.h"

#include <stdbool.h>

enum { DEMANGLE_MAX_LEN = 1 << 16 };

/* Whether this build can. */
bool demangle_able(void);

/* Appends the plain form of name; false, with out untouched, when it is not mangled. */
bool demangle_add(const char *name, struct buf *out);

/* A cache of demangled names, for names that are shown repeatedly. They are distinguished by
 * their address: each must stay there, unchanged, while the cache exists. */
struct demangler {
    bool off; /* names are shown as they are */
    struct imap of_name;
    struct buf shown;
};

/* name's plain form, or name itself. Stands until the next call. NULL for NULL. */
const char *demangled(struct demangler *d, const char *name);
void demangler_release(struct demangler *d);
/* Names are about to be freed, and others may come to their places. */
void demangler_forget(struct demangler *d);
