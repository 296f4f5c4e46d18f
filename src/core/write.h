/* write: the functions behind writers.def. */
#ifndef PSUITE_CORE_WRITE_H
#define PSUITE_CORE_WRITE_H

#include "core/writer.h"

#define WRITER(name, what, binary, before)                                                         \
    int write_##name(const struct stacks *s, const struct stacks *b, struct buf *out);
#include "writers.def"
#undef WRITER

#endif
