/*
 * annotating: one function of a sampling, laid over its source when that can be read here, else
 * over what objdump makes of its instructions.
 */
#ifndef PSUITE_ENGINE_ANNOTATING_H
#define PSUITE_ENGINE_ANNOTATING_H

#include "core/annotate.h"
#include "engine/sampling.h"

struct buf;

struct annotating {
    const char *function; /* its name, as shown or as the file has it */
    const char *(*pretty)(void *arg, const char *name); /* how names are shown; NULL: as they are */
    void *arg;
    bool json;
};

/* Appends the report. -ENOENT: no sample in such a function; or neither source nor disassembler,
 * with a hint at both. The program that disassembles is $OBJDUMP, else objdump. */
int annotating_report(struct sampling *s, const struct annotating *want, struct buf *out,
                      struct fail *f);

#endif
