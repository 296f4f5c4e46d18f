/*
 * sched_names: the names of tasks and the texts of marks, which do not fit into an event.
 */
#pragma once

#include "core/containers/imap.h"
#include "core/trace/syscalls.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    SCHED_NAME_BYTES = 16, /* the kernel's, its NUL counted */
    SCHED_TEXT_BYTES = 128,
    SCHED_NAMES_MAX = 1 << 15, /* tasks; then those go that had no event for long */
    SCHED_NAMES_RETIRED = 2048,
    SCHED_TEXTS_MAX = 1 << 14,
    SCHED_NAMES_RECENT = 256,
};

struct sched_name {
    int32_t pid, parent; /* parent 0: not known */
    uint32_t changes;    /* of the name here, and of whose it is */
    uint32_t next;       /* the number of the one that was retired after it */
    uint64_t set_ns;     /* when it had this one */
    uint32_t before;     /* the number of the one that was retired before it */
    bool seen;           /* since the search for one that may go came past */
    bool retired;
    char name[SCHED_NAME_BYTES];
};

struct sched_names {
    struct imap index;                   /* pid -> number */
    uint32_t recent[SCHED_NAMES_RECENT]; /* the number of the pid that was named last, of those that
                                            have these low bits */
    struct sched_name *name;
    size_t names, cap;
    size_t hand;             /* where that search goes on */
    uint32_t oldest, newest; /* numbers of those that were retired; 0: none was */
    size_t retired;
    char (*text)[SCHED_TEXT_BYTES]; /* of marks, by number */
    size_t texts, texts_cap;
    size_t dropped;               /* texts over the limit; names and texts without memory */
    enum syscall_machine machine; /* whose system calls they are */
};

void sched_names_release(struct sched_names *n);

/* Copies a name of len bytes at most, up to a NUL, that the task had at time_ns; one that is known
 * to be later stays. True when it is another than before. */
bool sched_names_set(struct sched_names *n, int32_t pid, uint64_t time_ns, const char *name,
                     size_t len);
void sched_names_fork(struct sched_names *n, int32_t parent, int32_t child);

/* The task is gone, and the caller has nothing more of it: its name, which others may still refer
 * to, leaves when SCHED_NAMES_RETIRED more are retired and a new one comes. */
void sched_names_retire(struct sched_names *n, int32_t pid);

/* "" when not known; of pid 0 "idle". Never NULL; valid until the next name is set. */
const char *sched_names_get(const struct sched_names *n, int32_t pid);
int32_t sched_names_parent(const struct sched_names *n, int32_t pid); /* 0: not known */

/* Of a task that has a name: name[number - 1]; 0: it has none. */
uint32_t sched_names_number(const struct sched_names *n, int32_t pid);

/* The name of a SCHED_CALL's or SCHED_RETURN's system call by `number' and the event's flags; NULL:
 * not known, or the event is of another kind. */
const char *sched_names_call(const struct sched_names *n, unsigned kind, uint32_t number,
                             uint8_t flags);

/* Keeps a text, cut to fit, without its line's end; its number for `what` of SCHED_USER: from 1, 0
 * when there is no room. */
uint32_t sched_names_add_text(struct sched_names *n, const char *text, size_t len);
const char *sched_names_get_text(const struct sched_names *n, uint32_t number); /* never NULL */
