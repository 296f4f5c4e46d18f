/*
 * ninep_job: parts of core/ninep/files.h: a job is something asked for at a name of the other
 * machine, which takes several messages: walk there, then look or open.
 */
#pragma once

#include "core/ninep/files.h"
#include "listing.h"

enum ninep_job_kind {
    NINEP_JOB_NONE,
    NINEP_JOB_WALK,
    NINEP_JOB_STAT,
    NINEP_JOB_LIST,
    NINEP_JOB_OPEN
};

struct ninep_job {
    struct ninep_client *client;
    enum ninep_job_kind kind; /* NINEP_JOB_NONE: this one is free */
    uint64_t path;            /* of which name, held */
    unsigned how;
    uint64_t age; /* the oldest finished one is replaced */

    bool ended;
    bool stat_sent; /* behind the last walk, and is not answered */
    bool walk_failed;
    bool has_fid;   /* it is there on the other side */
    bool fid_moved; /* and now belongs to another caller */
    int error;      /* 0, or negative with why filled */
    struct fail failure;

    uint32_t fid;
    const char *name[NS_DEPTH_MAX]; /* where to: texts of struct ns_names */
    size_t names, walked;
    struct ns_stat stat;          /* its path is the server's number of the file */
    struct ninep_listing listing; /* of a directory, which is open once the job has ended */
};

/* Begins, with client, want, path, how and names given: 0, or why it cannot; it is free again. */
int ninep_job_begin(struct ninep_job *job, struct fail *f);
/* Frees what it has: it is free for another. The fid is clunked, unless it was given away. */
void ninep_job_release(struct ninep_job *job);

/* What a record tells; the path is the server's number of the file. */
void ninep_stat_of(const struct ninep_stat *from, struct ns_stat *out);
