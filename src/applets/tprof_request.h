/*
 * tprof_request: what tprof was asked for, shared by its parts: tprof.c (options), tprof_files.c
 * (what is made of files), tprof_merge.c (of several). How it samples and what it shows are
 * sampling_request's.
 */
#pragma once

#include "core/stacks/merge.h"
#include "sampling_request.h"

extern const struct applet applet_tprof;

struct tprof_request {
    struct sampling_request ask;
    bool all, diff, browse;
    int other[SAMPLED_MAX_OTHERS]; /* of want, by -p */
    const char *folder;            /* -n */
    const char *bundle;
    enum stacks_group group; /* --group-by */
};

/* sampling_read, with a hint where there is no such file. */
int tprof_read(const struct tprof_request *q, const char *path, struct sampling *s, struct fail *f);
int tprof_from_folder(const struct tprof_request *q, const char *pid);
int tprof_from_file(struct tprof_request *q, const char *path);
int tprof_browse(struct tprof_request *q, const char *path);
int tprof_diff(const struct tprof_request *q, const char *before, const char *after);
int tprof_bundle(const struct tprof_request *q);

/* --- tprof_merge.c --- */

int tprof_parse_group(struct tprof_request *q, const struct opt_state *o); /* 1, or -1 */
void tprof_group_values(struct buf *out);
/* What --group-by cannot be used with, in words; NULL: nothing. */
const char *tprof_group_conflict(const struct tprof_request *q);
/* Whether the operands are recordings to be added up. */
bool tprof_merges(const struct tprof_request *q, char **operand, int operands);
int tprof_merge(struct tprof_request *q, char **path, int paths);
/* sampling_session, whose report and files --group-by divides. */
int tprof_sample(struct tprof_request *q);
