/* What records in the tests of recordings: hooks.counted of what is sampled. */
#pragma once

#include "core/sample/recording.h"

static struct recording_writer writer;

static void counted(void *arg, const struct sampled *s, const struct sampled_one *one)
{
    (void)arg;
    recording_sample(&writer, s, one);
}
