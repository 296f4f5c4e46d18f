/* Names and types of the arguments of traced functions, by the kernel's BTF. Functions whose types
 * are not there, or not sure, remain unknown: that is no error. */
#include "function_types.h"

#include "core/base/sort.h"
#include "core/types/btf.h"
#include "plat/trace.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MODULE_BYTES = 64 };

struct learning {
    struct function_run *t;
    struct ktrace_wanted *wanted; /* functions of which there is one of that name, by name */
    size_t count;
    struct ktrace_wanted *asked; /* of these, those of one module */
    struct buf kernel;           /* the kernel's types */
};

/* --- which functions: of one name there may be several, and the types do not say whose they are */

static int compare_names(const void *pa, const void *pb)
{
    const struct ktrace_wanted *a = pa, *b = pb;
    return strcmp(a->name, b->name);
}

static void count_symbols(const struct learning *l, unsigned char *found)
{
    const struct symtab *names = l->t->text.names.symbols;
    for (size_t i = 0; i < symtab_count(names); i++) {
        const struct ktrace_wanted key = {.name = symtab_at(names, i)->name};
        const struct ktrace_wanted *at =
            bsearch(&key, l->wanted, l->count, sizeof key, compare_names);
        if (at && found[at - l->wanted] < 2)
            found[at - l->wanted]++;
    }
}

/* One that is twice in `wanted' is found at one of the two, the other has 0. */
static int drop_ambiguous(struct learning *l)
{
    size_t kept = 0;
    SCOPED_FREE unsigned char *found = calloc(l->count, 1);
    if (!found)
        return -ENOMEM;
    count_symbols(l, found);
    for (size_t i = 0; i < l->count; i++)
        if (found[i] == 1)
            l->wanted[kept++] = l->wanted[i];
    l->count = kept;
    return 0;
}

static int list_wanted(struct learning *l)
{
    size_t count = l->t->functions;
    l->wanted = malloc(count * sizeof *l->wanted);
    l->asked = malloc(count * sizeof *l->asked);
    if (!l->wanted || !l->asked)
        return -ENOMEM;
    for (size_t i = 0; i < count; i++)
        l->wanted[i] = (struct ktrace_wanted){l->t->function[i].symbol->name, (uint32_t)i};
    l->count = count;
    sort_array(l->wanted, count, sizeof *l->wanted, compare_names);
    return drop_ambiguous(l);
}

/* --- types of the kernel, and of one module after the other --- */

static const char *module_of(const struct learning *l, uint32_t function, char name[MODULE_BYTES])
{
    size_t len;
    const char *at = kallsyms_module(&l->t->text.names, l->t->function[function].symbol, &len);
    len = len < MODULE_BYTES ? len : MODULE_BYTES - 1;
    memcpy(name, at, len);
    name[len] = '\0';
    return name;
}

/* Moves those of the module to `asked'. */
static size_t take_module(struct learning *l, const char *module)
{
    size_t kept = 0, taken = 0;
    char name[MODULE_BYTES];
    for (size_t i = 0; i < l->count; i++)
        if (strcmp(module_of(l, l->wanted[i].function, name), module) == 0)
            l->asked[taken++] = l->wanted[i];
        else
            l->wanted[kept++] = l->wanted[i];
    l->count = kept;
    return taken;
}

static int read_types(struct learning *l, const char *module, struct buf *bytes, struct types *out)
{
    int r = btf_read((const uint8_t *)buf_str(&l->kernel), l->kernel.len, out, NULL);
    if (r < 0 || !module[0])
        return r;
    r = trace_types(module, bytes);
    return r < 0 ? r
                 : btf_read_split((const uint8_t *)buf_str(&l->kernel), l->kernel.len,
                                  (const uint8_t *)buf_str(bytes), bytes->len, out, NULL);
}

static int learn_module(struct learning *l, const char *module)
{
    struct types types = {.count = 0};
    SCOPED_BUF bytes = BUF_INIT;
    size_t count = take_module(l, module);
    int r = count ? read_types(l, module, &bytes, &types) : -ENOENT;
    if (r == 0)
        r = ktrace_signatures_learn(&l->t->signatures, l->asked, count, &types, trace_probe_args());
    types_release(&types);
    return r == -ENOMEM ? r : 0;
}

static int learn_all(struct learning *l)
{
    int r = list_wanted(l);
    if (r < 0 || trace_types(NULL, &l->kernel) < 0)
        return r;
    while (r == 0 && l->count) {
        char module[MODULE_BYTES];
        module_of(l, l->wanted[0].function, module);
        r = learn_module(l, module);
    }
    return r;
}

/* --- what is to be recorded --- */

static void record_known(struct traced_function *f, const struct ktrace_signature *s)
{
    f->args = s->args;
    f->returns_text = s->returned.kind == KTRACE_TEXT;
    for (unsigned i = 0; i < s->args; i++)
        if (s->arg[i].kind == KTRACE_TEXT)
            f->texts |= (uint8_t)(1U << i);
}

int function_types(struct function_run *t)
{
    struct learning l = {.t = t, .kernel = BUF_INIT};
    int r = ktrace_signatures_init(&t->signatures, t->functions);
    if (r == 0)
        r = learn_all(&l);
    for (size_t i = 0; r == 0 && i < t->functions; i++) {
        const struct ktrace_signature *s = ktrace_signature(&t->signatures, (uint32_t)i);
        if (s->known)
            record_known(&t->function[i], s);
    }
    free(l.wanted);
    free(l.asked);
    buf_release(&l.kernel);
    return r;
}
