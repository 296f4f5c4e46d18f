/* Tasks and mappings; samples are counted in sampled_count.c. */
#include "sampled_count.h"

#include "core/maps.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_MODULES = 0xfff0 };

void sampled_init(struct sampled *s, const struct sampled_want *want)
{
    *s = (struct sampled){.want = *want,
                          .event = {"cpu-clock", true},
                          .nodes = INTERN_OF(struct sampled_node),
                          .ends = {.each = sizeof(struct sampled_end), .key = 8},
                          .cells = {.each = sizeof(struct sampled_cell), .key = 8},
                          .main_module = SIZE_MAX};
}

void sampled_release(struct sampled *s)
{
    modules_release(&s->modules);
    spaces_release(&s->spaces);
    imap_release(&s->of_tid);
    intern_release(&s->nodes);
    intern_release(&s->cells);
    intern_release(&s->ends);
    free(s->late_stacks);
    waits_release(&s->pairing);
    free(s->thread);
    free(s->timeline);
    free(s->cell_of);
    *s = (struct sampled){0};
}

static void no_memory(struct sampled *s)
{
    s->err = -ENOMEM;
}

/* --- threads --- */

static size_t spare_thread(struct sampled *s)
{
    if (s->spare) {
        size_t at = s->spare - 1;
        s->spare = 0;
        return at;
    }
    struct sampled_thread *grown = realloc(s->thread, (s->threads + 1) * sizeof *grown);
    if (!grown)
        return SIZE_MAX;
    s->thread = grown;
    return s->threads++;
}

static struct sampled_thread *thread_new(struct sampled *s, uint32_t pid, uint32_t tid)
{
    uint64_t *index = imap_at(&s->of_tid, tid);
    size_t at = spare_thread(s);
    if (!index || at == SIZE_MAX) {
        no_memory(s);
        return NULL;
    }
    s->thread[at] = (struct sampled_thread){.pid = pid, .tid = tid};
    *index = at + 1;
    return &s->thread[at];
}

/* A thread that ended unsampled leaves its room to the next: many short ones cost nothing. One that
 * was sampled may be so again, on its way out; who has its tid after it is announced by a fork. */
static void thread_ended(struct sampled *s, uint32_t tid)
{
    size_t i = (size_t)imap_get(&s->of_tid, tid);
    if (!i || s->thread[i - 1].samples || s->spare || s->counted)
        return;
    *imap_at(&s->of_tid, tid) = 0;
    s->spare = i;
}

size_t sampled_thread_of(struct sampled *s, uint32_t pid, uint32_t tid)
{
    size_t i = (size_t)imap_get(&s->of_tid, tid);
    if (i && s->thread[i - 1].pid == pid)
        return i - 1;
    const struct sampled_thread *t = thread_new(s, pid, tid);
    return t ? (size_t)(t - s->thread) : SIZE_MAX;
}

static void set_name(struct sampled_thread *t, const char *name)
{
    size_t len = strcspn(name, "\n");
    if (len >= sizeof t->name)
        len = sizeof t->name - 1;
    memcpy(t->name, name, len);
    t->name[len] = '\0';
}

void sampled_name(struct sampled *s, uint32_t pid, uint32_t tid, const char *name)
{
    if (s->want.by == SAMPLED_BY_PROCESS && tid != pid)
        return;
    size_t t = sampled_thread_of(s, pid, tid);
    if (t != SIZE_MAX)
        set_name(&s->thread[t], name);
}

static void thread_started(struct sampled *s, const struct perfrec *r)
{
    char name[16] = "";
    bool processes = s->want.by == SAMPLED_BY_PROCESS;
    size_t parent = (size_t)imap_get(&s->of_tid, processes ? r->ppid : r->ptid);
    if (processes && r->pid == r->ppid)
        return;
    if (parent)
        memcpy(name, s->thread[parent - 1].name, sizeof name);
    struct sampled_thread *t = thread_new(s, r->pid, r->tid);
    if (t)
        memcpy(t->name, name, sizeof name);
}

/* --- mappings --- */

static void map_module(struct sampled *s, uint32_t pid, const struct space_map *at,
                       const char *path, const struct module_identity *id)
{
    bool is_new;
    struct module_identity whose = *id;
    if (module_path_is_private(path))
        whose.pid = pid;
    struct module *m =
        s->modules.count < MOST_MODULES ? module_intern(&s->modules, path, &whose, &is_new) : NULL;
    if (!m) {
        no_memory(s);
        return;
    }
    struct space_map map = *at;
    map.module = m->id;
    if (!m->file)
        map.file_offset = strcmp(m->path, "[vdso]") == 0 ? 0 : at->start;
    if (spaces_map(&s->spaces, pid, &map) < 0)
        no_memory(s);
    if (is_new && s->need_image)
        s->need_image(s->arg, m, pid, at->start, at->end);
    /* The first file that a process maps for execution is its program, the second its dynamic
     * loader. */
    if (s->main_module == SIZE_MAX && m->file && pid == s->want.pid)
        s->main_module = m->id;
}

void sampled_kernel(struct sampled *s, uint64_t start, uint64_t end, const char *name)
{
    bool is_new;
    struct module *m = module_intern(&s->modules, name, &(struct module_identity){0}, &is_new);
    if (!m) {
        no_memory(s);
        return;
    }
    m->kernel = true;
    m->told.text_start = start;
    struct space_map map = {start, end, start, m->id};
    if (spaces_map(&s->spaces, SAMPLED_KERNEL, &map) < 0)
        no_memory(s);
    if (is_new && s->need_image)
        s->need_image(s->arg, m, SAMPLED_KERNEL, start, end);
}

void sampled_idle(struct sampled *s, uint64_t start, uint64_t end)
{
    if (s->idle_codes < SAMPLED_MOST_IDLE)
        s->idle_code[s->idle_codes++] = (struct sampled_code){start, end};
}

bool sampled_kernel_at(const struct sampled *s, const char *name, struct sampled_code *out)
{
    for (size_t i = 0; i < s->modules.count; i++) {
        const struct module *m = s->modules.module[i];
        if (!m->kernel || strcmp(m->name, name) != 0)
            continue;
        const struct space_map *map = spaces_find(&s->spaces, SAMPLED_KERNEL, m->told.text_start);
        if (!map || map->module != i)
            return false;
        *out = (struct sampled_code){map->start, map->end};
        return true;
    }
    return false;
}

/* "[kernel.kallsyms]_text" is the kernel; "/lib/modules/.../ip-tables.ko.xz" is "[ip_tables]". */
static void kernel_mapped(struct sampled *s, const struct perfrec *r)
{
    char name[64] = "[";
    const char *slash = strrchr(r->name, '/'), *from = slash ? slash + 1 : r->name;
    size_t len = strcspn(from, slash ? "." : "]"), at = 1;
    if (strncmp(r->name, "[kernel.", 8) == 0 || !r->len) {
        from = "kernel";
        len = 6;
    } else if (*from == '[') {
        from++;
        len--;
    }
    for (size_t i = 0; i < len && at < sizeof name - 2; i++)
        name[at++] = from[i] == '-' ? '_' : from[i];
    memcpy(name + at, "]", 2);
    if (r->start + r->len > r->start)
        sampled_kernel(s, r->start, r->start + r->len, name);
}

static void mapped(struct sampled *s, const struct perfrec *r)
{
    if (r->pid == SAMPLED_KERNEL) {
        kernel_mapped(s, r);
        return;
    }
    struct space_map at = {
        .start = r->start, .end = r->start + r->len, .file_offset = r->file_offset};
    struct module_identity id = {
        .major = r->major, .minor = r->minor, .inode = r->inode, .build_id_len = r->build_id_len};
    memcpy(id.build_id, r->build_id, sizeof id.build_id);
    if (r->executable && at.end > at.start)
        map_module(s, r->pid, &at, r->name, &id);
}

void sampled_maps(struct sampled *s, uint32_t pid, const char *program, const char *text)
{
    struct maps_line line;
    while (maps_next(&text, &line)) {
        struct space_map at = {
            .start = line.start, .end = line.end, .file_offset = line.file_offset};
        struct module_identity id = {.major = line.major, .minor = line.minor, .inode = line.inode};
        if (line.executable)
            map_module(s, pid, &at, line.path, &id);
    }
    /* The program need not be the lowest file in memory: there its link in /proc knows better. */
    for (size_t i = 0; i < s->modules.count && pid == s->want.pid; i++)
        if (strcmp(s->modules.module[i]->path, program) == 0)
            s->main_module = i;
}

static void executed(struct sampled *s, const struct perfrec *r)
{
    if (spaces_exec(&s->spaces, r->pid) < 0)
        no_memory(s);
    if (r->pid == s->want.pid)
        s->main_module = SIZE_MAX;
}

void sampled_take(struct sampled *s, const struct perfrec *r)
{
    switch (r->type) {
    case PERFREC_SAMPLE:
        (sampled_is_switch(s, r) ? sampled_leaves : sampled_sample)(s, r);
        break;
    case PERFREC_SWITCH:
    case PERFREC_SWITCH_CPU_WIDE:
        sampled_switched(s, r);
        break;
    case PERFREC_MMAP:
    case PERFREC_MMAP2:
        mapped(s, r);
        break;
    case PERFREC_COMM:
        if (r->exec)
            executed(s, r);
        sampled_name(s, r->pid, r->tid, r->name);
        if (r->exec) /* under the number of the thread that the process began with */
            sampled_waits_task(s, r);
        break;
    case PERFREC_FORK:
        if (r->pid != r->ppid && spaces_fork(&s->spaces, r->pid, r->ppid) < 0)
            no_memory(s);
        thread_started(s, r);
        sampled_waits_task(s, r);
        break;
    case PERFREC_LOST:
        s->lost += r->lost;
        sampled_waits_task(s, r);
        break;
    case PERFREC_THROTTLE:
        s->throttled++;
        break;
    case PERFREC_EXIT:
        sampled_waits_task(s, r);
        if (s->want.by != SAMPLED_BY_PROCESS || r->tid == r->pid)
            thread_ended(s, r->tid);
        break;
    case PERFREC_UNTHROTTLE:
        break;
    }
}
