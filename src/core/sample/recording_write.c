#include "core/base/grow.h"
#include "core/base/time_ns.h"
#include "core/base/varint.h"

#include "recording_writing.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_BYTES = 4096 };

void recording_start(struct recording_writer *w, uint64_t period)
{
    *w = (struct recording_writer){
        .symbols = {.each = 16, .key = 16}, .block[0].period = period, .main_module = SIZE_MAX};
    buf_add(&w->out, RECORDING_MAGIC, RECORDING_MAGIC_BYTES);
}

void recording_release(struct recording_writer *w)
{
    buf_release(&w->out);
    for (size_t i = 0; i < SAMPLED_MAX_EVENTS; i++)
        buf_release(&w->block[i].bytes);
    intern_release(&w->symbols);
    recording_release_cgroups(&w->cgroups);
    recording_release_numbers(&w->numbers);
    free(w->thread);
    free(w->chains);
    *w = (struct recording_writer){0};
}

int recording_error(const struct recording_writer *w)
{
    int err = buf_error(&w->out);
    for (size_t i = 0; i < SAMPLED_MAX_EVENTS && !err; i++)
        err = buf_error(&w->block[i].bytes);
    return err;
}

const char *const recording_keys[RECORDING_FACTS] = {
    "host", "machine", "kernel", "cpus", "command", "method",
    "mode", "event",   "clock",  "hz",   "pid",     "start_ns",
};

void recording_fact(struct recording_writer *w, const char *key, const char *value)
{
    size_t start = w->out.len;
    put_string(&w->out, key);
    put_string(&w->out, value);
    recording_close_record(&w->out, start, RECORD_FACT);
}

void recording_event(struct recording_writer *w, unsigned number, const struct recording_event *e)
{
    size_t start = w->out.len;
    w->block[number].period = e->hz ? NS_PER_S / e->hz : 1;
    put_varints(&w->out, number,
                (e->is.clock ? EVENT_CLOCK : 0) | (e->user ? EVENT_USER : 0) |
                    (e->kernel ? EVENT_KERNEL : 0),
                e->hz);
    put_string(&w->out, e->is.name);
    recording_close_record(&w->out, start, RECORD_EVENT);
}

/* --- definitions --- */

static bool is_linked(const struct module *m)
{
    return m->elf || m->linked;
}

static void define_module(struct recording_writer *w, const struct module *m)
{
    size_t start = w->out.len;
    put_varint(&w->out, (m->file ? MODULE_FILE : 0) | (m->kernel ? MODULE_KERNEL : 0) |
                            (m->deleted ? MODULE_DELETED : 0) | (is_linked(m) ? MODULE_LINKED : 0) |
                            (m->wait ? MODULE_WAIT : 0));
    put_string(&w->out, m->path);
    put_text(&w->out, (const char *)m->identity.build_id, m->identity.build_id_len);
    recording_close_record(&w->out, start, RECORD_MODULE);
}

static bool is_recorded(const struct recording_writer *w, const struct sampled *s, uint32_t index)
{
    if (index >= w->threads)
        return false;
    const struct sampled_thread *t = &s->threads.thread[index], *written = &w->thread[index];
    return written->tid == t->tid && written->pid == t->pid && written->cgroup == t->cgroup &&
           strcmp(written->name, t->name) == 0;
}

static void define_thread(struct recording_writer *w, const struct sampled *s, uint32_t index)
{
    const struct sampled_thread *t = &s->threads.thread[index];
    if (is_recorded(w, s, index))
        return;
    if (index >= w->threads) {
        if (!grow_zeroed(&w->thread, &w->thread_cap, (size_t)index + 1, sizeof *w->thread)) {
            w->out.err = -ENOMEM;
            return;
        }
        w->threads = (size_t)index + 1;
    }
    w->thread[index] = *t;
    size_t start = w->out.len;
    put_varints(&w->out, index, t->pid, t->tid);
    put_string(&w->out, t->name);
    recording_close_record(&w->out, start, RECORD_THREAD);
    recording_define_cgroup(w, s, t);
}

/* A function of code that is in no file. */
static void write_symbol(struct recording_writer *w, struct module *m, uint64_t vaddr)
{
    struct symbol found;
    if (!(m->file && m->elf) && w->symbol_at && w->symbol_at(w->arg, m, vaddr, &found))
        recording_symbol_once(&w->out, m, &found, &w->symbols);
}

static void define_node(struct recording_writer *w, const struct sampled *s, uint32_t index)
{
    const struct sampled_node *n = sampled_node_at(s, index);
    struct module *m = sampled_module(s, n->module);
    uint64_t offset = n->offset;
    if (m && is_linked(m) && !module_vaddr(m, n->offset, &offset))
        offset = RECORDING_UNKNOWN;
    size_t start = w->out.len;
    put_varints(&w->out,
                n->parent == INTERN_NONE ? 0 : (uint64_t)recording_number(w, n->parent) + 1,
                m ? (uint64_t)m->id + 1 : 0, offset);
    recording_close_record(&w->out, start, RECORD_NODE);
    recording_number_next(w, index);
    if (m)
        write_symbol(w, m, offset);
}

static void define_main(struct recording_writer *w, const struct sampled *s)
{
    size_t start = w->out.len;
    w->main_module = s->mapped.main_module;
    put_varint(&w->out, s->mapped.main_module);
    recording_close_record(&w->out, start, RECORD_MAIN);
}

static void define_modules(struct recording_writer *w, const struct sampled *s)
{
    for (; w->modules < s->mapped.modules.count; w->modules++)
        define_module(w, s->mapped.modules.module[w->modules]);
}

static void define_new(struct recording_writer *w, const struct sampled *s, uint32_t thread)
{
    define_modules(w, s);
    if (s->mapped.main_module != w->main_module && s->mapped.main_module != SIZE_MAX)
        define_main(w, s);
    define_thread(w, s, thread);
    for (; w->nodes < s->nodes.count; w->nodes++)
        if (recording_number(w, (uint32_t)w->nodes) == INTERN_NONE)
            define_node(w, s, (uint32_t)w->nodes);
}

/* --- samples --- */

static void close_block(struct recording_writer *w, unsigned event)
{
    size_t start = w->out.len;
    struct buf *samples = &w->block[event].bytes;
    if (!samples->len)
        return;
    if (event)
        put_varint(&w->out, event);
    buf_add(&w->out, samples->data, samples->len);
    recording_close_record(&w->out, start, event ? RECORD_EVENT_SAMPLES : RECORD_SAMPLES);
    buf_clear(samples);
}

static void close_blocks(struct recording_writer *w)
{
    for (unsigned i = 0; i < SAMPLED_MAX_EVENTS; i++)
        close_block(w, i);
}

static bool has_new(const struct recording_writer *w, const struct sampled *s, uint32_t thread)
{
    return w->modules < s->mapped.modules.count || w->nodes < s->nodes.count ||
           s->mapped.main_module != w->main_module || !is_recorded(w, s, thread);
}

void recording_sample(struct recording_writer *w, const struct sampled *s,
                      const struct sampled_one *one)
{
    struct recording_block *to = &w->block[one->event];
    bool weighted = one->weight != to->period;
    if (has_new(w, s, one->thread)) {
        close_blocks(w);
        define_new(w, s, one->thread);
    }
    put_varints(&to->bytes, one->thread, recording_number(w, one->node), one->cpu,
                zigzag((int64_t)(one->time_ns - to->time_ns)) << 1 | weighted);
    if (weighted)
        put_varint(&to->bytes, one->weight);
    to->time_ns = one->time_ns;
    if (to->bytes.len >= BLOCK_BYTES)
        close_block(w, one->event);
}

/* --- rounds --- */

static void write_state(struct recording_writer *w, const struct sampled *s)
{
    size_t start = w->out.len;
    put_varints(&w->out, s->loss.lost, s->loss.throttled, s->count.idle, s->count.idle_weight,
                s->accounted.cpu_time_ms, s->accounted.idle_ms, s->accounted.irq_ms,
                s->accounted.softirq_ms);
    if (s->count.shortened)
        put_varint(&w->out, s->count.shortened);
    recording_close_record(&w->out, start, RECORD_STATE);
}

static bool grow_ends(struct recording_writer *w, size_t count)
{
    if (grow_zeroed(&w->chains, &w->ends, count, sizeof *w->chains))
        return true;
    w->out.err = -ENOMEM;
    return false;
}

/* Of an event; the record has more than its head when some have grown. */
static void write_event_ends(struct recording_writer *w, const struct sampled *s, unsigned event)
{
    size_t start = w->out.len;
    if (event)
        put_varint(&w->out, event);
    size_t head = w->out.len;
    for (size_t i = 0; i < s->unwound.ends.count; i++) {
        const struct sampled_end *e = (const struct sampled_end *)s->unwound.ends.record + i;
        if (e->chains == w->chains[i] || e->end / SAMPLED_EVENT_ENDS != event)
            continue;
        put_varints(&w->out, e->end % SAMPLED_EVENT_ENDS,
                    e->module == SAMPLED_OUTSIDE ? 0 : (uint64_t)e->module + 1, e->chains);
        w->chains[i] = e->chains;
    }
    if (w->out.len > head)
        recording_close_record(&w->out, start, event ? RECORD_EVENT_ENDS : RECORD_ENDS);
    else
        w->out.len = start;
}

static void write_ends(struct recording_writer *w, const struct sampled *s)
{
    if (!grow_ends(w, s->unwound.ends.count))
        return;
    define_modules(w, s);
    for (unsigned event = 0; event < SAMPLED_MAX_EVENTS; event++)
        write_event_ends(w, s, event);
}

static void write_waits(struct recording_writer *w, const struct sampled *s)
{
    size_t start = w->out.len;
    if (!s->want.waits)
        return;
    put_varints(&w->out, s->waits.count, s->waits.forgotten, s->waits.spanning);
    recording_close_record(&w->out, start, RECORD_WAITS);
}

static void write_guesses(struct recording_writer *w, const struct sampled *s)
{
    size_t start = w->out.len;
    const struct sampled_unwound *u = &s->unwound;
    if (u->guessed == w->guessed && u->from_cache == w->from_cache && u->by_code == w->by_code)
        return;
    w->guessed = u->guessed;
    w->from_cache = u->from_cache;
    w->by_code = u->by_code;
    put_varints(&w->out, u->guessed, u->from_cache, u->by_code);
    recording_close_record(&w->out, start, RECORD_GUESSES);
}

static void put_sums(struct buf *out, const struct heap_sums *s)
{
    put_varints(out, s->allocated.blocks, s->allocated.bytes, s->now.blocks, s->now.bytes,
                s->peak.blocks, s->peak.bytes);
}

static void write_heap(struct recording_writer *w, const struct sampled *s)
{
    const struct heap_totals *h = &s->heap;
    size_t start = w->out.len;
    if (!h->processes)
        return;
    put_varints(&w->out, h->processes, h->frees, h->unknown, h->missed, h->lost);
    put_sums(&w->out, &h->sums);
    for (size_t i = 0; i < h->sites && i < w->nodes; i++)
        if (h->site[i].allocated.blocks) {
            put_varint(&w->out, i);
            put_sums(&w->out, &h->site[i]);
        }
    recording_close_record(&w->out, start, RECORD_HEAP);
}

void recording_round(struct recording_writer *w, const struct sampled *s)
{
    close_blocks(w);
    write_state(w, s);
    write_waits(w, s);
    write_guesses(w, s);
    write_ends(w, s);
}

/* Files without a build-id may be of any user: at most so many bytes of them are read. */
static const uint64_t SUMMED_MOST = UINT64_C(4) << 30;

/* Which file it was, as far as its build-id does not tell. */
static void write_file(struct recording_writer *w, const struct module *m)
{
    struct module_file file;
    size_t start = w->out.len;
    if (m->identity.build_id_len || w->summed > SUMMED_MOST || !module_sum(m, &file))
        return;
    w->summed += file.bytes;
    put_varints(&w->out, m->id, file.bytes, file.sum);
    recording_close_record(&w->out, start, RECORD_FILE);
}

static void write_name(struct recording_writer *w, const struct sampled *s, uint32_t module,
                       uint64_t offset)
{
    uint64_t vaddr;
    const struct module *m = sampled_module(s, module);
    if (m && m->file && m->elf && m->ready && module_vaddr(m, offset, &vaddr))
        recording_symbol_at(&w->out, m, vaddr, &w->symbols);
}

static void write_symbol_of(struct recording_writer *w, const struct sampled *s, uint32_t module,
                            uint64_t offset)
{
    struct module *m = sampled_module(s, module);
    if (m && !m->file)
        write_symbol(w, m, offset);
}

/* Calls it for each place in the file. */
static void each_place(struct recording_writer *w, const struct sampled *s,
                       void (*call)(struct recording_writer *, const struct sampled *, uint32_t,
                                    uint64_t))
{
    const uint64_t(*left)[2] = w->numbers.left.record;
    for (size_t i = 0; i < w->numbers.left.count; i++)
        call(w, s, (uint32_t)left[i][0], left[i][1]);
    for (uint32_t i = 0; i < s->nodes.count; i++) {
        const struct sampled_node *n = sampled_node_at(s, i);
        if (recording_number(w, i) != INTERN_NONE)
            call(w, s, n->module, n->offset);
    }
}

void recording_names(struct recording_writer *w, const struct sampled *s)
{
    for (size_t i = 0; i < w->modules; i++) {
        const struct module *m = s->mapped.modules.module[i];
        if (!m->file || !m->elf || !m->ready)
            continue;
        recording_text(&w->out, i, module_text(m));
        write_file(w, m);
    }
    each_place(w, s, write_name);
}

void recording_end(struct recording_writer *w, const struct sampled *s)
{
    recording_round(w, s);
    write_heap(w, s);
    each_place(w, s, write_symbol_of);
    recording_close_record(&w->out, w->out.len, RECORD_END);
}
