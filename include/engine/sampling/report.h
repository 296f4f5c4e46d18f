/*
 * sampling_report: reports a finished sampling: a flat profile, a call tree, one function with its
 * callers, or laid over its source (when that can be read here, else over what objdump makes of its
 * instructions); or stacks for a written format.
 */
#pragma once

#include "core/report/annotate.h"
#include "core/report/flat.h"
#include "core/sample/to_stacks.h"
#include "core/stacks/stacks.h"
#include "engine/sampling/sampling.h"

enum sampling_form {
    SAMPLING_FLAT,       /* Plan 9's table */
    SAMPLING_CUMULATIVE, /* self and cumulative */
    SAMPLING_TREE,
    SAMPLING_CALLERS,  /* the tree upwards */
    SAMPLING_AROUND,   /* `function' with its callers and callees */
    SAMPLING_ANNOTATE, /* `function' over its source */
};

struct sampling_view {
    const char *applet; /* whose words are used: "tprof" or "kprof" */
    enum sampling_form form;
    const char *function;
    bool by_cumulative; /* rows sorted so */
    bool json;
    enum flat_by by; /* of SAMPLING_FLAT; others have inlined functions by FLAT_INLINE */
    struct report_size size;
    bool whole;         /* one table, although threads are counted separately */
    bool kernel;        /* SAMPLING_FLAT: in kprof's words */
    const char *module; /* SAMPLING_FLAT, SAMPLING_ANNOTATE: only of this one; NULL: all */
    const struct sampled_part *part; /* SAMPLING_ANNOTATE: of the samples; NULL: all */
    bool code;                       /* SAMPLING_ANNOTATE: instructions, also where source is */
    bool no_demangle;
    enum sampled_heap_weight heap_weight; /* of a heap profile */
    bool pooled; /* stacks to be compared: code of no file and no name is that of all processes */
};

/*
 * Appends the report. -errno and f: no sample in the function asked for; neither its source nor a
 * disassembler ($OBJDUMP, else objdump), with a hint at both; a module's file changed under our
 * hands (names are in mapped files).
 */
int sampling_report(struct sampling *s, const struct sampling_view *view, struct buf *out,
                    struct fail *f);

/* The function's source or instructions as rows; errors as above. Release out either way. */
int sampling_annotated(struct sampling *s, const struct sampling_view *view,
                       struct annotate_text *out, struct fail *f);

/* The samples as stacks with names; errors as above. stacks_release either way. */
int sampling_stacks(struct sampling *s, const struct sampling_view *view, struct stacks *out,
                    struct fail *f);

/* The same, not timed, with the indexes of what each sampled node and thread became. Both are to be
 * released either way. */
struct sampled_indexes;
int sampling_stacks_indexed(struct sampling *s, const struct sampling_view *view,
                            struct stacks *out, struct sampled_indexes *indexes, struct fail *f);

/* Appends the part of what a view of call chains, SAMPLING_CUMULATIVE to SAMPLING_AROUND, shows of
 * any stacks. -ENOMEM, or what stacks_around_make says, and f. */
int sampling_stacks_report(const struct stacks *s, const struct sampling_view *view,
                           const struct report_part *part, struct buf *out, struct fail *f);

/* Appends the samples as a kprof(3) histogram of the kernel's text (core/report/kpdata.h). *apart:
 * how many of them were in its modules, which no counter is for. -EFBIG and the like. */
int sampling_kpdata(struct sampling *s, struct buf *out, uint64_t *apart, struct fail *f);

/* Appends the samples of a process as its proc(3) `profile` (core/report/profile_file.h): of its
 * program; all else is outside. While it runs, too. -ENOEXEC: the program is not there to be read.
 */
int sampling_profile(struct sampling *s, struct buf *out, struct fail *f);

/* How long these two files are; 0: the text is not known (yet). */
size_t sampling_kpdata_length(const struct sampling *s);
size_t sampling_profile_length(struct sampling *s);

/* Appends to out what a recording of s lacks to be read where its files are not: symbols, and lines
 * where there is debug information, of every place that was sampled. */
int sampling_bundle(struct sampling *s, struct buf *out, struct fail *f);
