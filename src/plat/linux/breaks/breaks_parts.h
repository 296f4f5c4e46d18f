/*
 * breaks_parts: what breakpoints and steps are made of: breaks.c starts and ends, breaks_follow.c
 * and breaks_leave.c do so for programs of others, breaks_stops.c knows what a stop means,
 * breaks_step.c executes instructions, breaks_exclusive.c atomic sequences of them,
 * breaks_attach.c takes hold of a process that runs, breaks_attached.c steps its threads,
 * breaks_trap.c keeps it alive if we are killed, breaks_signals.c delivers signals, breaks_image.c
 * has the breakpoints of a memory, and breaks_reserve.c the memory of its slots.
 */
#pragma once

#include "core/containers/imap.h"
#include "core/insn/exclusive.h"
#include "plat/breaks.h"
#include "ptrace/place.h"
#include "ptrace/restart.h"
#include "ptrace/threads.h"
#include "ptrace/tracee_step.h"
#include "ptrace/tracee_trap.h"

#include <signal.h>

enum { TRACEE_BREAKPOINT_BYTES = 4 }; /* at most */

struct breaks_point {
    uint64_t address, slot;
    struct displaced code;
    bool set;                                   /* else it is only stepped, in its slot */
    uint8_t covers, covered[TRACEE_CODE_BYTES]; /* what the breakpoint has replaced */
};

struct breaks_slots { /* mapped memory for slots */
    uint64_t start;
    size_t used, cap; /* in slots */
};

struct breaks_sequence { /* an atomic one, whose copy stands in slots */
    uint64_t start;
    struct exclusive copy;
};

struct breaks_image {
    size_t threads; /* that run in it */
    int mem_fd;     /* of its /proc/PID/mem, which stays that of this memory */
    int pid;
    void *data;
    uint64_t system_call; /* an instruction of a system call; 0: none yet */
    bool attached;        /* it has no breakpoints, and its threads are always stepped */
    bool has_trap;        /* its SIGTRAP has the handler of breaks_trap.c, instead of: */
    uint64_t trap_before[TRACEE_ACTION_WORDS];
    struct breaks_point *point;
    size_t points, point_cap;
    struct imap index; /* by address: 1 + the point's */
    struct breaks_slots *slots;
    size_t slots_count, slots_cap;
    struct breaks_sequence *sequence;
    size_t sequences, sequence_cap;
};

enum broken_call { /* of a thread that is attached */
                   BROKEN_NO_CALL,
                   BROKEN_CALLS, /* it is about to make a system call */
                   BROKEN_IN_CALL,
};

struct broken { /* a traced thread */
    int tid;
    struct tracee tracee;
    struct placed placed;
    bool calls_cpus;            /* until its next stop it is in a call about CPUs */
    struct breaks_image *image; /* NULL: it is not known yet whose child it is */
    bool outside;               /* of a program that has no image, or of none yet */
    bool parked;                /* it is to be left, and stays stopped where it goes on: */
    int parked_signal;          /* with this one */
    bool in_vfork;              /* it waits for the child, and cannot be stopped until then */
    bool is_stopped;            /* new, and waits for its creator's stop */
    bool is_new;                /* its creator's stop came first */
    bool starting;              /* it has executed execve, and no instruction yet */
    bool stepping, over;        /* over: only the one instruction under a breakpoint */
    bool signalled;             /* it goes on with a signal: a handler may begin */
    uint64_t at;                /* stepping: this instruction is executed */
    uint64_t call;              /* or this system call once more, which is before it; 0: not so */
    size_t slot_of;             /* in the slot of this breakpoint: 1 + its index; 0: in none */
    struct tracee_aside aside;  /* of slot_of */
    size_t sequence;            /* in the copy of this one: 1 + its index; 0: in none */
    enum broken_call calling;
    struct restart restart;
    bool blocks_trap; /* attached: it would block SIGTRAP, which is never blocked */
    bool released;    /* outside: it is let go at its first stop */
    siginfo_t held;   /* si_signo: this signal is delivered when it has left the copy; */
    bool is_masked;   /* all others are blocked until then, instead of these */
    uint64_t mask;
};

struct breaks {
    struct child child; /* pid 0: it follows programs of others */
    bool leaving;
    size_t lost;
    struct breaks_callbacks callbacks;
    struct threads threads;
    struct place place;
    bool has_ended;
    uint64_t end_ns;
    struct child_end end;
};

/* --- breaks.c --- */

/* Waits for a stop, and handles it; false: nothing is left to wait for. */
bool breaks_handle_next(struct breaks *b);

/* --- breaks_image.c --- */

struct breaks_image *breaks_image_new(int pid, const struct breaks_image *copied);
void breaks_image_free(struct breaks_image *m);
const struct breaks_point *breaks_point_at(const struct breaks_image *m, uint64_t address);
/* Whose slot an address is in; NULL: in none. */
const struct breaks_point *breaks_point_of_slot(const struct breaks_image *m, uint64_t pc);
/* The instruction at an address, to be stepped in a slot; NULL: as breaks_set. */
const struct breaks_point *breaks_point_made(struct breaks_image *m, uint64_t address);
/* Where an address in a slot belongs; any other address is its own. */
uint64_t breaks_unslotted(const struct breaks_image *m, uint64_t pc);
bool breaks_read(const struct breaks_image *m, uint64_t address, void *to, size_t len);
bool breaks_write(const struct breaks_image *m, uint64_t address, const void *from, size_t len);
/* Code as it is without breakpoints; an exclusive_read of a struct breaks_image. */
bool breaks_read_code(void *image, uint64_t address, void *to, size_t len);
/* The code is as it was. */
void breaks_uncover(struct breaks_image *m);
/* Memory of so many slots, one behind the other; 0: nothing that was reserved is free. */
uint64_t breaks_take_slots(struct breaks_image *m, size_t slots);

/* --- breaks_step.c --- */

/* Goes on at pc, which is where it stopped unless moved. */
struct breaks_resume {
    uint64_t pc;
    bool moved; /* the thread's own pc is another */
    enum breaks_next next;
    int signal;
};
void broken_resume(struct breaks *b, struct broken *x, struct breaks_resume how);
/* Lets it go, where and as it is. */
void broken_go(struct breaks *b, struct broken *x, int signal);
/* The same by this request of ptrace. */
void broken_go_by(struct breaks *b, struct broken *x, int request, int signal);
/* Where it is, in the original, behind a step. */
uint64_t broken_leave_slot(struct broken *x, uint64_t pc);
/* Whether the instruction there is a call of the system. */
bool broken_is_call(const struct broken *x, uint64_t at);
/* A stop by SIGTRAP that is not an event's. */
void broken_trapped(struct breaks *b, struct broken *x);
/* It is gone; not killed: it had called for that, or another thread for all. */
void broken_exited(struct breaks *b, struct broken *x, bool not_killed);
/* It is somewhere that no report has led to. */
void broken_moved(struct breaks *b, struct broken *x, int signal);
struct breaks_stop broken_stop(struct broken *x, uint64_t pc, uint64_t from);

/* --- breaks_leave.c --- */

/* A thread has stopped that is to be left: it goes on as how says, but without us. */
void broken_park(struct breaks *b, struct broken *x, struct breaks_resume how);
/* The same of one that is not stepped, or was stopped for that, at any point. */
void broken_interrupted(struct breaks *b, struct broken *x, int signal);
/* A SIGTRAP, of its step or of a breakpoint, comes before its next instruction. */
bool broken_has_trap_pending(int tid);
/* All that have not stopped yet are asked to; what has is let go where it can be. False: only
 * zombies are left, and their processes have no breakpoints. */
bool breaks_sweep(struct breaks *b);
/* It has ended before the other threads of its process: it says so when they have. */
bool broken_is_zombie(int tid);
/* Lets one go that is stopped, and forgets it. */
void broken_detach(struct breaks *b, struct broken *x, int signal);

/* --- breaks_attached.c --- */

/* A thread that is attached has stopped. */
void attached_stop(struct breaks *b, struct broken *x, int event, int signal);
/* It goes on, by one instruction or one system call. */
void attached_go(struct breaks *b, struct broken *x, int signal);

/* --- breaks_trap.c --- */

/* By a stopped thread: sets the handler, and takes it back. -ENOTSUP: there is no code for it. */
int breaks_set_trap(struct broken *x);
void breaks_reset_trap(struct broken *x);
/* SIGTRAP is not blocked: what the kernel sends would kill it. first: nothing was changed yet. */
void broken_open_trap(struct broken *x, bool first);
/* It is blocked as the program had it. */
void broken_close_trap(const struct broken *x);

/* --- breaks_reserve.c --- */

/* The stopped thread makes a system call, and is then as before. */
int breaks_make_call(const struct breaks_stop *s, struct tracee_call *call, int64_t *result);

/* --- breaks_exclusive.c --- */

/* Puts it into the copy of the atomic sequence that begins at pc; false: none does. */
bool broken_enter_sequence(struct broken *x, uint64_t pc);
/* It has stopped in the copy, or at its end: reports what it has executed. The result is where it
 * is, in the original, and how it goes on. */
struct breaks_resume broken_leave_sequence(struct breaks *b, struct broken *x, uint64_t pc);

/* --- breaks_signals.c --- */

/* It executes a copy, whose end it has to reach. */
bool broken_in_copy(const struct broken *x);
/* A signal is about to be delivered to it. */
void broken_signalled(struct breaks *b, struct broken *x, int signal);
/* The same, of one that it had to wait for; false: there is none. */
bool broken_deliver_held(struct breaks *b, struct broken *x, struct breaks_resume how);

/* --- breaks_stops.c --- */

/* A new thread or process of a thread. */
void broken_cloned(struct breaks *b, const struct broken *parent, int event);
/* kill: when we end, it is killed. */
long breaks_options(bool kill);
struct broken *broken_add_outside(struct breaks *b, int tid);
void broken_set_image(struct breaks *b, struct broken *x, struct breaks_image *m);
void broken_remove(struct breaks *b, struct broken *x);
void breaks_on_wait_status(struct breaks *b, int tid, int status);
