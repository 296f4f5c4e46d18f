#include "v2.h"

#include "build.h"
#include "core/base/bytes.h"
#include "core/base/scope.h"
#include "core/base/time_ns.h"
#include "core/containers/imap.h"
#include "core/elf/elf.h"
#include "runtime/psprof_file.h"

#include <errno.h>
#include <stdlib.h>

enum { THREAD_SLOTS = 2, MODULE_SLOTS = 16 };

#define MAX_TICKS      10000000000u /* a second: so that a second's, in ns, fit 64 bits */
#define UNLOADED       (UINT64_C(1) << 63)
#define AT(type, name) offsetof(struct type, name)

struct reading {
    const uint8_t *bytes; /* the file's */
    bool swapped;         /* big-endian */
    struct prof_tree *tree;
    struct prof_source source;
    struct imap modules; /* slot -> the tree's + 1 */
    uint64_t last_ticks; /* of the thread that is read */
    uint64_t last_of_all;
};

bool prof_is_v2(const uint8_t *bytes, size_t len)
{
    return len >= PSPROF_MAGIC_BYTES && memcmp(bytes, PSPROF_MAGIC, PSPROF_MAGIC_BYTES) == 0;
}

bool prof_is_unbegun(const uint8_t *bytes, size_t len)
{
    static const uint8_t none[PSPROF_MAGIC_BYTES];
    return len == 0 || (len >= PSPROF_HEADER_BYTES && memcmp(bytes, none, sizeof none) == 0);
}

/* --- numbers --- */

static uint32_t read_u32(const struct reading *r, const uint8_t *p)
{
    return get_u32(p, r->swapped);
}

static uint64_t read_u64(const struct reading *r, const uint8_t *p)
{
    return get_u64(p, r->swapped);
}

static const uint8_t *slot_at(const struct reading *r, uint32_t index)
{
    return r->bytes + PSPROF_HEADER_BYTES + (size_t)index * PSPROF_SLOT_BYTES;
}

static uint32_t link_of(const struct reading *r, const uint8_t *p)
{
    uint32_t index = read_u32(r, p);
    return index ? index : PROF_NONE;
}

/* Whole seconds apart: exact, and no overflow under 584 years. */
static uint64_t ns_of(const struct reading *r, uint64_t ticks)
{
    uint64_t hz = r->tree->about.ticks_per_second;
    if (!hz)
        return 0;
    uint64_t seconds = ticks / hz, rest = ticks % hz * NS_PER_S / hz;
    return seconds < INT64_MAX / NS_PER_S ? seconds * NS_PER_S + rest : INT64_MAX;
}

static int64_t signed_ns(const struct reading *r, int64_t ticks)
{
    return ticks < 0 ? -(int64_t)ns_of(r, 0 - (uint64_t)ticks) : (int64_t)ns_of(r, (uint64_t)ticks);
}

/* Text of a fixed field, which may fill it. */
static void get_text(const uint8_t *from, size_t size, char *to)
{
    memcpy(to, from, size);
    to[size - 1] = '\0';
}

/* --- the head --- */

static char *command_of(const uint8_t *from)
{
    char *words = malloc(PSPROF_COMMAND_BYTES + 1);
    size_t len = PSPROF_COMMAND_BYTES;
    while (len && !from[len - 1])
        len--;
    if (!words)
        return NULL;
    for (size_t i = 0; i < len; i++)
        words[i] = from[i] ? (char)from[i] : ' ';
    words[len] = '\0';
    return words;
}

static void read_about(struct reading *r, struct prof_about *a)
{
    const uint8_t *b = r->bytes;
    a->version = 2;
    a->machine = read_u32(r, b + AT(psprof_header, machine));
    a->type = read_u32(r, b + AT(psprof_header, type));
    a->pid = read_u32(r, b + AT(psprof_header, pid));
    a->start_ns = read_u64(r, b + AT(psprof_header, start_ns));
    a->ticks_per_second = read_u64(r, b + AT(psprof_header, ticks_per_second));
    a->resolution_ps = read_u64(r, b + AT(psprof_header, resolution_ps));
    a->inside_ps = read_u64(r, b + AT(psprof_header, inside_ps));
    a->outside_ps = read_u64(r, b + AT(psprof_header, outside_ps));
    a->untimed_ps = read_u64(r, b + AT(psprof_header, untimed_ps));
    a->sample_ns = read_u32(r, b + AT(psprof_header, sample_ns));
    a->sampling = read_u32(r, b + AT(psprof_header, sampling));
    a->sample_cost_ns = read_u32(r, b + AT(psprof_header, sample_cost_ns));
    a->threads_unsampled = read_u32(r, b + AT(psprof_header, threads_unsampled));
    a->cpu_ns = read_u64(r, b + AT(psprof_header, cpu_ns));
    a->ended = read_u64(r, b + AT(psprof_header, end_ticks)) != 0;
    a->threads_refused = read_u32(r, b + AT(psprof_header, threads_refused));
    a->modules_refused = read_u32(r, b + AT(psprof_header, modules_refused));
    get_text(b + AT(psprof_header, clock_name), sizeof a->clock, a->clock);
    get_text(b + AT(psprof_header, type_note), sizeof a->type_note, a->type_note);
    a->command = command_of(b + AT(psprof_header, command));
}

static int check_sizes(const struct reading *r, struct fail *f)
{
    uint32_t header = read_u32(r, r->bytes + AT(psprof_header, header_bytes));
    uint32_t each = read_u32(r, r->bytes + AT(psprof_header, slot_bytes));
    uint64_t hz = read_u64(r, r->bytes + AT(psprof_header, ticks_per_second));
    if (header != PSPROF_HEADER_BYTES || each != PSPROF_SLOT_BYTES)
        return fail_set(f, 0, "unknown layout (header of %lu bytes, slots of %lu)",
                        (unsigned long)header, (unsigned long)each);
    if (hz > MAX_TICKS)
        return fail_set(f, 0, "damaged: a clock of %llu ticks per second", (unsigned long long)hz);
    return 0;
}

static int read_head(struct reading *r, size_t len, struct fail *f)
{
    if (!prof_is_v2(r->bytes, len))
        return fail_set(f, 0, "not a profile of version 2");
    if (len < PSPROF_HEADER_BYTES)
        return fail_set(f, 0, "cut off: %zu bytes, the header alone has %d", len,
                        PSPROF_HEADER_BYTES);
    const uint8_t *order = r->bytes + AT(psprof_header, byte_order);
    r->swapped = get_be32(order) == PSPROF_BYTE_ORDER;
    if (read_u32(r, order) != PSPROF_BYTE_ORDER)
        return fail_set(f, 0, "damaged: no byte order");
    int e = check_sizes(r, f);
    if (e < 0)
        return e;
    read_about(r, &r->tree->about);
    size_t there = (len - PSPROF_HEADER_BYTES) / PSPROF_SLOT_BYTES;
    size_t claimed = read_u32(r, r->bytes + AT(psprof_header, slots_claimed));
    r->tree->about.truncated = claimed > there;
    r->source.limit = claimed < there ? claimed : there;
    return 0;
}

/* --- chains: the newest comes first, and is read last --- */

struct chain {
    size_t head, next; /* the links: in the header, in a slot */
    uint32_t slots;    /* that each takes */
    int (*read)(struct reading *r, uint32_t at);
};

static int list_chain(struct reading *r, const struct chain *c, struct intern *list)
{
    uint32_t at = link_of(r, r->bytes + c->head);
    while (at != PROF_NONE && prof_claim_records(r->tree, &r->source, at, c->slots)) {
        if (intern_append(list, &at) == INTERN_NONE)
            return -ENOMEM;
        at = link_of(r, slot_at(r, at) + c->next);
    }
    return 0;
}

static int read_chain(struct reading *r, const struct chain *c)
{
    SCOPED(intern_release) struct intern list = INTERN_OF(uint32_t);
    int e = list_chain(r, c, &list);
    for (size_t i = list.count; i-- && e == 0;)
        e = c->read(r, ((const uint32_t *)list.record)[i]);
    return e;
}

/* --- modules: the program first --- */

static bool add_module(struct reading *r, const uint8_t *b)
{
    char path[PSPROF_PATH_BYTES - 64];
    get_text(b + AT(psprof_module, path), sizeof path, path);
    struct prof_module *m = prof_add_module(r->tree, path);
    if (!m)
        return false;
    m->start = read_u64(r, b + AT(psprof_module, start));
    m->end = read_u64(r, b + AT(psprof_module, end));
    m->bias = read_u64(r, b + AT(psprof_module, bias));
    uint8_t bytes = b[AT(psprof_module, build_id_bytes)];
    m->build_id_bytes = bytes <= PROF_BUILD_ID ? bytes : 0;
    memcpy(m->build_id, b + AT(psprof_module, build_id), m->build_id_bytes);
    return true;
}

static int read_module(struct reading *r, uint32_t at)
{
    uint64_t *number = imap_at(&r->modules, at);
    if (!number || !add_module(r, slot_at(r, at)))
        return -ENOMEM;
    *number = r->tree->modules;
    return 0;
}

static uint32_t module_of(const struct reading *r, uint32_t at)
{
    uint64_t number = imap_get(&r->modules, at);
    return number ? (uint32_t)(number - 1) : PROF_NONE;
}

/* --- threads and nodes --- */

static uint64_t pc_of(const struct reading *r, const uint8_t *b)
{
    uint64_t pc = read_u64(r, b + AT(psprof_node, pc)) & ~UNLOADED;
    return r->tree->about.machine == ELF_MACHINE_ARM ? pc & ~UINT64_C(1) : pc;
}

static void read_record(void *arg, uint32_t index, struct prof_record *out)
{
    const struct reading *r = arg;
    const uint8_t *b = slot_at(r, index);
    int64_t ticks = (int64_t)read_u64(r, b + AT(psprof_node, time));
    *out = (struct prof_record){.pc = pc_of(r, b),
                                .count = read_u64(r, b + AT(psprof_node, count)),
                                .timed = read_u32(r, b + AT(psprof_node, timed)),
                                .samples = read_u32(r, b + AT(psprof_node, samples)),
                                .sparse = b[AT(psprof_node, sparse)],
                                .open = ticks < 0,
                                .down = link_of(r, b + AT(psprof_node, down)),
                                .right = link_of(r, b + AT(psprof_node, right)),
                                .module = module_of(r, read_u32(r, b + AT(psprof_node, module)))};
    if (ticks < 0)
        ticks = (int64_t)((uint64_t)ticks + r->last_ticks);
    out->time_ns = signed_ns(r, ticks);
}

static uint64_t elapsed_ticks(uint64_t start, uint64_t end)
{
    return end > start ? end - start : 0;
}

static void read_thread(struct reading *r, const uint8_t *b, struct prof_thread *t)
{
    uint64_t start = read_u64(r, b + AT(psprof_thread, start_ticks));
    uint64_t last = read_u64(r, b + AT(psprof_thread, last_ticks));
    uint64_t running =
        read_u64(r, b + AT(psprof_thread, end_ticks)) ? 0 : elapsed_ticks(start, last);
    t->tid = read_u32(r, b + AT(psprof_thread, tid));
    t->threads = read_u32(r, b + AT(psprof_thread, threads));
    t->refused = read_u64(r, b + AT(psprof_thread, refused));
    t->refused_nodes = read_u64(r, b + AT(psprof_thread, refused_nodes));
    t->missed_exits = read_u64(r, b + AT(psprof_thread, missed_exits));
    t->orphan_exits = read_u64(r, b + AT(psprof_thread, orphan_exits));
    t->spent_ns = ns_of(r, read_u64(r, b + AT(psprof_thread, spent_ticks)) + running);
    t->hook_samples = read_u64(r, b + AT(psprof_thread, hook_samples));
    t->preempted_ns = read_u64(r, b + AT(psprof_thread, preempted_ns));
    t->cpu_ns = read_u64(r, b + AT(psprof_thread, cpu_ns));
    get_text(b + AT(psprof_thread, name), sizeof t->name, t->name);
    r->last_ticks = last;
}

/* A root is a node without a function. */
static int read_calls(struct reading *r, uint32_t root, size_t thread)
{
    if (root == PROF_NONE || !prof_claim_records(r->tree, &r->source, root, 1))
        return 0;
    return prof_graft(r->tree, &r->source, link_of(r, slot_at(r, root) + AT(psprof_node, down)),
                      thread);
}

static int read_one_thread(struct reading *r, uint32_t at)
{
    const uint8_t *b = slot_at(r, at);
    struct prof_thread *t = prof_add_thread(r->tree);
    if (!t)
        return -ENOMEM;
    read_thread(r, b, t);
    r->last_of_all = r->last_ticks > r->last_of_all ? r->last_ticks : r->last_of_all;
    return read_calls(r, link_of(r, b + AT(psprof_thread, root)), r->tree->threads - 1);
}

/* --- marks --- */

/* Text for a terminal. */
static void get_mark(const uint8_t *from, struct prof_mark *m)
{
    get_text(from, sizeof m->name, m->name);
    for (char *c = m->name; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 127)
            *c = '?';
}

static int read_mark(struct reading *r, uint32_t at)
{
    uint64_t start = read_u64(r, r->bytes + AT(psprof_header, start_ticks));
    const uint8_t *b = slot_at(r, at);
    struct prof_mark *m = prof_add_mark(r->tree);
    if (!m)
        return -ENOMEM;
    m->ns = ns_of(r, elapsed_ticks(start, read_u64(r, b + AT(psprof_mark, ticks))));
    m->tid = read_u32(r, b + AT(psprof_mark, tid));
    get_mark(b + AT(psprof_mark, name), m);
    return 0;
}

/* Where no call was timed: a node took its samples, what it waited, and what its callees took. */
static void times_of_samples(struct prof_tree *t)
{
    for (size_t i = t->nodes; i--;) {
        struct prof_node *n = &t->node[i], *to = n->parent == PROF_NONE ? n : &t->node[n->parent];
        int64_t own = (int64_t)n->samples * t->about.sample_ns;
        if (n->time_ns < 0 || __builtin_add_overflow(n->time_ns, own, &n->time_ns))
            n->time_ns = INT64_MAX;
        if (to != n && __builtin_add_overflow(to->time_ns, n->time_ns, &to->time_ns))
            to->time_ns = INT64_MAX;
    }
}

static void count_samples(struct prof_tree *t)
{
    for (size_t i = 0; i < t->threads; i++)
        for (uint32_t n = t->thread[i].begin; n < t->thread[i].end; n++)
            t->thread[i].samples += t->node[n].samples;
}

static void set_duration(struct reading *r)
{
    uint64_t start = read_u64(r, r->bytes + AT(psprof_header, start_ticks));
    uint64_t end = read_u64(r, r->bytes + AT(psprof_header, end_ticks));
    r->tree->about.duration_ns = ns_of(r, elapsed_ticks(start, end ? end : r->last_of_all));
}

static const struct chain chains[] = {
    {AT(psprof_header, modules), AT(psprof_module, next), MODULE_SLOTS, read_module},
    {AT(psprof_header, threads), AT(psprof_thread, next), THREAD_SLOTS, read_one_thread},
    {AT(psprof_header, marks), AT(psprof_mark, next), 1, read_mark},
};

static int read_all(struct reading *r)
{
    int e = 0;
    r->source.taken = calloc(r->source.limit / 8 + 1, 1);
    if (!r->source.taken)
        return -ENOMEM;
    r->source.taken[0] = 1;
    for (size_t i = 0; i < sizeof chains / sizeof *chains && e == 0; i++)
        e = read_chain(r, &chains[i]);
    if (e == 0)
        e = prof_merge(r->tree);
    if (e == 0)
        count_samples(r->tree);
    if (e == 0 && r->tree->about.sampling & PSPROF_SAMPLED_ALONE)
        times_of_samples(r->tree);
    if (e == 0)
        e = prof_tree_settle(r->tree, false);
    set_duration(r);
    return e;
}

int prof_v2_read(const uint8_t *bytes, size_t len, struct prof_tree *t, struct fail *f)
{
    struct reading r = {.bytes = bytes, .tree = t};
    prof_tree_init(t);
    r.source.record = read_record;
    r.source.arg = &r;
    int e = read_head(&r, len, f);
    if (e < 0)
        return e;
    e = read_all(&r);
    free(r.source.taken);
    imap_release(&r.modules);
    return e < 0 ? fail_set(f, -e, "profile") : 0;
}
