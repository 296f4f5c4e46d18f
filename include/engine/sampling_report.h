/*
 * sampling_report: what a finished sampling says: a flat profile, or one function laid over its
 * source (when that can be read here, else over what objdump makes of its instructions).
 */
#ifndef PSUITE_ENGINE_SAMPLING_REPORT_H
#define PSUITE_ENGINE_SAMPLING_REPORT_H

#include "core/flat.h"
#include "engine/sampling.h"

struct sampling_view {
    bool json;
    enum flat_by by;
    size_t rows;        /* at most so many in a table; 0: all */
    const char *module; /* only rows of this one; NULL: all */
    const char
        *annotate; /* this function, by its name as shown or as the file has it; NULL: a table */
    bool no_demangle;
};

/*
 * Appends the report. -errno and f: no sample in the function to be annotated; neither its source
 * nor a disassembler ($OBJDUMP, else objdump), with a hint at both; a module's file changed under
 * our hands (names stand in mapped files).
 */
int sampling_report(struct sampling *s, const struct sampling_view *view, struct buf *out,
                    struct fail *f);

#endif
