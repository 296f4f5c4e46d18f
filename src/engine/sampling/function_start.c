/* Places counted at the start of their function. What a file has lost since it was mapped reads as
 * zeros (plat/guard.h): a call that catches crashes would cost more than the search. */
#include "private.h"

#include <string.h>

/* Another function may begin at the start of one that goes on behind it, where symbols come from
 * two files. */
static bool has_name_at(const struct module *m, uint64_t vaddr, const char *name)
{
    struct symbol s;
    return !m->debug || (module_symbol(m, vaddr, &s) && strcmp(s.name, name) == 0);
}

/* The function at vaddr. Where one without a name begins there may be another, which has a name and
 * is shorter. */
static bool find_function(const struct module *m, uint64_t vaddr, struct symbol *out)
{
    struct symbol other;
    if (module_symbol(m, vaddr, out))
        return has_name_at(m, out->start, out->name);
    return module_function_extent(m, vaddr, &out->start, &out->end) &&
           !module_symbol(m, out->start, &other);
}

uint64_t sampling_function_offset(const struct module *m, uint64_t offset, uint64_t *end)
{
    struct symbol s;
    uint64_t vaddr;
    if (!module_vaddr(m, offset, &vaddr) || !find_function(m, vaddr, &s) || s.start > vaddr ||
        vaddr - s.start > offset)
        return offset;
    *end = offset + (s.end - vaddr);
    return offset - (vaddr - s.start);
}
