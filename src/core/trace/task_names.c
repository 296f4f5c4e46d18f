#include "core/trace/task_names.h"

#include "core/base/grow.h"
#include "core/trace/event.h"

#include <string.h>

void sched_names_release(struct sched_names *n)
{
    imap_release(&n->index);
    free(n->name);
    free(n->text);
    *n = (struct sched_names){0};
}

uint32_t sched_names_number(const struct sched_names *n, int32_t pid)
{
    uint32_t number = n->recent[(uint32_t)pid % SCHED_NAMES_RECENT];
    if (number && n->name[number - 1].pid == pid)
        return number;
    return (uint32_t)imap_get(&n->index, (uint32_t)pid);
}

static struct sched_name *find_name(const struct sched_names *n, int32_t pid)
{
    uint32_t number = sched_names_number(n, pid);
    return number ? &n->name[number - 1] : NULL;
}

/* --- of tasks that are gone --- */

static void append_retired(struct sched_names *n, struct sched_name *name)
{
    uint32_t number = (uint32_t)(name - n->name) + 1;
    name->retired = true;
    name->before = n->newest;
    name->next = 0;
    *(n->newest ? &n->name[n->newest - 1].next : &n->oldest) = number;
    n->newest = number;
    n->retired++;
}

static void remove_retired(struct sched_names *n, struct sched_name *name)
{
    *(name->before ? &n->name[name->before - 1].next : &n->oldest) = name->next;
    *(name->next ? &n->name[name->next - 1].before : &n->newest) = name->before;
    name->retired = false;
    n->retired--;
}

void sched_names_retire(struct sched_names *n, int32_t pid)
{
    struct sched_name *name = find_name(n, pid);
    if (name && !name->retired)
        append_retired(n, name);
}

/* --- new ones --- */

/* One that had no event since the search was here before. */
static struct sched_name *search_unused(struct sched_names *n)
{
    struct sched_name *old;
    while ((old = &n->name[n->hand])->seen) {
        old->seen = false;
        n->hand = (n->hand + 1) % n->names;
    }
    n->hand = (n->hand + 1) % n->names;
    return old;
}

static struct sched_name *replace_name(struct sched_names *n)
{
    struct sched_name *old = n->retired ? &n->name[n->oldest - 1] : search_unused(n);
    uint64_t *at = imap_at(&n->index, (uint32_t)old->pid);
    if (!at)
        return NULL;
    *at = 0;
    if (old->retired)
        remove_retired(n, old);
    return old;
}

static struct sched_name *new_name(struct sched_names *n)
{
    if (n->names == SCHED_NAMES_MAX || n->retired > SCHED_NAMES_RETIRED)
        return replace_name(n);
    return grow(&n->name, &n->cap, n->names, sizeof *n->name) ? &n->name[n->names] : NULL;
}

static struct sched_name *add_name(struct sched_names *n, int32_t pid)
{
    struct sched_name *name = new_name(n);
    uint64_t *at = name ? imap_at(&n->index, (uint32_t)pid) : NULL;
    if (!at) {
        n->dropped++;
        return NULL;
    }
    uint32_t number = (uint32_t)(name - n->name), changes = 0;
    if (number == n->names)
        n->names++;
    else
        changes = name->changes + 1;
    *name = (struct sched_name){.pid = pid, .changes = changes};
    *at = number + 1;
    return name;
}

static struct sched_name *find_or_add_name(struct sched_names *n, int32_t pid)
{
    struct sched_name *name = find_name(n, pid);
    if (!name)
        name = add_name(n, pid);
    if (name && name->retired)
        remove_retired(n, name);
    if (name)
        name->seen = true;
    return name;
}

bool sched_names_set(struct sched_names *n, int32_t pid, uint64_t time_ns, const char *name,
                     size_t len)
{
    struct sched_name *to = find_or_add_name(n, pid);
    if (!to || time_ns < to->set_ns)
        return false;
    to->set_ns = time_ns;
    n->recent[(uint32_t)pid % SCHED_NAMES_RECENT] = (uint32_t)(to - n->name) + 1;
    if (len >= SCHED_NAME_BYTES && memcmp(to->name, name, SCHED_NAME_BYTES) == 0)
        return false;
    size_t bytes = strnlen(name, len < SCHED_NAME_BYTES ? len : SCHED_NAME_BYTES - 1);
    if (memcmp(to->name, name, bytes) == 0 && !to->name[bytes])
        return false;
    memcpy(to->name, name, bytes);
    memset(to->name + bytes, 0, sizeof to->name - bytes);
    to->changes++;
    return true;
}

void sched_names_fork(struct sched_names *n, int32_t parent, int32_t child)
{
    struct sched_name *to = find_or_add_name(n, child);
    if (to)
        to->parent = parent;
}

const char *sched_names_get(const struct sched_names *n, int32_t pid)
{
    const struct sched_name *there = find_name(n, pid);
    return pid == 0 ? "idle" : there ? there->name : "";
}

int32_t sched_names_parent(const struct sched_names *n, int32_t pid)
{
    const struct sched_name *there = find_name(n, pid);
    return there ? there->parent : 0;
}

uint32_t sched_names_add_text(struct sched_names *n, const char *text, size_t len)
{
    if (n->texts >= SCHED_TEXTS_MAX || !grow(&n->text, &n->texts_cap, n->texts, sizeof *n->text)) {
        n->dropped++;
        return 0;
    }
    char *to = n->text[n->texts];
    size_t bytes = strnlen(text, len < SCHED_TEXT_BYTES ? len : SCHED_TEXT_BYTES - 1);
    while (bytes && text[bytes - 1] == '\n')
        bytes--;
    memcpy(to, text, bytes);
    memset(to + bytes, 0, SCHED_TEXT_BYTES - bytes);
    return (uint32_t)++n->texts;
}

const char *sched_names_get_text(const struct sched_names *n, uint32_t number)
{
    return number && number <= n->texts ? n->text[number - 1] : "";
}

const char *sched_names_call(const struct sched_names *n, unsigned kind, uint32_t number,
                             uint8_t flags)
{
    if (kind != SCHED_CALL && kind != SCHED_RETURN)
        return NULL;
    bool compat = flags & SCHED_COMPAT;
    if (number >= SCHED_FUNCTIONS) {
        const char *function = sched_names_get_text(n, number - SCHED_FUNCTIONS);
        return function[0] ? function : NULL;
    }
    return syscall_name(compat ? syscall_machine_compat(n->machine) : n->machine, number);
}
