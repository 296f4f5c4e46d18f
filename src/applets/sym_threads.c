#include "applets/sym_threads.h"

#include "core/base/signal_name.h"
#include "core/text/counted.h"
#include "core/text/json.h"
#include "core/text/shown.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 4096 };

struct report {
    struct target *target;
    struct answer_format format;
    struct unwind_frame *frame; /* MAX_DEPTH */
    struct buf out;
};

static bool is_json(const struct report *r)
{
    return r->format.style == ANSWER_JSON;
}

/* --- the process --- */

static void add_command(const struct coredump *c, struct buf *out)
{
    const char *name = c->arguments[0] ? c->arguments : c->command;
    size_t len = strlen(name);
    while (len && name[len - 1] == ' ')
        len--;
    if (len)
        shown_add(out, name, len);
    else
        buf_adds(out, "process");
}

static void process_text(const struct coredump *c, struct buf *out)
{
    add_command(c, out);
    if (c->pid)
        buf_printf(out, " (PID %d)", c->pid);
    buf_printf(out, ", %s", counted(c->threads, "thread").text);
    if (c->signal)
        buf_printf(out, ": %s", signal_name((int)c->signal));
    if (c->has_fault)
        buf_printf(out, " at address 0x%" PRIx64, c->fault);
    buf_addc(out, '\n');
}

static void process_json(const struct coredump *c, struct buf *out)
{
    struct json j;
    json_start(&j, out, "sym");
    json_members(&j, "command arguments pid threads [signal]", c->command, c->arguments, c->pid,
                 c->threads, c->signal ? signal_name((int)c->signal) : NULL);
    if (c->has_fault)
        json_hex(&j, "fault_address", c->fault);
    json_end(&j);
}

/* --- a thread --- */

static void end_text(const struct unwind_result *u, struct buf *out)
{
    if (u->end == UNWIND_UNREADABLE)
        buf_printf(out, "    (ends here: the memory at 0x%" PRIx64 " is not in the core file)\n",
                   u->at);
    else if (u->end == UNWIND_DEPTH)
        buf_printf(out, "    (ends here: over %d frames)\n", MAX_DEPTH);
    else if (u->end != UNWIND_WHOLE)
        buf_printf(out, "    (ends here: %s, 0x%" PRIx64 ")\n", unwind_end_name(u->end), u->at);
    if (u->guessed)
        buf_printf(out, "    (%s found without unwind information)\n",
                   counted(u->guessed, "frame").text);
}

static void thread_text(struct report *r, const struct coredump_thread *thread,
                        const struct unwind_result *u)
{
    struct answer a;
    buf_printf(&r->out, "\nthread %d:\n", thread->tid);
    for (size_t i = 0; i < u->frames; i++) {
        target_frame(r->target, &r->frame[i], &a);
        answer_text(&r->format, &a, &r->out);
    }
    if (!thread->has_pc)
        buf_adds(&r->out, "    (the registers of this processor are not known)\n");
    else if (!thread->unwinds)
        buf_adds(&r->out, "    (call chains of this processor are not supported)\n");
    else
        end_text(u, &r->out);
}

static void thread_json(struct report *r, const struct coredump_thread *thread,
                        const struct unwind_result *u)
{
    struct json j;
    struct answer a;
    json_start(&j, &r->out, "sym");
    json_i64(&j, "thread", thread->tid);
    json_array(&j, "chain");
    for (size_t i = 0; i < u->frames; i++) {
        target_frame(r->target, &r->frame[i], &a);
        answer_json_element(&r->format, &a, &j);
    }
    json_array_end(&j);
    json_members(&j, "chain_end guessed_frames",
                 thread->unwinds ? unwind_end_name(u->end) : "not supported", u->guessed);
    json_end(&j);
}

/* The chain, or the pc alone. */
static struct unwind_result find_chain(struct report *r, const struct coredump_thread *thread)
{
    if (thread->unwinds)
        return target_chain(r->target, thread, r->frame, MAX_DEPTH);
    r->frame[0] = (struct unwind_frame){.pc = thread->pc};
    return (struct unwind_result){.frames = thread->has_pc};
}

static int print_part(struct report *r, struct fail *f)
{
    int err = buf_error(&r->out);
    if (err)
        return fail_set(f, ENOMEM, "call chains");
    fwrite(buf_str(&r->out), 1, r->out.len, stdout);
    buf_clear(&r->out);
    return fflush(stdout) == 0 ? 0 : fail_set(f, errno, "standard output");
}

static int print_thread(struct report *r, size_t i, struct fail *f)
{
    struct coredump_thread thread;
    coredump_thread(&r->target->core, i, &thread);
    struct unwind_result u = find_chain(r, &thread);
    if (is_json(r))
        thread_json(r, &thread, &u);
    else
        thread_text(r, &thread, &u);
    return print_part(r, f);
}

int sym_threads(struct target *t, const struct answer_format *format, struct fail *f)
{
    struct report r = {.target = t, .format = *format};
    if (!t->core.threads)
        return fail_set(f, 0, "%s: has no threads", t->want.core);
    r.format.address = true;
    r.format.indent = "    ";
    r.frame = calloc(MAX_DEPTH, sizeof *r.frame);
    if (!r.frame)
        return fail_set(f, ENOMEM, "call chains");
    if (is_json(&r))
        process_json(&t->core, &r.out);
    else
        process_text(&t->core, &r.out);
    int e = print_part(&r, f);
    for (size_t i = 0; e == 0 && i < t->core.threads; i++)
        e = print_thread(&r, i, f);
    buf_release(&r.out);
    free(r.frame);
    return e;
}
