/* recording_records: types and flags, as core/sample/recording.h describes them. */
#pragma once

#include "core/sample/recording.h"

void recording_release_cgroups(struct recording_cgroups *g);

#define RECORDING_MAGIC "psuite\0\1"

enum { RECORDING_MAGIC_BYTES = 8 };

enum recording_type {
    RECORD_FACT = 1,
    RECORD_MODULE,
    RECORD_THREAD,
    RECORD_NODE,
    RECORD_SAMPLES,
    RECORD_STATE,
    RECORD_SYMBOL,
    RECORD_PLACE,
    RECORD_MAIN,
    RECORD_TEXT,
    RECORD_END,
    RECORD_ENDS,
    RECORD_WAITS,
    RECORD_GUESSES,
    RECORD_FILE,
    RECORD_HEAP,
    RECORD_EVENT,
    RECORD_EVENT_SAMPLES,
    RECORD_EVENT_ENDS,
    RECORD_CGROUP,
};

enum {
    MODULE_FILE = 1,
    MODULE_KERNEL = 2,
    MODULE_DELETED = 4,
    MODULE_LINKED = 8,
    MODULE_WAIT = 16
};

enum { EVENT_CLOCK = 1, EVENT_USER = 2, EVENT_KERNEL = 4 };

/* An address in a module with link-time ones whose link-time address is not known. */
#define RECORDING_UNKNOWN UINT64_MAX

/* What was given along for addresses. */
struct recording_places {
    struct buf text; /* strings, each ended */
    struct recording_frame *frame;
    struct recording_place *place; /* sorted once read */
    size_t frames, frame_cap, places, place_cap;
};

struct recording_frame {
    size_t function, file; /* in text */
    uint32_t line, column, discriminator;
};

struct recording_place {
    uint64_t vaddr;
    size_t module, first, count;
};
