#include "write.h"

#include <string.h>

const struct writer writers[] = {
#define WRITER(name, what, binary, before, all, opened)                                            \
    {#name, what, binary, write_##name, before, all, opened},
#include "writers.def"
#undef WRITER
};

const size_t writer_count = sizeof writers / sizeof *writers;

const struct writer *writer_named(const char *name, size_t len)
{
    for (size_t i = 0; i < writer_count; i++)
        if (strlen(writers[i].name) == len && memcmp(writers[i].name, name, len) == 0)
            return &writers[i];
    return NULL;
}
