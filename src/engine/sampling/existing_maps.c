/* State before the first sample: processes and their mappings, the kernel. */
#include "core/symbol/kernel_idle.h"
#include "plat/proc.h"
#include "private.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAX_NAMES = 4096, MAX_PROCESSES = 32768 };

static void learn_names(struct sampling *s, int pid)
{
    SCOPED_FREE int *tid = malloc(MAX_NAMES * sizeof *tid);
    int n = tid ? proc_threads(pid, tid, MAX_NAMES, NULL) : 0;
    SCOPED_BUF name = BUF_INIT;
    for (int i = 0; i < n && i < MAX_NAMES; i++) {
        char path[32];
        snprintf(path, sizeof path, "task/%d/comm", tid[i]);
        buf_clear(&name);
        if (proc_text(pid, path, &name, NULL) == 0)
            sampled_name(&s->sampled, (uint32_t)pid, (uint32_t)tid[i], buf_str(&name));
    }
}

int sampling_learn_process(struct sampling *s, int pid, struct fail *f)
{
    SCOPED_BUF maps = BUF_INIT, program = BUF_INIT;
    bool only_kernel = s->sampled.want.no_user;
    int r = only_kernel ? 0 : proc_text(pid, "maps", &maps, f);
    proc_program(pid, &program);
    if (r == 0 && !only_kernel)
        mapped_maps(&s->sampled.mapped, (uint32_t)pid, buf_str(&program), buf_str(&maps));
    if (r == 0 && (s->sampled.want.by != SAMPLED_WHOLE || s->sampled.hooks.counted))
        learn_names(s, pid);
    return r;
}

int sampling_learn_all(struct sampling *s, struct fail *f)
{
    if (s->sampled.want.no_user && s->sampled.want.by == SAMPLED_WHOLE)
        return 0;
    SCOPED_FREE int *pid = malloc(MAX_PROCESSES * sizeof *pid);
    int n = pid ? proc_list(pid, MAX_PROCESSES, f) : fail_set(f, ENOMEM, "processes");
    for (int i = 0; i < n && i < MAX_PROCESSES; i++) {
        sampling_learn_process(s, pid[i], NULL);
        if (s->run.window_ns) /* what is sampled meanwhile does not count, but fills the rings */
            sampling_poll(s);
    }
    return n < 0 ? n : 0;
}

static void learn_idle(struct sampling *s)
{
    const struct symtab *names = symbols_of_kernel(&s->symbols);
    for (size_t i = 0; names && i < symtab_count(names); i++) {
        const struct symbol *sym = symtab_at(names, i);
        if (kernel_idle(sym->name))
            sampled_idle(&s->sampled, sym->start, sym->end);
    }
}

void sampling_learn_kernel(struct sampling *s)
{
    struct mapped *mapped = &s->sampled.mapped;
    symbols_map_kernel(&s->symbols, mapped);
    learn_idle(s);
    /* Where only the kernel is sampled, it is the program. */
    const struct module *kernel = mapped_kernel_named(mapped, "[kernel]");
    if (s->sampled.want.no_user && kernel)
        mapped->main_module = kernel->id;
}
