/*
 * kconfig: reads a kernel's configuration from the text of its .config (/boot/config-RELEASE) or
 * that text in gzip (/proc/config.gz).
 */
#pragma once

#include "core/base/buf.h"

#include <stddef.h>

/* A real one has about 300 KB; a longer text is refused, however well it was packed. */
enum { KCONFIG_MAX = 2 * 1024 * 1024 };

struct kconfig {
    struct buf text;
};

/* Reads bytes of either form. 0, -EFBIG over KCONFIG_MAX, -EBADMSG for a broken or cut-off gzip or
 * for a text that names no option, -ENOMEM. After a failure k is empty and answers '?'. Release
 * with kconfig_release in any case. */
int kconfig_init(struct kconfig *k, const void *bytes, size_t len);
void kconfig_release(struct kconfig *k);

/* name without CONFIG_. 'y' built in (or set to a value), 'm' a module, 'n' not set or not
 * mentioned (what it depends on is off), '?' nothing is known of this kernel. */
char kconfig_get(const struct kconfig *k, const char *name);
