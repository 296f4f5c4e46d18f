#include "engine/iostats.h"

#include <string.h>

const struct iostats_way *const iostats_ways[] = {&iostats_fuse, &iostats_ptrace, NULL};

const struct iostats_way *iostats_way_named(const char *name)
{
    for (size_t i = 0; iostats_ways[i]; i++)
        if (strcmp(iostats_ways[i]->name, name) == 0)
            return iostats_ways[i];
    return NULL;
}

int iostats_run(const struct iostats_way *way, const struct iostats_want *want, struct buf *report,
                struct iostats_result *result, struct fail *f)
{
    int r = -1;
    *result = (struct iostats_result){0};
    if (!want->command) /* nothing else comes behind what runs already */
        way = &iostats_ptrace;
    if (way)
        return way->run(want, report, result, f);
    for (size_t i = 0; iostats_ways[i]; i++) {
        r = iostats_ways[i]->run(want, report, result, f);
        if (r == 0 || result->status)
            return r;
    }
    return r;
}
