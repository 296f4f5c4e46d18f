/*
 * ns: a name space: files by their Plan 9 names (`#c/sysstat`, `/dev/kpctl`), whatever server has
 * them.
 *
 * What has files is a struct ns_server: a device in this process, a folder of plain files, another
 * machine. It says them by paths, numbers of its own that mean one file each for as long as it
 * lives. A struct ns binds servers at names, and resolves, opens, reads and lists through them; a
 * tree is served outwards (FUSE, 9P) as core/ns/served.h has it.
 *
 *     ns_open(&ns, "#c/sysstat", NS_READ, &file, &f);
 *     while ((n = ns_read(file, offset, bytes, sizeof bytes, &f)) > 0) ...
 *     ns_close(file);
 *
 * Functions return 0 or a count, else a negative errno with f filled; ns_error turns that into the
 * string that Plan 9 has for it. Nothing here waits. A read of a file that has nothing to say now
 * is -EAGAIN, and the server's handle is ready when it is worth another try. Where the answer is
 * still on its way, as another machine's, any call is -EINPROGRESS: it was asked for, and the same
 * call returns it once it is there.
 */
#pragma once

#include "core/base/buf.h"
#include "core/base/fail.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    NS_NAME_MAX = 255,   /* bytes of one element of a name */
    NS_PATH_MAX = 4096,  /* of a whole name */
    NS_DEPTH_MAX = 64,   /* elements */
    NS_SERVERS_MAX = 32, /* bound at once */
};

/* How a file is opened: the low two bits as in 9P. */
enum { NS_READ = 0, NS_WRITE = 1, NS_BOTH = 2, NS_ACCESS = 3, NS_TRUNCATE = 0x10 };

struct ns_stat {
    uint64_t path;    /* the server's number of the file */
    uint32_t server;  /* which of the name space's; the name space fills this in */
    uint32_t version; /* changes with the contents, where the server knows; else 0 */
    bool directory;
    uint32_t mode;   /* permission bits, 0777 */
    bool guarded;    /* the kernel shows it to who may trace the process alone, whatever the mode */
    bool owner_only; /* it is opened for the user of the server alone, whatever the mode */
    uint64_t length; /* bytes; 0 for what is made when it is read */
    int64_t modified; /* seconds since 1970 */
    char name[NS_NAME_MAX + 1];
};

/* What a server implements. Path 0 is its root, a directory. Of walk and entry the names are single
 * elements, never "." or "..", never with a slash. */
struct ns_server {
    const struct ns_calls *calls;
    void *state;
};
/* Where a file is read or written: len bytes at the offset. */
struct ns_io {
    void *file; /* of open */
    uint64_t path, offset;
    size_t len;
};
/* What read_entry answers; of a NS_ENTRY_NAME only the name, the number and the kind are known. */
enum ns_entry_kind { NS_ENTRY_END, NS_ENTRY_STAT, NS_ENTRY_NAME };
struct ns_calls {
    int (*walk)(void *state, uint64_t directory, const char *name, uint64_t *path, struct fail *f);
    int (*stat)(void *state, uint64_t path, struct ns_stat *out, struct fail *f);
    /* The index-th file of a directory, from 0: 1, or 0 after the last. */
    int (*entry)(void *state, uint64_t directory, size_t index, struct ns_stat *out,
                 struct fail *f);
    /* The next three are of a server whose answers take time, and whose clients read directories as
     * files: they are NULL elsewhere. look: walk and stat in one; the path is held. */
    int (*look)(void *state, uint64_t directory, const char *name, uint64_t *path,
                struct ns_stat *out, struct fail *f);
    /* entry, of a directory that was opened: enum ns_entry_kind. */
    int (*read_entry)(void *state, void *file, uint64_t directory, size_t index,
                      struct ns_stat *out, struct fail *f);
    /* The path of an entry that read_entry has just answered, as walk would have it: held. */
    int (*hold)(void *state, uint64_t directory, const struct ns_stat *entry, uint64_t *path,
                struct fail *f);
    /* *file is what the others get; a server that needs none leaves NULL there. */
    int (*open)(void *state, uint64_t path, unsigned how, void **file, struct fail *f);
    long (*read)(void *state, const struct ns_io *io, void *bytes, struct fail *f);
    long (*write)(void *state, const struct ns_io *io, const void *bytes, struct fail *f);
    void (*close)(void *state, void *file, uint64_t path);
    /* A handle for plat/wait.h that is ready when a read that was -EAGAIN may be tried again; -1.
     * NULL where no read ever waits. */
    int (*handle)(void *state, void *file, uint64_t path);
    /* Gives back a path so many times: each that walk answered, but 0, is good until it was given
     * back as often as it was answered; then it is -ESTALE. What was not answered so often is
     * passed over. NULL: paths are good for ever, as a name space needs them. */
    void (*forget)(void *state, uint64_t path, uint64_t times);
    /* Work that cannot wait for a read: how many ms until the next time, -1: none is waiting. NULL
     * where there never is any. */
    int (*run_timers)(void *state);
    /* As ns_program; NULL: programs do not matter. */
    int (*program)(void *state, int pid, struct fail *f);
    void (*end)(void *state); /* the server itself; NULL: nothing to do */
};

/* --- the name space --- */

struct ns_mount {
    char name[NS_NAME_MAX + 1];  /* cleaned: "#c", "/dev", "/" */
    char under[NS_NAME_MAX + 1]; /* the server's directory that is bound there: "", "dev" */
    size_t depth;                /* elements of the name */
    struct ns_server server;
};
struct ns {
    struct ns_mount mount[NS_SERVERS_MAX]; /* longer names first */
    size_t mounts;
};
#define NS_INIT                                                                                    \
    {                                                                                              \
        .mounts = 0                                                                                \
    }

/* Binds what the server has below its file `under` ("" its root) at a name. Of several at one name
 * the first that knows a file has it, and a longer name goes before a shorter. The name space owns
 * the server from then on, also when this fails, and ends it once, however often it is bound.
 * -ENOSPC, -EINVAL, -ENAMETOOLONG. */
int ns_bind(struct ns *ns, const char *name, const char *under, struct ns_server server,
            struct fail *f);
void ns_release(struct ns *ns); /* files that are open must have been closed */

/* Names: elements with slashes between; a leading '#' names a device, else they start at the root.
 * "." and ".." are resolved by the letters alone, and do not lead out of a device. A directory
 * that is there only because something is bound below it can be listed. */
struct ns_file {
    struct ns_server server;
    void *file; /* as the server opened it */
    uint64_t path;
    unsigned how;
};
int ns_open(const struct ns *ns, const char *name, unsigned how, struct ns_file **out,
            struct fail *f);
void ns_close(struct ns_file *file); /* NULL: nothing */
/* The same of a server's file, in memory of the caller's. */
int ns_file_open(const struct ns_server *server, uint64_t path, unsigned how, struct ns_file *out,
                 struct fail *f);
void ns_file_close(struct ns_file *file);
int ns_stat(const struct ns *ns, const char *name, struct ns_stat *out, struct fail *f);

/* Each file of a directory, once; visit says 0, or what ends the listing. */
typedef int ns_visit(void *arg, const struct ns_stat *file);
int ns_list(const struct ns *ns, const char *name, ns_visit *visit, void *arg, struct fail *f);

/* At most len bytes from offset: how many, 0 at the end. A write is one message: all of it or an
 * error. -EBADF when the file was not opened so. */
long ns_read(struct ns_file *file, uint64_t offset, void *bytes, size_t len, struct fail *f);
long ns_write(struct ns_file *file, uint64_t offset, const void *bytes, size_t len, struct fail *f);
int ns_handle(struct ns_file *file); /* see ns_calls; -1 */

/* Neither done nor failed: -EAGAIN or -EINPROGRESS. */
static inline bool ns_would_block(long r)
{
    return r == -EAGAIN || r == -EINPROGRESS;
}

/* For the owner of a name space: lets servers work, and returns in how many ms it is to be
 * called again at the latest; -1: not before something was opened or written. */
int ns_run_timers(const struct ns *ns);

/* For the owner of a name space that runs programs: tells the servers of one, by its process, which
 * is held before its exec. 0: there is none yet, but there may be. An error: it shall not run. */
int ns_program(const struct ns *ns, int pid, struct fail *f);

/* Opens, appends all that it says, at most `most` bytes (else -EFBIG), closes. */
int ns_text(const struct ns *ns, const char *name, size_t max_len, struct buf *out, struct fail *f);

/* Plan 9's string for a failure: the failure's own words where the server chose them (err 0), else
 * "file does not exist", "permission denied", "file is a directory" ... by its errno. */
const char *ns_error(const struct fail *f);

/* --- for those that serve names --- */

struct ns_elements {
    const char *at[NS_DEPTH_MAX]; /* into text */
    size_t count;
    char text[NS_PATH_MAX + 1];
};
/* The elements of a name, cleaned; a device is the first of them. -ENAMETOOLONG. */
int ns_split(const char *name, struct ns_elements *out, struct fail *f);
