/*
 * sampling_several: the report and the files of a recording by several events, which is read once
 * for each: a section an event, one JSON object with all of them, and files whose format has
 * several values with a value each. Other files are of the first event.
 */
#pragma once

#include "applets/sampling_request.h"

/* Where the events are read from, by want.of_file; sampling_release either way. */
struct sampling_several {
    unsigned events;
    int (*read)(const void *arg, const struct sampling_want *want, struct sampling *s,
                struct fail *f);
    const void *arg;
    const char *name; /* of the recording, for warnings */
};

/* Returns the exit status. */
int sampling_write_several(const struct sampling_request *q, const struct sampling_several *from);
