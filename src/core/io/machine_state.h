/* machine_state: what the parts of core/io/machine.h share. */
#pragma once

#include "core/containers/imap.h"
#include "core/io/machine.h"

enum { MACHINE_NAME = IO_MACHINE_NAME - 8 }; /* with its NUL; ` (ended)' follows */

/* What a row has, of the last round and since the first one. */
struct machine_amount {
    struct proc_io now, total;
};

struct machine_process {
    int pid, parent;
    uint64_t started;
    uint64_t round; /* that saw it last */
    char name[MACHINE_NAME];
    bool at_start; /* was there in the first round */
    bool readable, based, gone;
    struct proc_io whole; /* as it was read last */
    struct proc_io ended; /* of it, at least, of threads and children that ended */
    /* Of children that vanished, counted in rows of their own: in this round and the one before. A
     * child that vanished was added to its parent before that is read in the next round. */
    struct proc_io debt, old_debt;
    struct io_thread *thread; /* by tid */
    size_t threads;
    struct machine_amount own, by_ended;
    uint64_t wait_now_ns, wait_ns;
};

struct io_machine {
    struct machine_process *process; /* those that ended, too */
    size_t count, cap;
    struct imap of_pid;         /* of those that live: the number in process + 1 */
    struct machine_amount rest; /* of the first ones that ended, and their children */
    uint64_t rest_wait_ns, rest_count;
    uint64_t round;
    struct io_round first, before, last;
    bool failed;
};
