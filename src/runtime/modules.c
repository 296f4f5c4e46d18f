/*
 * Which loaded file a function lies in: read at the start, and again when a new node's function is
 * in none of what is known. What dlclose removed (wrap.c) stays in the file, marked, and its nodes
 * are never found again: what is loaded later at the same addresses has its own.
 */
#include "runtime.h"

#include <elf.h>
#include <errno.h>
#include <link.h>
#include <string.h>
#include <unistd.h>

enum { MODULES = 1024, MODULE_SLOTS = sizeof(struct psprof_module) / PSPROF_SLOT_BYTES };

static struct known {
    uintptr_t start, end, bias;
    uint32_t slot; /* 0: it has gone */
    unsigned seen;
} known[MODULES];
static unsigned count, round_now;
static int scanning;

static struct known *find_module(uintptr_t pc)
{
    unsigned n = __atomic_load_n(&count, __ATOMIC_ACQUIRE);
    for (unsigned i = 0; i < n; i++)
        if (known[i].slot && pc - known[i].start < known[i].end - known[i].start)
            return &known[i];
    return NULL;
}

static void code_range(const struct dl_phdr_info *info, uintptr_t *start, uintptr_t *end)
{
    *start = UINTPTR_MAX;
    *end = 0;
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        if (p->p_type != PT_LOAD || !(p->p_flags & PF_X))
            continue;
        uintptr_t from = info->dlpi_addr + p->p_vaddr, to = from + p->p_memsz;
        *start = from < *start ? from : *start;
        *end = to > *end ? to : *end;
    }
}

/* One note: name and contents are padded to a multiple of 4 bytes. */
static void read_build_id(const unsigned char *at, size_t bytes, struct psprof_module *m)
{
    while (bytes >= sizeof(ElfW(Nhdr))) {
        ElfW(Nhdr) n;
        memcpy(&n, at, sizeof n);
        size_t name = ((size_t)n.n_namesz + 3) & ~(size_t)3;
        size_t desc = ((size_t)n.n_descsz + 3) & ~(size_t)3;
        if (name > bytes - sizeof n || desc > bytes - sizeof n - name)
            return;
        if (n.n_type == NT_GNU_BUILD_ID && n.n_namesz == 4 && !memcmp(at + sizeof n, "GNU", 4)) {
            m->build_id_bytes = n.n_descsz < 20 ? (uint8_t)n.n_descsz : 20;
            memcpy(m->build_id, at + sizeof n + name, m->build_id_bytes);
            return;
        }
        at += sizeof n + name + desc;
        bytes -= sizeof n + name + desc;
    }
}

static void find_build_id(const struct dl_phdr_info *info, struct psprof_module *m)
{
    for (unsigned i = 0; i < info->dlpi_phnum && !m->build_id_bytes; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        if (p->p_type == PT_NOTE)
            read_build_id((const unsigned char *)(info->dlpi_addr + p->p_vaddr), p->p_memsz, m);
    }
}

static void set_path(const struct dl_phdr_info *info, bool first, struct psprof_module *m)
{
    if (first) {
        ssize_t n = readlink("/proc/self/exe", m->path, sizeof m->path - 1);
        m->path[n > 0 ? n : 0] = 0;
        return;
    }
    const char *name = info->dlpi_name ? info->dlpi_name : "";
    size_t at = 0;
    if (*name != '/' && strchr(name, '/') && getcwd(m->path, sizeof m->path - 1)) {
        at = strlen(m->path);
        m->path[at++] = '/';
    }
    size_t n = strnlen(name, sizeof m->path - 1 - at);
    memcpy(m->path + at, name, n);
    m->path[at + n] = 0;
}

static void write_module(const struct dl_phdr_info *info, bool first, struct known *k)
{
    struct psprof_module *m = rt_slot(k->slot);
    m->start = k->start;
    m->end = k->end;
    m->bias = k->bias;
    find_build_id(info, m);
    set_path(info, first, m);
    m->next = psprof_header->modules;
    __atomic_store_n(&psprof_header->modules, k->slot, __ATOMIC_RELEASE);
}

static void add_module(const struct dl_phdr_info *info, bool first, struct known k)
{
    k.slot = count < MODULES ? rt_store_claim(MODULE_SLOTS, false) : 0;
    if (!k.slot) {
        psprof_header->modules_refused++;
        return;
    }
    write_module(info, first, &k);
    known[count] = k;
    __atomic_store_n(&count, count + 1, __ATOMIC_RELEASE);
}

static int on_module(struct dl_phdr_info *info, size_t size, void *first)
{
    struct known k = {.bias = info->dlpi_addr, .seen = round_now};
    code_range(info, &k.start, &k.end);
    bool is_first = *(bool *)first;
    *(bool *)first = false;
    if (k.start >= k.end)
        return 0;
    for (unsigned i = 0; i < count; i++)
        if (known[i].slot && known[i].start == k.start && known[i].end == k.end) {
            known[i].seen = round_now;
            return 0;
        }
    add_module(info, is_first, k);
    return 0;
}

/* A slot that is a node has where its newest callee is found. */
static bool is_node(const struct psprof_node *n)
{
    uint64_t first = (uintptr_t)rt_slot(0), end = (uintptr_t)rt_slot(psprof_header->slots_claimed);
    return n->private_[1] >= first && n->private_[1] < end;
}

/* Marks its nodes, to distinguish them from those of a module loaded there later. */
static void retire_module(struct known *k)
{
    struct psprof_module *m = rt_slot(k->slot);
    m->unloaded = 1;
    k->slot = 0;
    for (uint32_t i = 1; i < psprof_header->slots_claimed; i++) {
        struct psprof_node *n = rt_slot(i);
        if (!is_node(n))
            continue;
        if (n->private_[0] - k->start < k->end - k->start) /* count: the caller's */
            n->private_[0] = 0;
        if (n->pc - k->start >= k->end - k->start)
            continue;
        n->private_[0] = 0;
        n->pc |= (uint64_t)1 << 63;
    }
}

static void scan_modules(void)
{
    bool first = true;
    round_now++;
    dl_iterate_phdr(on_module, &first);
    for (unsigned i = 0; i < count; i++)
        if (known[i].slot && known[i].seen != round_now)
            retire_module(&known[i]);
}

/* Who finds another at it does without: it may be waiting for the dynamic linker's lock, which we
   may hold, being called by a callback of dl_iterate_phdr. */
void rt_modules_scan(void)
{
    int kept = errno;
    struct rt_sigstate held;
    rt_signals_block(&held);
    if (!__atomic_exchange_n(&scanning, 1, __ATOMIC_ACQUIRE)) {
        scan_modules();
        __atomic_store_n(&scanning, 0, __ATOMIC_RELEASE);
    }
    rt_signals_restore(&held);
    errno = kept;
}

uint32_t rt_module_of(uintptr_t pc)
{
    struct known *k = find_module(pc);
    if (k)
        return k->slot;
    rt_modules_scan();
    k = find_module(pc);
    return k ? k->slot : 0;
}

void rt_modules_forget(void)
{
    count = 0;
    scanning = 0;
}
