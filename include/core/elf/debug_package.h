/*
 * debug_package: the package that has the debug file of a Debian package's file, and the apt source
 * that has such packages. The caller reads the files of dpkg and apt; any text is possible there.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct buf;

/* Where dpkg lists the files of each package: PACKAGE.list or PACKAGE:ARCH.list, a path a line. */
#define DEBUG_PACKAGE_LISTS "/var/lib/dpkg/info"

/* Whether a list has the file. Where /usr is merged, it may be listed as /lib/FILE and mapped as
 * /usr/lib/FILE. */
bool debug_package_owns(const char *list, size_t len, const char *path);

/* Appends the debug package of the package whose list has that name: PACKAGE-dbgsym, for the C
 * library libc6-dbg. False, and nothing is appended: it is no name of a list. */
bool debug_package_name(const char *list_name, struct buf *out);

/* An apt source: in words, and what of it a file names that has it already, of any mirror. */
struct debug_source {
    char words[160], mark[64];
};

/* The source that has these packages, by the text of /etc/os-release. False: none is known. */
bool debug_package_source(const char *os_release, size_t len, struct debug_source *out);

/* Whether a file of apt's sources, of either format, has it, in a line that is no comment. */
bool debug_package_listed(const char *sources, size_t len, const struct debug_source *source);
