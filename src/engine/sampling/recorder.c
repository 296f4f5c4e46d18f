#include "engine/sampling/recorder.h"

#include "core/procfs/cgroup.h"
#include "core/text/shell_words.h"
#include "plat/clock.h"
#include "plat/file.h"
#include "plat/guard.h"
#include "plat/host.h"
#include "plat/proc.h"
#include "plat/sysfile.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

int recorder_open(struct recorder *r, const char *path, bool force, struct fail *f)
{
    int handle =
        strcmp(path, "-") == 0 ? file_redirect_stdout(f) : file_create_private(path, force, f);
    if (handle < 0)
        return handle;
    *r = (struct recorder){.path = strcmp(path, "-") == 0 ? "standard output" : path,
                           .handle = handle};
    return 0;
}

void recorder_open_memory(struct recorder *r)
{
    *r = (struct recorder){.path = "the recording", .to_memory = true};
}

/* --- facts --- */

static void write_fact(struct recorder *r, enum recording_fact_key key, const char *value)
{
    if (value[0])
        recording_fact(&r->writer, recording_keys[key], value);
}

static void fact_number(struct recorder *r, enum recording_fact_key key, uint64_t value)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, value);
    write_fact(r, key, text);
}

static void fact_command(struct recorder *r, char *const *command)
{
    SCOPED_BUF words = BUF_INIT;
    if (command)
        shell_words_add(&words, command);
    write_fact(r, RECORDING_COMMAND, buf_str(&words));
}

static void write_facts(struct recorder *r, const struct sampled *s,
                        const struct recorder_facts *facts)
{
    struct host host;
    host_describe(&host);
    write_fact(r, RECORDING_HOST, host.name);
    write_fact(r, RECORDING_MACHINE, host.machine);
    write_fact(r, RECORDING_KERNEL, host.kernel);
    fact_number(r, RECORDING_CPUS, host.cpus);
    fact_command(r, facts->command);
    write_fact(r, RECORDING_METHOD, facts->method);
    write_fact(r, RECORDING_MODE, facts->mode);
    write_fact(r, RECORDING_EVENT, s->event.name);
    fact_number(r, RECORDING_CLOCK, s->event.clock);
    fact_number(r, RECORDING_HZ, s->want.hz);
    fact_number(r, RECORDING_PID, facts->pid);
    fact_number(r, RECORDING_START, facts->start_ns ? facts->start_ns : clock_real_ns());
}

static bool symbol_at(void *arg, struct module *m, uint64_t vaddr, struct symbol *out)
{
    struct recorder *r = arg;
    if (m->identity.pid && !r->ending) /* what a JIT compiler wrote is read once, at the end */
        return false;
    symbols_ready(r->symbols, m);
    return recording_function(m, vaddr, out);
}

bool recorder_cgroup(void *arg, uint32_t pid, struct buf *path)
{
    SCOPED_BUF text = BUF_INIT;
    bool known =
        proc_text((int)pid, "cgroup", &text, NULL) == 0 && cgroup_path(buf_str(&text), path);
    return known;
}

void recorder_start(struct recorder *r, const struct sampled *s, uint64_t period,
                    const struct recorder_facts *facts, struct symbols *symbols)
{
    recording_start(&r->writer, period);
    r->symbols = symbols;
    r->writer.symbol_at = symbol_at;
    r->writer.cgroup_of = facts->of_file ? NULL : recorder_cgroup;
    r->writer.arg = r;
    write_facts(r, s, facts);
}

/* --- samples --- */

void recorder_sample(struct recorder *r, const struct sampled *s, const struct sampled_one *one)
{
    if (r->path && !r->err)
        recording_sample(&r->writer, s, one);
}

static int keep_in_memory(struct recorder *r, const struct buf *out)
{
    enum { SHARE = 16 };
    if (r->memory.len + out->len > sysfile_memory_bytes() / SHARE) {
        fail_set(&r->fail, 0, "the recording takes more than a sixteenth of the memory");
        fail_hint(&r->fail, "--record FILE writes it to a file");
        return -EFBIG;
    }
    buf_add(&r->memory, out->data, out->len);
    return buf_error(&r->memory) ? fail_set(&r->fail, ENOMEM, "%s", r->path) : 0;
}

static void write_out(struct recorder *r)
{
    struct buf *out = &r->writer.out;
    if (recording_error(&r->writer))
        r->err = fail_set(&r->fail, -recording_error(&r->writer), "%s", r->path);
    else if (r->to_memory)
        r->err = keep_in_memory(r, out);
    else
        r->err = file_append(r->handle, out->data, out->len, r->path, &r->fail);
    r->writer.bytes += out->len;
    buf_clear(out);
}

bool recorder_round(struct recorder *r, const struct sampled *s)
{
    if (!r->path || r->err)
        return !r->err;
    recording_round(&r->writer, s);
    write_out(r);
    return !r->err;
}

void recorder_renumber(struct recorder *r, const struct sampled *s,
                       const struct rare_merged *merged)
{
    if (r->path && !r->err)
        recording_renumber(&r->writer, s, merged);
}

struct naming {
    struct recorder *recorder;
    const struct sampled *sampled;
};

static int write_names(void *arg)
{
    struct naming *n = arg;
    recording_names(&n->recorder->writer, n->sampled);
    return 0;
}

/* A file that is truncated while its names are read costs the names. */
static void write_all_names(struct recorder *r, const struct sampled *s)
{
    struct naming n = {r, s};
    size_t before = r->writer.out.len;
    symbols_drop_truncated(&s->mapped.modules);
    if (guard_call(write_names, &n, NULL) == -EFAULT)
        r->writer.out.len = before;
}

int recorder_close(struct recorder *r, const struct sampled *s, struct fail *f)
{
    if (!r->path)
        return 0;
    r->ending = true;
    if (!r->err && r->symbols) { /* it was started */
        write_all_names(r, s);
        recording_end(&r->writer, s);
        write_out(r);
    }
    int e = r->to_memory ? 0 : file_finish(r->handle, r->path, r->err ? NULL : &r->fail);
    if (!r->err)
        r->err = e;
    recording_release(&r->writer);
    r->path = NULL;
    if (r->err && f)
        *f = r->fail;
    return r->err;
}
