/*
 * sampled: a sampling in the making. Decoded records go in, in order of time; out come counts by
 * module and file offset, a set a thread when asked.
 *
 * Memory: 16 bytes a distinct (thread, module, offset), at 3/4 load, plus maps and modules. Over
 * MOST_PLACES distinct places new ones are counted as `outside`, so that no target can exhaust the
 * board.
 */
#ifndef PSUITE_CORE_SAMPLED_H
#define PSUITE_CORE_SAMPLED_H

#include "core/imap.h"
#include "core/module.h"
#include "core/perfrec.h"
#include "core/space.h"

enum { SAMPLED_MOST_PLACES = 2000000 };

/* One thread that was sampled. A tid used again by another thread is another one. */
struct sampled_thread {
    uint32_t pid, tid;
    char name[16];
    uint64_t samples, outside; /* outside: at no place, though the thread's */
};

struct sampled_want {
    uint32_t pid;  /* the process, 0 = any */
    bool children; /* and those it starts */
    bool threads;  /* counts a thread, not for all together */
    uint64_t hz;
};

struct sampled {
    struct sampled_want want;
    struct modules modules;
    struct spaces spaces;
    struct imap of_tid; /* tid -> thread index + 1 */
    struct sampled_thread *thread;
    size_t threads, spare; /* spare: index + 1 of one whose room may be used again */
    struct imap *places;   /* one, or one a thread: place -> samples; see sampled_place */
    size_t place_sets, place_count;
    size_t main_module; /* of the process's executable; SIZE_MAX until known */
    uint64_t samples;   /* in user mode, of the wanted processes */
    uint64_t outside;   /* of them: at an address that no module covers */
    uint64_t lost;      /* records the kernel dropped, samples among them */
    uint64_t user_ms;   /* user time the targets had by the kernel's books; 0: not known */
    uint64_t throttled; /* times the kernel paused the sampling */
    int err;            /* -ENOMEM once memory ended: what was counted before stands */

    /* Called for a module seen for the first time, mapped in pid at [start, end): gives it its
     * image, if it can. */
    void (*need_image)(void *arg, struct module *m, uint32_t pid, uint64_t start, uint64_t end);
    void *arg;
};

void sampled_init(struct sampled *s, const struct sampled_want *want);
void sampled_release(struct sampled *s);

void sampled_take(struct sampled *s, const struct perfrec *r);

/* What stood before the sampling began: the process's program (its path), /proc/PID/maps as text, a
 * thread's name. */
void sampled_maps(struct sampled *s, uint32_t pid, const char *program, const char *maps_text);
void sampled_name(struct sampled *s, uint32_t pid, uint32_t tid, const char *name);

/* A place packs a module and an offset in its file into a key. */
static inline uint64_t sampled_place(size_t module, uint64_t file_offset)
{
    return (uint64_t)module << 48 | (file_offset & 0xffffffffffffu);
}
static inline size_t sampled_place_module(uint64_t place)
{
    return (size_t)(place >> 48);
}
static inline uint64_t sampled_place_offset(uint64_t place)
{
    return place & 0xffffffffffffu;
}

#endif
