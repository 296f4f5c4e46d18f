/* What a reader of a histogram gets. */
#include "core/profdev/device.h"

#include "pairs.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int profdev_open(const struct profdev_module *m, struct profdev_histogram **out)
{
    struct profdev_histogram *h = calloc(1, sizeof *h);
    if (!h || profdev_pairs_merge(&m->before, &m->now, &h->pairs) < 0) {
        free(h);
        return -ENOMEM;
    }
    *out = h;
    return 0;
}

void profdev_close(struct profdev_histogram *h)
{
    free(h->pairs.pair);
    free(h);
}

long profdev_read(struct profdev_histogram *h, char *out, size_t len, struct fail *f)
{
    char text[48]; /* two numbers of 20 digits */
    if (h->next >= h->pairs.count)
        return 0;
    const struct profdev_pair *p = &h->pairs.pair[h->next];
    int n = snprintf(text, sizeof text, "%" PRIu64 " %" PRIu64, p->pc, p->count);
    if (len < PROFDEV_MIN_READ || len < (size_t)n)
        return fail_set(f, 0, "read or write too small");
    memcpy(out, text, (size_t)n);
    h->next++;
    return n;
}
