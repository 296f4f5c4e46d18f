/* A recording into a sampling: facts, definitions, sums. Samples are read in recording_samples.c,
 * what is given along in recording_bundle.c. */
#include "core/base/grow.h"
#include "core/base/head_words.h"
#include "core/base/varint.h"
#include "core/unwind/unwind.h"
#include "count.h"
#include "recording_reading.h"

#include <errno.h>
#include <inttypes.h>

enum { STEP_BYTES = 1 << 18 };

/* --- facts --- */

static void read_fact(struct reading *r, struct varints *c)
{
    size_t key_len, len;
    const char *key = get_text(c, &key_len), *value = get_text(c, &len);
    for (size_t i = 0; i < RECORDING_FACTS && !c->bad; i++)
        if (strlen(recording_keys[i]) == key_len && memcmp(recording_keys[i], key, key_len) == 0) {
            buf_clear(&r->recording->fact[i]);
            buf_add(&r->recording->fact[i], value, strnlen(value, len));
        }
}

/* --- definitions --- */

/* Files of one path that the recording tells apart stay apart: no identity but the build-id is
 * known. */
static void read_module(struct reading *r, struct varints *c)
{
    char path[RECORDING_MAX_PATH];
    size_t path_len, id_len;
    uint64_t flags = get_varint(c);
    const char *from = get_text(c, &path_len), *id = get_text(c, &id_len);
    struct module_identity identity = {.build_id_len = id_len};
    if (c->bad || path_len >= sizeof path || id_len > sizeof identity.build_id ||
        r->sampled->mapped.modules.count >= SAMPLED_OUTSIDE)
        return recording_fail(r, -EINVAL);
    memcpy(identity.build_id, id, id_len);
    memcpy(path, from, path_len);
    path[path_len] = '\0';
    struct module *m = module_append(&r->sampled->mapped.modules, path, &identity);
    if (!m || !GROW_ADD(r->module, r->module_cap, r->modules, (uint32_t)m->id))
        return recording_fail(r, -ENOMEM);
    m->file = flags & MODULE_FILE;
    m->kernel = flags & MODULE_KERNEL;
    m->deleted = flags & MODULE_DELETED;
    m->linked = flags & MODULE_LINKED;
    if (flags & MODULE_WAIT && !sampled_wait_module(m))
        recording_fail(r, -ENOMEM);
}

struct module *recording_module(struct reading *r, uint64_t index)
{
    if (index < r->modules)
        return r->sampled->mapped.modules.module[r->module[index]];
    r->err = -EINVAL;
    return NULL;
}

static void read_thread(struct reading *r, struct varints *c)
{
    char name[sizeof r->sampled->threads.thread->name] = "";
    size_t len;
    uint64_t index = get_varint(c);
    uint32_t pid = (uint32_t)get_varint(c), tid = (uint32_t)get_varint(c);
    const char *from = get_text(c, &len);
    if (c->bad || index >= RECORDING_MAX_THREADS)
        return recording_fail(r, -EINVAL);
    while (r->threads <= index)
        if (!GROW_ADD(r->thread, r->thread_cap, r->threads, 0))
            return recording_fail(r, -ENOMEM);
    memcpy(name, from, len < sizeof name ? len : sizeof name - 1);
    bool processes = r->sampled->want.by == SAMPLED_BY_PROCESS;
    size_t mine = sampled_thread_of(r->sampled, pid, processes ? pid : tid);
    if (mine == SIZE_MAX)
        return recording_fail(r, -ENOMEM);
    if (!processes || pid == tid || !r->sampled->threads.thread[mine].name[0])
        memcpy(r->sampled->threads.thread[mine].name, name, sizeof name);
    r->thread[index] = (uint32_t)mine + 1;
}

/* Where it is counted. Of callers only those of waits, which are the places that they are shown at.
 */
static void place_node(const struct reading *r, struct sampled_node *n)
{
    const struct sampled *s = r->sampled;
    struct module *m = sampled_module(s, n->module);
    if (s->want.innermost && !(m && m->wait))
        n->parent = INTERN_NONE;
    uint64_t end;
    if (s->hooks.place && m)
        n->offset = s->hooks.place(s->hooks.arg, m, n->offset, &end);
}

static void read_node(struct reading *r, struct varints *c)
{
    uint64_t parent = get_varint(c), module = get_varint(c), offset = get_varint(c);
    struct sampled_node n = {offset, SAMPLED_OUTSIDE, INTERN_NONE};
    if (c->bad || parent > r->nodes || module > r->modules)
        return recording_fail(r, -EINVAL);
    if (parent)
        n.parent = r->node[parent - 1].node;
    if (module)
        n.module = r->module[module - 1];
    else
        n.offset = 0;
    place_node(r, &n);
    bool shortened = parent && r->node[parent - 1].shortened;
    uint32_t node = sampled_node(r->sampled, &n, &shortened);
    if (node == INTERN_NONE ||
        !GROW_ADD(r->node, r->node_cap, r->nodes,
                  (struct read_node){.node = node,
                                     .shortened = shortened,
                                     .wait = sampled_is_wait(r->sampled, node)}))
        recording_fail(r, -ENOMEM);
}

/* --- sums --- */

static void read_state(struct reading *r, struct varints *c)
{
    uint64_t lost = get_varint(c), throttled = get_varint(c), idle = get_varint(c);
    uint64_t idle_weight = get_varint(c), cpu_time_ms = get_varint(c);
    uint64_t idle_ms = get_varint(c), irq_ms = get_varint(c), softirq_ms = get_varint(c);
    if (c->bad)
        return;
    r->sampled->loss.lost = lost;
    r->sampled->loss.throttled = throttled;
    r->shortened = c->at < c->end ? get_varint(c) : 0;
    if (r->sampled->want.event) /* the rest is of the first one */
        return;
    r->sampled->count.idle = idle;
    r->sampled->count.idle_weight = idle_weight;
    r->sampled->accounted.cpu_time_ms = cpu_time_ms;
    r->sampled->accounted.idle_ms = idle_ms;
    r->sampled->accounted.irq_ms = irq_ms;
    r->sampled->accounted.softirq_ms = softirq_ms;
}

static void read_waits(struct reading *r, struct varints *c)
{
    uint64_t count = get_varint(c), forgotten = get_varint(c), spanning = get_varint(c);
    if (c->bad)
        return;
    r->sampled->want.waits = true;
    r->sampled->waits.count = count;
    r->sampled->waits.forgotten = forgotten;
    r->sampled->waits.spanning = spanning;
}

static void read_guesses(struct reading *r, struct varints *c)
{
    uint64_t guessed = get_varint(c), from_cache = c->at < c->end ? get_varint(c) : 0;
    uint64_t by_code = c->at < c->end ? get_varint(c) : 0;
    if (c->bad || r->sampled->want.event)
        return;
    r->sampled->unwound.guessed = guessed;
    r->sampled->unwound.from_cache = from_cache;
    r->sampled->unwound.by_code = by_code;
}

static struct heap_amount get_amount(struct varints *c)
{
    uint64_t blocks = get_varint(c), bytes = get_varint(c);
    return (struct heap_amount){blocks, bytes};
}

static struct heap_sums get_sums(struct varints *c)
{
    struct heap_amount allocated = get_amount(c), now = get_amount(c), peak = get_amount(c);
    return (struct heap_sums){allocated, now, peak};
}

static void read_heap_site(struct reading *r, uint64_t node, const struct heap_sums *sums)
{
    struct heap_sums *to = NULL;
    if (node >= r->nodes)
        r->err = -EINVAL;
    else if (!(to = heap_totals_site(&r->sampled->heap, r->node[node].node)))
        recording_fail(r, -ENOMEM);
    else
        *to = *sums;
}

static void read_heap(struct reading *r, struct varints *c)
{
    struct heap_totals *h = &r->sampled->heap;
    uint64_t processes = get_varint(c), frees = get_varint(c), unknown = get_varint(c);
    uint64_t missed = get_varint(c), lost = get_varint(c);
    struct heap_sums sums = get_sums(c);
    if (c->bad)
        return;
    h->processes = processes;
    h->frees = frees;
    h->unknown = unknown;
    h->missed = missed;
    h->lost = lost;
    h->sums = sums;
    while (c->at < c->end && !r->err) {
        uint64_t node = get_varint(c);
        struct heap_sums of = get_sums(c);
        if (c->bad)
            return;
        read_heap_site(r, node, &of);
    }
}

/* --- given along --- */

static void read_main(struct reading *r, struct varints *c)
{
    uint64_t index = get_varint(c);
    struct module *m = c->bad ? NULL : recording_module(r, index);
    if (m)
        r->sampled->mapped.main_module = m->id;
}

static void read_text(struct reading *r, struct varints *c)
{
    uint64_t index = get_varint(c), start = get_varint(c);
    struct module *m = c->bad ? NULL : recording_module(r, index);
    if (m)
        m->external.text_start = start;
}

static void read_file(struct reading *r, struct varints *c)
{
    uint64_t index = get_varint(c), bytes = get_varint(c), sum = get_varint(c);
    struct module *m = c->bad ? NULL : recording_module(r, index);
    if (m)
        m->recorded = (struct module_file){bytes, sum};
}

static void read_end(struct reading *r, struct varints *c)
{
    r->recording->ended = true;
}

/* --- the file --- */

static void read_record(struct reading *r, uint64_t type, struct varints *c)
{
    static void (*const readers[])(struct reading *, struct varints *) = {
        [RECORD_FACT] = read_fact,
        [RECORD_MODULE] = read_module,
        [RECORD_THREAD] = read_thread,
        [RECORD_NODE] = read_node,
        [RECORD_SAMPLES] = recording_read_samples,
        [RECORD_STATE] = read_state,
        [RECORD_SYMBOL] = recording_read_symbol,
        [RECORD_PLACE] = recording_read_place,
        [RECORD_MAIN] = read_main,
        [RECORD_TEXT] = read_text,
        [RECORD_END] = read_end,
        [RECORD_ENDS] = recording_read_ends,
        [RECORD_WAITS] = read_waits,
        [RECORD_GUESSES] = read_guesses,
        [RECORD_FILE] = read_file,
        [RECORD_HEAP] = read_heap,
        [RECORD_EVENT] = recording_read_event,
        [RECORD_EVENT_SAMPLES] = recording_read_event_samples,
        [RECORD_EVENT_ENDS] = recording_read_event_ends,
        [RECORD_CGROUP] = recording_read_cgroup,
    };
    if (type < sizeof readers / sizeof *readers && readers[type])
        readers[type](r, c);
}

static void count_read(struct reading *r, size_t bytes)
{
    const struct sampled_hooks *hooks = &r->sampled->hooks;
    r->since_step += bytes;
    if (r->since_step < STEP_BYTES || !hooks->consumed)
        return;
    hooks->consumed(hooks->arg);
    r->since_step = 0;
}

/* The last record may be cut off; its complete samples still count. */
static void read_records(struct reading *r, struct varints *c)
{
    while (c->at < c->end && !r->err) {
        uint64_t type = get_varint(c), len = get_varint(c);
        struct varints body = {c->at, c->end, false};
        r->recording->truncated = c->bad || len > (uint64_t)(c->end - c->at);
        if (r->recording->truncated) {
            if (!c->bad && (type == RECORD_SAMPLES || type == RECORD_EVENT_SAMPLES))
                read_record(r, type, &body);
            return;
        }
        if (r->head_only && type != RECORD_FACT && type != RECORD_EVENT)
            return;
        body.end = c->at + len;
        read_record(r, type, &body);
        c->at += len;
        count_read(r, (size_t)len);
    }
}

bool recording_is(const uint8_t *bytes, size_t len)
{
    return len >= RECORDING_MAGIC_BYTES &&
           memcmp(bytes, RECORDING_MAGIC, RECORDING_MAGIC_BYTES - 1) == 0;
}

const char *recording_head_words(const uint8_t *bytes, size_t len)
{
    return head_words(bytes, len, RECORDING_MAGIC, RECORDING_MAGIC_BYTES - 1);
}

static int finish_reading(struct reading *r, struct fail *f)
{
    struct recording_places *p = r->recording->places;
    r->sampled->count.shortened += r->shortened;
    if (!r->err)
        recording_attach_symbols(r);
    recording_apply_facts(r);
    recording_sum_samples(r);
    if (!r->err && r->sampled->want.event >= r->recording->events)
        r->err = -ENOENT;
    if (r->err == -EINVAL &&
        r->sampled->count.samples) { /* what stood before the damage is sound */
        r->recording->truncated = true;
        r->err = 0;
    }
    recording_sort_places(p);
    for (size_t i = 0; i < r->symbol_tables; i++)
        symtab_builder_free(r->symbols[i]);
    free(r->symbols);
    free(r->module);
    free(r->node);
    free(r->thread);
    if (r->err == -EINVAL)
        return fail_set(f, 0, "the recording is damaged at its beginning");
    if (r->err == -ENOENT)
        return fail_set(f, 0, "it has %u events", r->recording->events);
    if (buf_error(&p->text))
        r->err = -ENOMEM;
    return r->err ? fail_set(f, -r->err, "recording") : 0;
}

static int check_magic(const uint8_t *bytes, size_t len, struct fail *f)
{
    if (!recording_is(bytes, len))
        return fail_set(f, 0, "not a recording");
    if (bytes[RECORDING_MAGIC_BYTES - 1] != 1)
        return fail_set(f, 0, "recording of version %d; this psuite reads version 1",
                        bytes[RECORDING_MAGIC_BYTES - 1]);
    return 0;
}

int recording_peek(const uint8_t *bytes, size_t len, struct recording *out, struct fail *f)
{
    struct sampled none = {.event = {"cpu-clock", true}};
    struct reading r = {.sampled = &none, .recording = out, .head_only = true};
    struct varints c = {bytes + RECORDING_MAGIC_BYTES, bytes + len, false};
    *out = (struct recording){.events = 1};
    int err = check_magic(bytes, len, f);
    if (err < 0)
        return err;
    read_records(&r, &c);
    recording_apply_facts(&r);
    return 0;
}

int recording_read(const uint8_t *bytes, size_t len, struct sampled *s, struct recording *out,
                   struct fail *f)
{
    struct reading r = {.sampled = s, .recording = out};
    struct varints c = {bytes + RECORDING_MAGIC_BYTES, bytes + len, false};
    *out = (struct recording){.places = calloc(1, sizeof *out->places), .events = 1};
    if (!out->places)
        return fail_set(f, ENOMEM, "recording");
    int err = check_magic(bytes, len, f);
    if (err < 0)
        return err;
    read_records(&r, &c);
    return finish_reading(&r, f);
}

void recording_close(struct recording *r)
{
    for (size_t i = 0; i < RECORDING_FACTS; i++)
        buf_release(&r->fact[i]);
    if (r->places) {
        buf_release(&r->places->text);
        free(r->places->frame);
        free(r->places->place);
    }
    free(r->places);
    recording_release_cgroups(&r->cgroups);
    *r = (struct recording){0};
}
