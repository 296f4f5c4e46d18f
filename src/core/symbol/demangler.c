#include "core/symbol/demangle.h"

enum { MAX_BYTES = 16 << 20, NOT_MANGLED = 1 };

void demangler_forget(struct demangler *d)
{
    imap_release(&d->of_name);
    buf_clear(&d->shown);
}

/* Offset of the plain form in d->shown, plus 2; NOT_MANGLED: there is none. */
static uint64_t demangle_to_cache(struct demangler *d, const char *name)
{
    size_t at = d->shown.len;
    if (!demangle_add(name, &d->shown))
        return NOT_MANGLED;
    buf_add(&d->shown, "", 1);
    return at + 2;
}

static bool may_be_mangled(const char *name)
{
    return name[0] == '_';
}

const char *demangled(struct demangler *d, const char *name)
{
    if (!name || d->off || !may_be_mangled(name))
        return name;
    if (d->shown.len > MAX_BYTES)
        demangler_forget(d);
    uint64_t *at = imap_at(&d->of_name, (uint64_t)(uintptr_t)name);
    if (!at)
        return name;
    if (!*at)
        *at = demangle_to_cache(d, name);
    if (*at == NOT_MANGLED || buf_error(&d->shown))
        return name;
    return d->shown.data + (*at - 2);
}

void demangler_release(struct demangler *d)
{
    imap_release(&d->of_name);
    buf_release(&d->shown);
}
