/*
 * sched_recording_format: what writing and reading share of core/trace/recording.h.
 */
#pragma once

#include "core/trace/event.h"

enum { MAGIC_BYTES = 8 };
#define SCHED_RECORDING_MAGIC "pstrace\1"

enum { RECORD_FACT = 1, RECORD_NAME, RECORD_EVENTS, RECORD_TEXT, RECORD_END };
enum { KIND_MASK = 31, HAS_OTHER = 32, HAS_ARG = 64, HAS_MORE = 128 };
enum { MORE_CPU = 1, MORE_PRIORITY = 2, MORE_POLICY = 4, MORE_STATE = 8, MORE_FLAGS = 16 };

/* The base of the first event's delta. */
static inline struct sched_event before_the_first(void)
{
    return (struct sched_event){.cpu = -1, .priority = INT16_MIN};
}
