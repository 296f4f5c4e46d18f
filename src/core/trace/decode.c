#include "core/trace/decode.h"

#include "core/base/bytes.h"
#include "missed_switches.h"

#include <errno.h>
#include <string.h>

enum { IN_HARDIRQ = 0x08, IN_SOFTIRQ = 0x10, IN_NMI = 0x40 }; /* of common_flags */
enum { PROGRAM_BYTES = 4096 };
enum { REAL_TIME_BELOW = 100, POLICY_FIFO = 1, POLICY_DEADLINE = 6 };

static bool is_inside_record(const struct trace_field *f, const struct trace_record *r)
{
    return f->offset <= r->len && f->size <= r->len - f->offset;
}

/* Most are of the kernel's int. */
static int64_t read_number(const struct trace_point *p, size_t i, const struct trace_record *r)
{
    const struct trace_field *f = &p->used[i];
    if (f->size == 4 && f->is_signed && is_inside_record(f, r))
        return (int32_t)get_le32(r->bytes + f->offset);
    return trace_field_number(f, r->bytes, r->len);
}

static void name_task(struct trace_decoder *d, const struct trace_point *p, size_t i,
                      const struct trace_record *r, int32_t pid)
{
    const struct trace_field *f = &p->used[i];
    bool here =
        f->size == SCHED_NAME_BYTES && !f->data_loc && !f->rel_loc && is_inside_record(f, r);
    size_t len = SCHED_NAME_BYTES;
    if (pid <= 0)
        return;
    const char *name =
        here ? (const char *)r->bytes + f->offset : trace_field_text(f, r->bytes, r->len, &len);
    if (len && name[0])
        sched_names_set(d->names, pid, r->time_ns, name, len);
}

static void set_priority(struct sched_event *e, int64_t priority)
{
    e->priority = (int16_t)priority;
    e->policy = priority < 0 ? POLICY_DEADLINE : priority < REAL_TIME_BELOW ? POLICY_FIFO : 0;
}

static struct sched_event make_event(const struct trace_decoder *d, unsigned kind, int64_t pid)
{
    struct sched_event e = d->next;
    e.kind = (uint8_t)kind;
    e.pid = (int32_t)pid;
    return e;
}

static void emit_event(struct trace_decoder *d, const struct sched_event *e)
{
    d->emit(d->arg, e);
}

/* --- switches --- */

enum { PREV_PID, PREV_PRIO, PREV_STATE, NEXT_PID, NEXT_PRIO, PREV_COMM, NEXT_COMM };
static const char *const switch_fields[] = {"prev_pid",  "prev_prio", "prev_state", "next_pid",
                                            "next_prio", "prev_comm", "next_comm",  NULL};

/* 0: it could run on. */
static uint8_t state_letter(const struct trace_point *p, uint64_t state)
{
    for (size_t i = p->states; i-- > 0;)
        if (state & p->state[i].bit)
            return (uint8_t)p->state[i].letter;
    return 0;
}

static void emit_switch_out(struct trace_decoder *d, const struct trace_point *p,
                            const struct trace_record *r, int64_t next)
{
    uint8_t state = state_letter(p, (uint64_t)read_number(p, PREV_STATE, r));
    bool dead = state == 'X' || state == 'Z';
    unsigned kind = dead ? SCHED_DEAD : state ? SCHED_SLEEP : SCHED_SLICE;
    struct sched_event e = make_event(d, kind, read_number(p, PREV_PID, r));
    name_task(d, p, PREV_COMM, r, e.pid);
    set_priority(&e, read_number(p, PREV_PRIO, r));
    e.other = kind == SCHED_SLICE ? (int32_t)next : -1;
    e.state = kind == SCHED_SLEEP ? state : 0;
    if (e.pid > 0)
        emit_event(d, &e);
}

static void decode_switch(struct trace_decoder *d, const struct trace_point *p,
                          const struct trace_record *r)
{
    int64_t next = read_number(p, NEXT_PID, r);
    emit_switch_out(d, p, r, next);
    struct sched_event e = make_event(d, SCHED_RUN, next);
    name_task(d, p, NEXT_COMM, r, e.pid);
    set_priority(&e, read_number(p, NEXT_PRIO, r));
    trace_set_running(d, d->next.cpu, e.pid);
    if (e.pid > 0)
        emit_event(d, &e);
}

/* --- wake-ups, migrations --- */

enum { PID, PRIO, CPU, FROM, COMM };
static const char *const wakeup_fields[] = {"pid", "prio", "target_cpu", "", "comm", NULL};
static const char *const migrate_fields[] = {"pid", "prio", "dest_cpu", "orig_cpu", "comm", NULL};

static void decode_wakeup(struct trace_decoder *d, const struct trace_point *p,
                          const struct trace_record *r)
{
    struct sched_event e = make_event(d, SCHED_READY, read_number(p, PID, r));
    int64_t flags = trace_field_number(&d->flags, r->bytes, r->len);
    bool interrupt = flags & (IN_HARDIRQ | IN_SOFTIRQ | IN_NMI);
    name_task(d, p, COMM, r, e.pid);
    set_priority(&e, read_number(p, PRIO, r));
    e.other = interrupt ? 0 : d->next.pid;
    e.cpu = (int16_t)read_number(p, CPU, r);
    e.flags = SCHED_WOKEN;
    emit_event(d, &e);
}

static void decode_migrate(struct trace_decoder *d, const struct trace_point *p,
                           const struct trace_record *r)
{
    struct sched_event e = make_event(d, SCHED_MIGRATE, read_number(p, PID, r));
    name_task(d, p, COMM, r, e.pid);
    set_priority(&e, read_number(p, PRIO, r));
    e.cpu = (int16_t)read_number(p, CPU, r);
    e.other = (int32_t)read_number(p, FROM, r);
    emit_event(d, &e);
}

/* --- births --- */

static const char *const fork_fields[] = {"parent_pid", "child_pid", "child_comm", NULL};
static const char *const exec_fields[] = {"pid", "filename", NULL};

static void decode_fork(struct trace_decoder *d, const struct trace_point *p,
                        const struct trace_record *r)
{
    struct sched_event e = make_event(d, SCHED_FORK, read_number(p, 1, r));
    e.other = (int32_t)read_number(p, 0, r);
    name_task(d, p, 2, r, e.pid);
    sched_names_fork(d->names, e.other, e.pid);
    emit_event(d, &e);
}

static bool is_compat(const struct trace_decoder *d, const char *path, size_t len)
{
    char program[PROGRAM_BYTES];
    if (len >= sizeof program)
        return false;
    memcpy(program, path, len);
    program[len] = '\0';
    return d->is_compat(program);
}

static void decode_exec(struct trace_decoder *d, const struct trace_point *p,
                        const struct trace_record *r)
{
    struct sched_event e = make_event(d, SCHED_EXEC, read_number(p, 0, r));
    size_t len, from;
    const char *path = trace_field_text(&p->used[1], r->bytes, r->len, &len);
    for (from = len; from > 0 && path[from - 1] != '/';)
        from--;
    if (len > from)
        sched_names_set(d->names, e.pid, r->time_ns, path + from, len - from);
    if (d->is_compat && is_compat(d, path, len))
        e.flags |= SCHED_COMPAT;
    emit_event(d, &e);
}

/* --- events of the running task --- */

static const char *const irq_fields[] = {"irq", NULL}, *const vec_fields[] = {"vec", NULL},
                         *const id_fields[] = {"id", NULL}, *const print_fields[] = {"buf", NULL};

static void decode_current(struct trace_decoder *d, const struct trace_point *p,
                           const struct trace_record *r)
{
    struct sched_event e = make_event(d, p->detail, d->next.pid);
    e.arg = (uint32_t)read_number(p, 0, r);
    emit_event(d, &e);
}

static void decode_print(struct trace_decoder *d, const struct trace_point *p,
                         const struct trace_record *r)
{
    struct sched_event e = make_event(d, SCHED_USER, d->next.pid);
    size_t len;
    const char *text = trace_field_text(&p->used[0], r->bytes, r->len, &len);
    e.arg = sched_names_add_text(d->names, text, len);
    emit_event(d, &e);
}

/* --- the tracepoints --- */

static const struct {
    const char *path; /* GROUP/NAME */
    enum trace_group group;
    void (*decode)(struct trace_decoder *, const struct trace_point *, const struct trace_record *);
    unsigned detail;           /* a kind, of decode_current */
    const char *const *fields; /* in the order of its decoder; "" is none */
} known[] = {
    {"sched/sched_switch", TRACE_SCHED, decode_switch, 0, switch_fields},
    {"sched/sched_wakeup", TRACE_SCHED, decode_wakeup, 0, wakeup_fields},
    {"sched/sched_wakeup_new", TRACE_SCHED, decode_wakeup, 0, wakeup_fields},
    {"sched/sched_migrate_task", TRACE_SCHED, decode_migrate, 0, migrate_fields},
    {"sched/sched_process_fork", TRACE_SCHED, decode_fork, 0, fork_fields},
    {"sched/sched_process_exec", TRACE_SCHED, decode_exec, 0, exec_fields},
    {"ftrace/print", TRACE_MARKS, decode_print, 0, print_fields},
    {"irq/irq_handler_entry", TRACE_INTERRUPTS, decode_current, SCHED_INTS, irq_fields},
    {"irq/irq_handler_exit", TRACE_INTERRUPTS, decode_current, SCHED_INTE, irq_fields},
    {"irq/softirq_entry", TRACE_INTERRUPTS, decode_current, SCHED_SOFTS, vec_fields},
    {"irq/softirq_exit", TRACE_INTERRUPTS, decode_current, SCHED_SOFTE, vec_fields},
    {"raw_syscalls/sys_enter", TRACE_CALLS, decode_current, SCHED_CALL, id_fields},
    {"raw_syscalls/sys_exit", TRACE_CALLS, decode_current, SCHED_RETURN, id_fields},
};
enum { KNOWN = sizeof known / sizeof *known };

const char *trace_point_path(size_t i, enum trace_group *group)
{
    if (i >= KNOWN)
        return NULL;
    *group = known[i].group;
    return known[i].path;
}

static int find_known(const char *name)
{
    for (int i = 0; i < KNOWN; i++)
        if (strcmp(strchr(known[i].path, '/') + 1, name) == 0)
            return i;
    return -ENOENT;
}

void trace_decoder_init(struct trace_decoder *d, struct sched_names *names)
{
    *d = (struct trace_decoder){.names = names};
}

static bool read_common(struct trace_decoder *d, const struct trace_format *f)
{
    return trace_format_copy(f, "common_type", &d->type) &&
           trace_format_copy(f, "common_pid", &d->pid) &&
           trace_format_copy(f, "common_flags", &d->flags);
}

int trace_decoder_learn(struct trace_decoder *d, const char *format, size_t len)
{
    struct trace_format f;
    struct trace_point p = {0};
    int r = trace_format_read(format, len, &f);
    int i = r < 0 ? r : find_known(f.name);
    if (i < 0)
        return i;
    for (size_t n = 0; known[i].fields[n]; n++)
        if (known[i].fields[n][0] && !trace_format_copy(&f, known[i].fields[n], &p.used[n]))
            return -EINVAL;
    if (d->points == TRACE_POINTS_MAX || !read_common(d, &f))
        return -EINVAL;
    p.decode = known[i].decode;
    p.id = f.id;
    p.detail = known[i].detail;
    memcpy(p.state, f.state, sizeof p.state);
    p.states = f.states;
    d->point[d->points++] = p;
    return 0;
}

int trace_decoder_learn_function(struct trace_decoder *d, uint32_t text, bool exit,
                                 const char *format, size_t len)
{
    struct trace_format f;
    if (trace_format_read(format, len, &f) < 0 || !read_common(d, &f))
        return -EINVAL;
    uint64_t *at = imap_at(&d->functions, f.id);
    if (!at)
        return -ENOMEM;
    *at = 2 * (uint64_t)text + exit;
    return 0;
}

void trace_decoder_release(struct trace_decoder *d)
{
    imap_release(&d->functions);
}

static bool decode_function(struct trace_decoder *d, uint32_t id)
{
    uint64_t which = imap_get(&d->functions, id);
    if (!which)
        return false;
    struct sched_event e = make_event(d, which & 1 ? SCHED_RETURN : SCHED_CALL, d->next.pid);
    e.arg = SCHED_FUNCTIONS + (uint32_t)(which >> 1);
    emit_event(d, &e);
    return true;
}

void trace_decode_record(struct trace_decoder *d, int cpu, const struct trace_record *r,
                         sched_emit_fn *emit, void *arg)
{
    uint32_t id = (uint32_t)trace_field_number(&d->type, r->bytes, r->len);
    d->emit = emit;
    d->arg = arg;
    d->next = (struct sched_event){.time_ns = r->time_ns,
                                   .pid = (int32_t)trace_field_number(&d->pid, r->bytes, r->len),
                                   .other = -1,
                                   .cpu = (int16_t)cpu,
                                   .priority = INT16_MIN};
    struct sched_event proven = d->next;
    if (trace_infer_switch(d, cpu, d->next.pid, &proven))
        emit(arg, &proven);
    for (size_t i = 0; i < d->points; i++)
        if (d->point[i].id == id)
            return d->point[i].decode(d, &d->point[i], r);
    d->unknown += !decode_function(d, id);
}

static void emit_loss(struct trace_decoder *d, int cpu, uint64_t time_ns, uint64_t missed,
                      sched_emit_fn *emit, void *arg)
{
    trace_clear_running(d, cpu);
    struct sched_event e = {.time_ns = time_ns,
                            .pid = -1,
                            .other = -1,
                            .arg = missed < UINT32_MAX ? (uint32_t)missed : 0,
                            .cpu = (int16_t)cpu,
                            .kind = SCHED_LOST};
    emit(arg, &e);
}

void trace_decode_page(struct trace_decoder *d, int cpu, const uint8_t *page, size_t len,
                       sched_emit_fn *emit, void *arg)
{
    struct trace_page p;
    struct trace_record r;
    if (trace_page_open(&p, &d->layout, page, len) < 0) {
        trace_clear_running(d, cpu);
        d->damaged++;
        return;
    }
    if (p.missed)
        emit_loss(d, cpu, p.time_ns, p.missed, emit, arg);
    while (trace_page_next(&p, &r))
        trace_decode_record(d, cpu, &r, emit, arg);
    if (p.damaged)
        trace_clear_running(d, cpu);
    d->damaged += p.damaged;
}

/* linux/perf_event.h: a record's head is type (4 bytes), misc, size. */
enum { PERF_LOST = 2, PERF_SAMPLE = 9 };
enum { HEAD = 8, SAMPLE_RAW = HEAD + 16, LOST_BYTES = HEAD + 32 };

void trace_decode_sample(struct trace_decoder *d, int cpu, const uint8_t *record, size_t len,
                         sched_emit_fn *emit, void *arg)
{
    uint32_t type = len >= HEAD ? get_le32(record) : 0;
    if (type == PERF_LOST && len >= LOST_BYTES) {
        emit_loss(d, cpu, get_le64(record + len - 16), get_le64(record + HEAD + 8), emit, arg);
    } else if (type == PERF_SAMPLE && len >= SAMPLE_RAW + 4) {
        uint32_t size = get_le32(record + SAMPLE_RAW);
        size_t left = len - SAMPLE_RAW - 4;
        struct trace_record r = {get_le64(record + HEAD), record + SAMPLE_RAW + 4,
                                 size < left ? size : left};
        trace_decode_record(d, cpu, &r, emit, arg);
    }
}
