/* ring_size: how large rings are on this machine now (core/perf/buffers.h decides). */
#pragma once

#include "core/perf/buffers.h"

struct ring_size {
    size_t bytes;      /* per CPU */
    size_t held_bytes; /* in all, of what was read of them */
    char
        note[64]; /* when memory is short: "rings of 1 MB (39 MB of memory are free)"; else empty */
};

/* asked_bytes: by the user; 0: not asked. -ENOMEM and f. */
int ring_size_decide(enum buffers_use use, int cpus, size_t asked_bytes, struct ring_size *out,
                     struct fail *f);

/* Appends the note to the name of a method, as ", NOTE". */
void ring_size_note(const struct ring_size *r, char *method, size_t size);
