#include "iotrace.h"

struct traced *traced_add(struct iotrace *t, int tid)
{
    struct traced *x = threads_add(&t->threads, tid, sizeof *x);
    if (x)
        x->tid = x->placed.tid = tid;
    return x;
}

void traced_remove(struct iotrace *t, struct traced *x)
{
    place_forget(&t->place, &x->placed);
    if (x->in_call && x->call.call->kind == IO_CALL_CPUS)
        place_call_ends(&t->place);
    if (x->user_data)
        t->callbacks.thread_exited(t->callbacks.arg, x->user_data);
    threads_remove(&t->threads, x->tid);
}
