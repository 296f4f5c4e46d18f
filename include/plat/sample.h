/*
 * sample: the kernel's sampling of a process and all its threads, by perf events: a record at each
 * tick of a clock that runs while the process does. Raw records come out; core/perfrec decodes
 * them.
 */
#ifndef PSUITE_PLAT_SAMPLE_H
#define PSUITE_PLAT_SAMPLE_H

#include "core/fail.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sample_want {
    int pid;
    bool on_exec;      /* pid is a held child: start when it becomes the command */
    bool children;     /* also what it starts */
    uint64_t hz;       /* samples a second of running time */
    size_t ring_bytes; /* a CPU, rounded to pages; made smaller when the kernel will not lock so
                          much; 0 = default */
};

struct sampler;

/* -EACCES or -EPERM with the remedy, -ESRCH, -ENOSYS when the kernel has no perf events, -EMFILE.
 */
int sample_open(const struct sample_want *want, struct sampler **out, struct fail *f);
void sample_close(struct sampler *s);

/* How it is measured, "perf cpu-clock"; the rate the kernel really gives; the fields of each record
 * (perfrec.h). */
const char *sample_method(const struct sampler *s);
uint64_t sample_hz(const struct sampler *s);
unsigned sample_fields(const struct sampler *s);

/* Ready when a ring is half full: *handles is the sampler's, n are returned. */
size_t sample_handles(const struct sampler *s, const int **handles);

/* No more samples from now on; what the rings hold stays to be read. */
void sample_stop(struct sampler *s);

/* Hands every record now in the rings to take, ring by ring, each whole and in order within its
 * ring, and frees the room. The record's bytes are valid during the call only. */
void sample_read(struct sampler *s, void (*take)(void *arg, const void *record, size_t len),
                 void *arg);

#endif
