#include "sleeping_threads.h"

#include "core/procfs/proc_stat.h"
#include "plat/clock.h"
#include "plat/proc.h"

#include <stdio.h>
#include <stdlib.h>

enum { MAX_THREADS = 32768 };

static bool thread_text(int pid, int tid, const char *file, struct buf *out)
{
    char path[40];
    snprintf(path, sizeof path, "task/%d/%s", tid, file);
    buf_clear(out);
    return proc_text(pid, path, out, NULL) == 0;
}

static void learn_thread(struct sampling *s, int pid, int tid, uint64_t now_ns, struct buf *text)
{
    struct proc_stat stat;
    uint64_t pc = 0;
    if (!thread_text(pid, tid, "stat", text) || !proc_stat_parse(buf_str(text), &stat) ||
        !proc_stat_sleeps(&stat))
        return;
    if (thread_text(pid, tid, "syscall", text))
        proc_syscall_pc(buf_str(text), &pc);
    sampled_asleep(&s->sampled, (uint32_t)pid, (uint32_t)tid, pc, now_ns);
}

void sampling_learn_sleepers(struct sampling *s, int pid)
{
    struct buf text = BUF_INIT;
    uint64_t now_ns = clock_mono_ns(); /* before any is looked at */
    int *tid = malloc(MAX_THREADS * sizeof *tid);
    int n = tid ? proc_threads(pid, tid, MAX_THREADS, NULL) : 0;
    for (int i = 0; i < n && i < MAX_THREADS; i++)
        learn_thread(s, pid, tid[i], now_ns, &text);
    buf_release(&text);
    free(tid);
}
