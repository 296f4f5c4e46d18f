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

/* Where a function without a name begins there may be another one, which has a name and is shorter.
 */
static uint64_t start_of(const struct module *m, uint64_t vaddr)
{
    struct symbol s;
    uint64_t start;
    if (module_symbol(m, vaddr, &s))
        return has_name_at(m, s.start, s.name) ? s.start : vaddr;
    return module_function_start(m, vaddr, &start) && !module_symbol(m, start, &s) ? start : vaddr;
}

uint64_t sampling_function_offset(const struct module *m, uint64_t offset)
{
    uint64_t vaddr;
    if (!module_vaddr(m, offset, &vaddr))
        return offset;
    uint64_t start = start_of(m, vaddr);
    return start < vaddr && vaddr - start <= offset ? offset - (vaddr - start) : offset;
}
