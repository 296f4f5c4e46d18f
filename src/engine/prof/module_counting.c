#include "engine/prof/module_counting.h"

#include "core/base/bytes.h"
#include "module_counter.h"
#include "plat/apart.h"

#include <errno.h>
#include <stdlib.h>

struct module_counting {
    int end; /* of the connection to the process */
};

/* --- numbers of files --- */

enum { ID_BYTES = 16 };

struct coverage_module *module_record(struct coverage_record *out, const struct profdev_file *file)
{
    uint8_t id[ID_BYTES];
    put_le32(id, file->major);
    put_le32(id + 4, file->minor);
    put_le64(id + 8, file->inode);
    return coverage_record_module(out, file->path, id, sizeof id);
}

static bool module_id_unpack(const struct coverage_module *m, struct profdev_file *out)
{
    const uint8_t *id = m->build_id;
    if (m->build_id_len != ID_BYTES)
        return false;
    *out = (struct profdev_file){m->path, get_le32(id), get_le32(id + 4), get_le64(id + 8)};
    return true;
}

/* --- the process --- */

struct process {
    const struct profdev *device;
    int end;
};

static void run_process(void *arg)
{
    const struct process *p = arg;
    module_counter_run(p->device, p->end);
}

int module_counting_start(const struct profdev *p, struct module_counting **out, struct fail *f)
{
    int pair[2];
    struct module_counting *c = calloc(1, sizeof *c);
    if (!c)
        return fail_set(f, ENOMEM, "profiling");
    int r = apart_pair(pair, f);
    if (r < 0) {
        free(c);
        return r;
    }
    struct process process = {p, pair[1]};
    r = apart_start_guardian(run_process, &process, &pair[1], 1, f);
    apart_close(pair[1]);
    c->end = pair[0];
    if (r < 0)
        module_counting_free(c);
    else
        *out = c;
    return r;
}

void module_counting_free(struct module_counting *c)
{
    if (c)
        apart_close(c->end);
    free(c);
}

/* --- questions --- */

static int receive_record(struct module_counting *c, size_t len, struct buf *record)
{
    if (len > MODULE_MAX_RECORD)
        return -EFBIG;
    char *to = len ? buf_reserve(record, len) : NULL;
    if (!to)
        return len ? -ENOMEM : 0;
    int r = apart_receive(c->end, to, len);
    if (r == 0)
        buf_commit(record, len);
    return r;
}

static int ask(struct module_counting *c, const struct module_request *q, struct buf *record,
               struct fail *f)
{
    struct module_answer a;
    int r = apart_send(c->end, q, sizeof *q);
    if (r == 0)
        r = apart_receive(c->end, &a, sizeof a);
    if (r == 0 && a.err < 0) {
        if (f)
            *f = a.why;
        return a.err;
    }
    if (r == 0)
        r = receive_record(c, a.len, record);
    return r < 0 ? fail_set(f, -r, "the process that counts") : 0;
}

static int ask_about(struct module_counting *c, enum module_question q, int pid, struct fail *f)
{
    struct buf none = BUF_INIT;
    return ask(c, &(struct module_request){q, pid}, &none, f);
}

int module_counting_program(struct module_counting *c, int pid, struct fail *f)
{
    return ask_about(c, MODULE_PROGRAM, pid, f);
}

int module_counting_process(struct module_counting *c, int pid, struct fail *f)
{
    return ask_about(c, MODULE_PROCESS, pid, f);
}

/* --- counts --- */

static int count_module(struct coverage_module *m, struct profdev *p)
{
    struct profdev_file file;
    uint64_t count;
    int r = 0;
    struct profdev_module *to = module_id_unpack(m, &file) ? profdev_intern(p, &file) : NULL;
    coverage_sort(&m->counts);
    for (uint64_t at = 0; to && r == 0 && coverage_next(&m->counts, &at, &count); at++)
        r = profdev_counted(to, at, count);
    return r;
}

static int count_record(const struct buf *text, struct profdev *p, struct fail *f)
{
    SCOPED(coverage_record_release) struct coverage_record record = {.module = NULL};
    int r = coverage_record_read(&record, buf_str(text), text->len, f);
    profdev_recount(p);
    for (size_t i = 0; r == 0 && i < record.modules; i++)
        if (count_module(record.module[i], p) < 0)
            r = fail_set(f, ENOMEM, "histogram");
    return r;
}

int module_counting_count(struct module_counting *c, bool all, struct profdev *p, struct fail *f)
{
    SCOPED_BUF text = BUF_INIT;
    int r = ask(c, &(struct module_request){all ? MODULE_END : MODULE_COUNT, 0}, &text, f);
    if (r == 0)
        r = count_record(&text, p, f);
    return r;
}
