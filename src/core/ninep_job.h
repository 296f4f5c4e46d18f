/*
 * ninep_job: parts of core/ninep_files.h: a job is something asked for at a name of the other
 * machine, which takes several messages: walk there, then look, list or open.
 */
#ifndef PSUITE_CORE_NINEP_JOB_H
#define PSUITE_CORE_NINEP_JOB_H

#include "core/ninep_files.h"

enum ninep_want {
    NINEP_WANT_NOTHING,
    NINEP_WANT_WALK,
    NINEP_WANT_STAT,
    NINEP_WANT_LIST,
    NINEP_WANT_OPEN
};

struct ninep_job {
    struct ninep_client *client;
    enum ninep_want want; /* NOTHING: this one is free */
    uint64_t path;        /* whose node */
    unsigned how;
    uint64_t age; /* of those that have ended the oldest gives way */

    bool ended;
    bool has_fid; /* it is there on the other side */
    bool given;   /* and is somebody else's now */
    int error;    /* 0, or negative with why filled */
    struct fail why;

    uint32_t fid;
    const char *name[NS_DEPTH_MOST]; /* where to: the nodes' */
    size_t names, walked;
    struct ns_stat stat;
    struct buf list;  /* stat records; its data's length is the next offset */
    size_t at, index; /* the record that entry comes to next */
};

/* Begins, with client, want, path, how and names given: 0, or why it cannot; it is free again. */
int ninep_job_begin(struct ninep_job *job, struct fail *f);
/* Frees what it has: it is free for another. The fid is clunked, unless it was given away. */
void ninep_job_release(struct ninep_job *job);

/* What a record tells. */
void ninep_stat_of(const struct ninep_stat *from, uint64_t path, struct ns_stat *out);

#endif
