/*
 * dev: a device as a table of files, and the server (core/ns/ns.h) that all of them share.
 *
 * A device has files, and may have directories that all hold the same files: a process's, an
 * interface's. A directory has a number of the device's own, over 0; of the device's own files it
 * is 0. A file's text is made when it is opened, and again when it is read from its start once
 * more; all who have it open see what is made for them.
 */
#pragma once

#include "core/ns/ns.h"

enum { DEV_MAX_MESSAGE = 512, DEV_MAX_FILES = 255 };

/* What is read from its start to its end, whatever the offset: see ns_calls.read. *opened, NULL
 * unless open sets it, is what the other two get. close: after an open that returned 0. Both may be
 * NULL. */
struct dev_stream {
    int (*open)(void *device, uint64_t directory, void **opened, struct fail *f);
    long (*read)(void *device, void *opened, void *bytes, size_t len, struct fail *f);
    void (*close)(void *device, void *opened);
};

struct dev_file {
    const char *name;
    uint32_t mode;      /* permission bits */
    bool guarded;       /* as in struct ns_stat, */
    bool owner_only;    /* so is this */
    unsigned alignment; /* reads begin at multiples of it; 0: anywhere */
    /* Appends the file's text; NULL: it has none. */
    int (*text)(void *device, uint64_t directory, struct buf *out, struct fail *f);
    /* How long that is, where a reader may want to know before; NULL: 0. Cheap. */
    size_t (*length)(void *device, uint64_t directory);
    /* A message, without the newline at its end. */
    int (*write)(void *device, uint64_t directory, const char *message, struct fail *f);
    /* In the place of text: a handle of plat/folder.h to read from. */
    int (*bytes)(void *device, uint64_t directory, struct fail *f);
    /* In the place of text. */
    const struct dev_stream *stream;
};

struct dev {
    const char *const *names;     /* "#c", "/dev"; NAME=FILE binds one file; ends with NULL */
    const struct dev_file *files; /* ends with a NULL name; may be NULL */
    const struct dev_file *inner; /* of each directory; NULL: there are none */
    size_t bytes;                 /* of its state, which begins as zeroes */
    int (*start)(void *device);   /* makes it ready; -ENOMEM; NULL: it is */
    void (*end)(void *device);    /* gives back all that start and writes took, but the state */
    int (*tend)(void *device);    /* as ns_calls.run_timers; may be NULL */
    int (*program)(void *device, int pid, struct fail *f); /* as ns_program; may be NULL */

    /* Directories: by name (-ENOENT); the index-th in a listing, 1, or 0 after the last; the name
     * of one that was found (-ENOENT when it is gone). */
    int (*find)(void *device, const char *name, uint64_t *directory, struct fail *f);
    int (*nth)(void *device, size_t index, uint64_t *directory, struct fail *f);
    int (*name)(void *device, uint64_t directory, char out[NS_NAME_MAX + 1], struct fail *f);
};

/* A server of it; ns_bind owns it. -ENOMEM. */
int dev_serve(const struct dev *dev, struct ns_server *out, struct fail *f);
