#include "callees.h"

#include "core/base/grow.h"
#include "core/insn/calls.h"
#include "core/symbol/kcore.h"
#include "plat/host.h"
#include "plat/kernel_memory.h"

#include <errno.h>
#include <string.h>

enum { MAX_CODE_BYTES = 64 << 10 };

struct search {
    const struct kernel_text *text;
    struct callees *found;
    size_t max;
    struct imap known; /* where functions begin */
    struct kcore core;
    enum insn_machine machine;
    int memory;
    int err;
    uint8_t code[MAX_CODE_BYTES];
};

/* What is a function by its symbol, but none that is called: the rest of another one, and what the
 * compiler and the kernel put between a call and its function. */
static bool is_function(const char *name)
{
    static const char *const others[] = {"__x86_indirect_", "__x86_return_", "__fentry__",
                                         "__gnu_mcount_nc", "_mcount",       "ftrace_",
                                         "__sanitizer_",    "__kasan_",      "__asan_"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strncmp(name, others[i], strlen(others[i])) == 0)
            return false;
    return *name && !strstr(name, ".cold");
}

static void add_function(void *search, uint64_t start)
{
    struct search *s = search;
    const struct symbol *symbol = kallsyms_find(&s->text->names, start);
    struct callees *to = s->found;
    if (!symbol || symbol->start != start || !is_function(symbol->name))
        return;
    uint64_t *known = imap_at(&s->known, start);
    if (known && *known)
        return;
    if (to->count >= s->max)
        to->left_out++;
    else if (!known || !grow(&to->function, &to->cap, to->count, sizeof *to->function))
        s->err = -ENOMEM;
    else
        to->function[to->count++] = (struct traced_function){
            .start = start, .last = kernel_text_last(s->text, symbol), .symbol = symbol};
    if (known)
        *known = 1;
}

static void add_callees(struct search *s, const struct symbol *of)
{
    uint64_t offset, len = of->end - of->start;
    len = len < MAX_CODE_BYTES ? len : MAX_CODE_BYTES;
    if (!kcore_find(&s->core, of->start, len, &offset))
        return;
    size_t got = kernel_memory_read(s->memory, offset, s->code, (size_t)len);
    insn_calls(s->machine, s->code, got, of->start, add_function, s);
}

static int open_memory(struct search *s, struct fail *f)
{
    struct host host;
    host_describe(&host);
    if (!insn_machine_named(host.machine, &s->machine)) {
        fail_set(f, EOPNOTSUPP, "calls in the code of %s", host.machine);
        return -EOPNOTSUPP;
    }
    s->memory = kernel_memory_open(f);
    if (s->memory < 0)
        return s->memory;
    uint8_t *head = s->code;
    size_t len = kernel_memory_read(s->memory, 0, head, KCORE_HEAD_BYTES);
    int r = kcore_read(head, len, &s->core);
    if (r < 0) {
        fail_set(f, 0, "/proc/kcore: the kernel's memory cannot be read");
        kernel_memory_close(s->memory);
    }
    return r;
}

static int search_all(struct search *s, const uint64_t *start, size_t starts, struct fail *f)
{
    int r = open_memory(s, f);
    if (r < 0)
        return r;
    for (size_t i = 0; i < starts; i++)
        add_function(s, start[i]);
    for (size_t i = 0; i < s->found->count; i++)
        add_callees(s, s->found->function[i].symbol);
    kernel_memory_close(s->memory);
    return s->err ? fail_set(f, ENOMEM, "functions") : 0;
}

int callees_find(const struct kernel_text *k, const uint64_t *start, size_t starts, size_t max,
                 struct callees *out, struct fail *f)
{
    SCOPED_FREE struct search *s = calloc(1, sizeof *s);
    *out = (struct callees){.count = 0};
    if (!s)
        return fail_set(f, ENOMEM, "functions");
    s->text = k;
    s->found = out;
    s->max = max;
    int r = search_all(s, start, starts, f);
    imap_release(&s->known);
    return r;
}

void callees_release(struct callees *c)
{
    free(c->function);
    *c = (struct callees){.count = 0};
}
