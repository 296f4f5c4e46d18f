/*
 * breaks_parts: what breakpoints and steps are made of: breaks.c starts and ends, breaks_stops.c
 * knows what a stop means, breaks_step.c executes instructions, breaks_image.c has the breakpoints
 * of a memory, and breaks_reserve.c the memory of its slots.
 */
#ifndef PSUITE_PLAT_LINUX_PTRACE_BREAKS_PARTS_H
#define PSUITE_PLAT_LINUX_PTRACE_BREAKS_PARTS_H

#include "core/containers/imap.h"
#include "plat/breaks.h"
#include "threads.h"
#include "tracee_step.h"

struct breaks_point {
    uint64_t address, slot;
    struct displaced code;
};

struct breaks_slots { /* mapped memory for slots */
    uint64_t start;
    size_t used, cap; /* in slots */
};

struct breaks_image {
    size_t threads; /* that run in it */
    int mem_fd;     /* of its /proc/PID/mem, which stays that of this memory */
    int pid;
    void *data;
    uint64_t system_call; /* an instruction of a system call; 0: none yet */
    struct breaks_point *point;
    size_t points, point_cap;
    struct imap index; /* by address: 1 + the point's */
    struct breaks_slots *slots;
    size_t slots_count, slots_cap;
};

struct broken { /* a traced thread */
    int tid;
    struct breaks_image *image; /* NULL: it is not known yet whose child it is */
    bool is_stopped;            /* new, and waits for its creator's stop */
    bool is_new;                /* its creator's stop came first */
    bool starting;              /* it has executed execve, and no instruction yet */
    bool stepping, over;        /* over: only the one instruction under a breakpoint */
    bool signalled;             /* it goes on with a signal: a handler may begin */
    uint64_t at;                /* stepping: this instruction is executed */
    uint64_t call;              /* or this system call once more, which is before it; 0: not so */
    size_t slot_of;             /* in the slot of this breakpoint: 1 + its index; 0: in none */
};

struct breaks {
    struct child child;
    struct breaks_callbacks callbacks;
    struct threads threads;
    bool has_ended;
    int status;
    uint64_t end_ns;
    struct child_end end;
};

/* --- breaks_image.c --- */

struct breaks_image *breaks_image_new(int pid, const struct breaks_image *copied);
void breaks_image_free(struct breaks_image *m);
const struct breaks_point *breaks_point_at(const struct breaks_image *m, uint64_t address);
/* Where an address in a slot belongs; any other address is its own. */
uint64_t breaks_unslotted(const struct breaks_image *m, uint64_t pc);
bool breaks_read(const struct breaks_image *m, uint64_t address, void *to, size_t len);
bool breaks_write(const struct breaks_image *m, uint64_t address, const void *from, size_t len);

/* --- breaks_step.c --- */

/* Goes on at pc, which is where it stopped unless moved. */
struct breaks_resume {
    uint64_t pc;
    bool moved; /* the thread's own pc is another */
    enum breaks_next next;
    int signal;
};
void broken_resume(struct breaks *b, struct broken *x, struct breaks_resume how);
/* A stop by SIGTRAP that is not an event's. */
void broken_trapped(struct breaks *b, struct broken *x);
/* A signal is about to be delivered to it. */
void broken_signalled(struct breaks *b, struct broken *x, int signal);
/* It is gone; not killed: it had called for that, or another thread for all. */
void broken_exited(struct breaks *b, const struct broken *x, bool not_killed);
/* It is somewhere that no report has led to. */
void broken_moved(struct breaks *b, struct broken *x, int signal);
struct breaks_stop broken_stop(const struct broken *x, uint64_t pc, uint64_t from);

/* --- breaks_stops.c --- */

long breaks_options(void);
struct broken *broken_add(struct breaks *b, int tid);
void broken_set_image(struct breaks *b, struct broken *x, struct breaks_image *m);
void breaks_on_wait_status(struct breaks *b, int tid, int status);

#endif
