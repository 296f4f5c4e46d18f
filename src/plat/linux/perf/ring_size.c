#include "ring_size.h"

#include "plat/sysfile.h"

#include <stdio.h>
#include <string.h>

int ring_size_decide(enum buffers_use use, int cpus, size_t asked_bytes, struct ring_size *out,
                     struct fail *f)
{
    struct buffers_request q = {.use = use,
                                .free_bytes = sysfile_free_bytes(),
                                .cpus = cpus > 0 ? (unsigned)cpus : 1,
                                .page_bytes = sysfile_page_bytes(),
                                .asked_bytes = asked_bytes};
    struct buffers b;
    int r = buffers_decide(&q, &b);
    if (r < 0)
        return buffers_refuse(&q, &b, f);
    out->bytes = b.ring_bytes;
    out->held_bytes = b.held_bytes;
    buffers_note(&q, &b, out->note, sizeof out->note);
    return 0;
}

void ring_size_note(const struct ring_size *r, char *method, size_t size)
{
    size_t at = strlen(method);
    if (r->note[0] && at < size)
        snprintf(method + at, size - at, ", %s", r->note);
}
