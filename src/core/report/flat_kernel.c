/* What of a flat profile is the kernel's. */
#include "core/report/flat.h"
#include "flat_report.h"

uint64_t flat_kernel_weight(const struct flat_report *r, const struct flat *f)
{
    uint64_t weight = 0;
    for (size_t i = 0; i < f->rows; i++) {
        const struct module *m = sampled_module(r->sampled, f->row[i].module);
        if (m && m->kernel)
            weight += f->row[i].weight;
    }
    return weight;
}

struct flat_kernel flat_kernel_of(const struct flat_report *r)
{
    const struct sampled *s = r->sampled;
    struct flat_kernel k = {.total = s->count.weight + s->count.idle_weight + s->count.user_weight +
                                     s->count.own_weight};
    for (size_t i = 0; i < r->flats; i++)
        k.inside += flat_kernel_weight(r, &r->flat[i]);
    k.outside = k.total - k.inside;
    return k;
}
