#include "engine/symbols/types.h"

#include "core/base/grow.h"
#include "core/elf/named.h"
#include "core/types/dwarf.h"
#include "kernel_types.h"
#include "module_types.h"
#include "plat/guard.h"

#include <errno.h>
#include <stdlib.h>

enum { MAX_ALIASES = 1 << 16 };

/* One module's questions: those of the request, and for the function of an alias one by address. */
struct question {
    struct types_query *query;
    uint32_t *of; /* each one's number in the request */
    size_t count, cap, of_cap;
    bool failed;
};

static void add_question(struct question *q, const struct types_query *one, uint32_t of)
{
    if (q->count >= MAX_ALIASES || !grow(&q->query, &q->cap, q->count, sizeof *q->query) ||
        !grow(&q->of, &q->of_cap, q->count, sizeof *q->of)) {
        q->failed = true;
        return;
    }
    q->query[q->count] = *one;
    q->of[q->count++] = of;
}

static void question_release(struct question *q)
{
    free(q->query);
    free(q->of);
}

/* How the user named the module. */
static const char *shown_path(const struct target *t, const struct module *m)
{
    return m == t->file && t->want.file ? t->want.file : m->path;
}

static void renumber(const struct question *q, struct types_answer *a)
{
    for (size_t i = 0; i < a->count; i++)
        a->found[i].query = q->of[a->found[i].query];
}

/* A note of what is missing is kept; the first is the one. */
static int ask_module(const struct target *t, const struct module *m, const struct question *q,
                      struct types_answers *all, struct fail *f)
{
    struct types_answer *out = &all->answer[all->count++];
    const char *path = shown_path(t, m);
    int r = module_types(m, path, q->query, q->count, MODULE_TYPES_SECONDS, out, f);
    if (r < 0)
        return r;
    renumber(q, out);
    if (!all->note.what[0])
        module_types_elsewhere(m, path, out, &all->note);
    return 0;
}

/* --- which module is asked what --- */

struct defining {
    struct question *question;
    const struct types_request *request;
    uint32_t query;
    bool *defined; /* of each of the request's queries */
};

static void found_address(void *arg, uint64_t address)
{
    struct defining *d = arg;
    struct types_query q = d->request->query[d->query];
    q.by_address = true;
    q.address = address;
    d->defined[d->query] = true;
    add_question(d->question, &q, d->query);
}

struct naming {
    const struct module *module;
    struct elf_wanted *wanted;
    size_t count;
};

static int read_names(void *arg)
{
    const struct naming *n = arg;
    size_t len;
    const uint8_t *image = elf_image(n->module->debug ? n->module->debug : n->module->elf, &len);
    elf_named(image, len, n->wanted, n->count, found_address);
    image = elf_image(n->module->elf, &len);
    if (n->module->debug)
        elf_named(image, len, n->wanted, n->count, found_address);
    return 0;
}

/* Adds a question by address for each function that the module defines under one of the names. */
static void add_addresses(const struct module *m, const struct types_request *r, struct question *q,
                          bool *defined)
{
    struct naming n = {m, calloc(r->queries, sizeof *n.wanted), 0};
    SCOPED_FREE struct defining *d = calloc(r->queries, sizeof *d);
    for (size_t i = 0; n.wanted && d && i < r->queries; i++) {
        if (r->query[i].layout || r->query[i].by_address || defined[i])
            continue;
        d[n.count] = (struct defining){q, r, (uint32_t)i, defined};
        n.wanted[n.count] = (struct elf_wanted){r->query[i].name, &d[n.count]};
        n.count++;
    }
    if (n.wanted && d)
        guard_call(read_names, &n, NULL);
    q->failed |= !n.wanted || !d;
    free(n.wanted);
}

static int add_answer(struct types_answers *all, const struct target *t, const struct module *m,
                      const struct question *q, struct fail *f)
{
    if (q->failed || !grow(&all->answer, &all->cap, all->count, sizeof *all->answer))
        return fail_set(f, ENOMEM, "types");
    all->answer[all->count] = (struct types_answer){0};
    return q->count ? ask_module(t, m, q, all, f) : 0;
}

/* --- a file --- */

static int file_types(const struct types_request *r, struct target *t, struct types_answers *out,
                      struct fail *f)
{
    struct question q = {0};
    SCOPED_FREE bool *defined = calloc(r->queries, sizeof *defined);
    if (!t->file->elf || !defined)
        return fail_set(f, defined ? ENOEXEC : ENOMEM, "%s", t->file->path);
    add_addresses(t->file, r, &q, defined);
    for (size_t i = 0; i < r->queries; i++) {
        struct types_query one = r->query[i];
        one.address -= t->slide;
        add_question(&q, &one, (uint32_t)i);
    }
    int status = add_answer(out, t, t->file, &q, f);
    question_release(&q);
    return status;
}

/* --- a process --- */

/* A function by the first module that defines its name, a struct by the first that has it. */
static void ask_of_module(struct target *t, struct module *m, const struct types_request *r,
                          struct question *q, bool *defined)
{
    add_addresses(m, r, q, defined);
    for (size_t i = 0; i < r->queries; i++) {
        struct types_query one = r->query[i];
        uint64_t offset;
        if (one.by_address &&
            mapped_at(&t->mapped, (uint32_t)t->want.pid, one.address, &offset) == m) {
            one.address = offset;
            module_vaddr(m, offset, &one.address);
            add_question(q, &one, (uint32_t)i);
        }
        if (one.layout && !defined[i])
            add_question(q, &one, (uint32_t)i);
    }
}

static void mark_found(const struct types_answers *all, bool *defined)
{
    const struct types_answer *last = &all->answer[all->count - 1];
    for (size_t i = 0; i < last->count; i++)
        defined[last->found[i].query] = true;
}

/* A module without types is no failure, but is named if it was to answer for a function. */
static void note_failure(const struct question *q, const struct fail *why,
                         struct types_answers *out)
{
    bool functions = false;
    for (size_t i = 0; i < q->count; i++)
        functions |= !q->query[i].layout;
    if (functions && !out->note.what[0])
        out->note = *why;
}

static int process_types(const struct types_request *r, struct target *t, struct types_answers *out,
                         struct fail *f)
{
    SCOPED_FREE bool *defined = calloc(r->queries, sizeof *defined);
    int status = defined ? 0 : fail_set(f, ENOMEM, "types");
    for (size_t i = 0; i < t->mapped.modules.count && status == 0; i++) {
        struct module *m = t->mapped.modules.module[i];
        SCOPED(question_release) struct question q = {0};
        struct fail why;
        if (m->file)
            symbols_ready(&t->symbols, m);
        if (m->elf && m->file)
            ask_of_module(t, m, r, &q, defined);
        status = add_answer(out, t, m, &q, &why);
        if (status == 0 && q.count)
            mark_found(out, defined);
        if (status < 0 && status != -ENOMEM) {
            note_failure(&q, &why, out);
            status = 0;
        } else if (status < 0 && f) {
            *f = why;
        }
    }
    return status;
}

/* --- all --- */

int symbols_types(const struct types_request *r, struct types_answers *out, struct fail *f)
{
    struct target t;
    *out = (struct types_answers){0};
    if (r->want->kernel && (r->btf || !r->want->vmlinux))
        return kernel_types(r, out, f);
    if (!types_dwarf_able())
        return fail_set(f, 0, "this psuite was built without libdwarf: no types of programs");
    int status = target_open(r->want, &t, f);
    if (status == 0)
        status = r->want->pid ? process_types(r, &t, out, f) : file_types(r, &t, out, f);
    target_release(&t);
    return status;
}

void types_answers_release(struct types_answers *a)
{
    for (size_t i = 0; i < a->count; i++)
        types_answer_release(&a->answer[i]);
    free(a->answer);
    *a = (struct types_answers){0};
}
