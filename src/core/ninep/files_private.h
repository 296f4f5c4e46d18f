/*
 * ninep_files_private: the parts of core/ninep/files.h: files.c has the names and what is asked of
 * them, files_open.c the open files, files_tree.c what a file server of a kernel needs.
 */
#pragma once

#include "core/ninep/files.h"
#include "core/ns/names.h"

#include "transfer.h"
#include "walk_job.h"

struct ninep_open {
    struct ninep_open *next, *previous;
    uint32_t fid;
    bool lost; /* its connection has ended */
    struct ninep_transfer read, write;
    struct ninep_listing listing;
};

struct ninep_files {
    struct ninep_client *client; /* NULL: not connected */
    unsigned connection;         /* which one it is or will be, from 1 */
    int handle;
    uint64_t age;
    struct ns_names names;
    struct ninep_job job[NINEP_JOBS];
    struct ninep_open *open;
    size_t opens;
    struct ninep_owner owner;
};

/* --- files.c --- */

/* 0: *job has ended, and well; it is the caller's to end. Else what to return. */
int ninep_poll_job(struct ninep_files *s, enum ninep_job_kind kind, uint64_t path, unsigned how,
                   struct ninep_job **job, struct fail *f);
void ninep_end_job(struct ninep_files *s, struct ninep_job *job);
/* Whether a call that gave *r was waited for, and is to be made again; else it gives *r. */
bool ninep_waited(struct ninep_files *s, long *r, struct fail *f);

/* --- files_open.c: of struct ns_calls --- */

int ninep_files_open(void *state, uint64_t path, unsigned how, void **file, struct fail *f);
long ninep_files_read(void *state, const struct ns_io *io, void *bytes, struct fail *f);
long ninep_files_write(void *state, const struct ns_io *io, const void *bytes, struct fail *f);
void ninep_files_close(void *state, void *file, uint64_t path);
int ninep_files_handle(void *state, void *file, uint64_t path);
void ninep_lose_all(struct ninep_files *s); /* the connection ends */
void ninep_close_all(struct ninep_files *s);
