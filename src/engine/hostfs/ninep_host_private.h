/*
 * ninep_host_private: ninep_host is the tree and what it has; ninep_host_names the calls about
 * names and attributes; ninep_host_open those about open files. Nodes and their descriptors are
 * those of hostfs (hostfs.h): a path is a node's number, counted from 0.
 */
#pragma once

#include "hostfs.h"

#include "core/ninep/tree.h"
#include "engine/hostfs/ninep_host.h"

struct host_file {
    struct hostfs_file open;
    bool privileged; /* has a set-user-id bit that another user's write is to take away */
};
struct ninep_host_files {
    struct hostfs fs;
    uint32_t asker;        /* HOSTFS_NOBODY: unknown */
    bool fresh;            /* what follows was looked at by this request, */
    uint64_t seen_path;    /* whose answer tells it */
    struct tree_attr seen; /* again */
};

/* -errno as it is, with f filled; what is not negative passes. */
int host_result(int r, const char *name, struct fail *f);

static inline uint64_t host_node(uint64_t path)
{
    return path + FUSE_NODE_ROOT;
}

/* What the tree found is answered: its path, and its attributes if they are asked for next. */
void host_found(struct ninep_host_files *h, const struct hostfs_entry *e, uint64_t *path);
void host_seen(struct ninep_host_files *h, uint64_t path, const struct tree_attr *a);
/* New files belong to the user that the client attached as. */
struct hostfs_new host_new(const struct ninep_host_files *h, const char *name,
                           const struct ninep_new_file *file);

/* --- ninep_host_names --- */

int host_walk(void *state, uint64_t directory, const char *name, uint64_t *path, struct fail *f);
int host_stat(void *state, uint64_t path, struct ns_stat *out, struct fail *f);
int host_attr(void *state, void *file, uint64_t path, struct ns_attr *out, struct fail *f);
int host_change(void *state, void *file, uint64_t path, const struct ns_change *change,
                struct fail *f);
int host_make(void *state, uint64_t directory, const char *name, const struct ninep_new_file *file,
              uint64_t *path, struct fail *f);
int host_link(void *state, uint64_t directory, const char *name, uint64_t path, struct fail *f);
long host_target(void *state, uint64_t path, char *target, size_t cap, struct fail *f);
int host_rename(void *state, uint64_t from, const char *name, uint64_t to, const char *newname,
                struct fail *f);
int host_move(void *state, uint64_t path, bool same, uint64_t directory, const char *newname,
              struct fail *f);
int host_unlink(void *state, uint64_t directory, const char *name, bool is_directory,
                struct fail *f);
int host_remove(void *state, uint64_t path, struct fail *f);
long host_value(void *state, uint64_t path, const char *name, void *to, size_t cap, struct fail *f);
int host_set_value(void *state, uint64_t path, const char *name, const void *value, size_t len,
                   uint32_t flags, struct fail *f);
int host_space(void *state, uint64_t path, struct ns_statfs *out, struct fail *f);

/* --- ninep_host_open --- */

int host_open(void *state, uint64_t path, unsigned how, void **file, struct fail *f);
int host_create(void *state, uint64_t directory, const char *name,
                const struct ninep_new_file *file, unsigned how, uint64_t *path, void **opened,
                struct fail *f);
long host_read(void *state, const struct ns_io *io, void *bytes, struct fail *f);
long host_write(void *state, const struct ns_io *io, const void *bytes, struct fail *f);
int host_next(void *state, void *file, uint64_t path, uint64_t cookie, struct ns_entry *out,
              struct fail *f);
int host_sync(void *state, void *file, uint64_t path, bool data_only, struct fail *f);
int host_lock(void *state, void *file, uint64_t path, struct ninep_lock *lock, bool test,
              struct fail *f);
void host_close(void *state, void *file, uint64_t path);
