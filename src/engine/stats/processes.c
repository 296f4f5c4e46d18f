#include "processes.h"

#include "core/base/buf.h"
#include "core/base/time_ns.h"
#include "core/procfs/proc_stat.h"
#include "plat/proc.h"
#include "plat/sysfile.h"

#include <stdlib.h>

static void add_process(int pid, struct buf *text,
                        void (*add)(void *arg, const struct usage_process *p), void *arg)
{
    struct proc_stat s;
    size_t len;
    const char *name = proc_stat_name(text->data, &len);
    if (!name || !proc_stat_parse(text->data, &s))
        return;
    text->data[name - text->data + (ptrdiff_t)len] = '\0';
    add(arg,
        &(struct usage_process){.pid = pid,
                                .name = name,
                                .state = s.state,
                                .started = s.start_ticks,
                                .cpu_ns = (s.user_ticks + s.sys_ticks) * NS_PER_S / proc_ticks_hz(),
                                .threads = s.threads,
                                .resident_bytes = s.resident_pages * sysfile_page_bytes()});
}

void stats_processes_read(void (*add)(void *arg, const struct usage_process *p), void *arg)
{
    SCOPED_BUF text = BUF_INIT;
    SCOPED_FREE int *pid = malloc(STATS_PROCESSES_MAX * sizeof *pid);
    int count = pid ? proc_list(pid, STATS_PROCESSES_MAX, NULL) : 0;
    for (int i = 0; i < count && i < STATS_PROCESSES_MAX; i++) {
        buf_clear(&text);
        if (proc_text(pid[i], "stat", &text, NULL) == 0 && text.len)
            add_process(pid[i], &text, add, arg);
    }
}
