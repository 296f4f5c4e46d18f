/* The executable mappings of a traced process. ptrace reports no mmap: they are read again when
 * code runs where none was known, and once a second, as one may have replaced another. A chain also
 * goes through code that does not run itself: for chains, each look compares the process's sizes of
 * memory with those of the look before. It does so after the stack was copied: what that returns to
 * had been mapped before. */
#include "core/base/grow.h"
#include "core/base/search.h"
#include "core/base/time_ns.h"
#include "core/sample/maps.h"
#include "plat/clock.h"
#include "plat/proc.h"
#include "sample_ptrace.h"
#include "tracee_status.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

enum { MAX_MAPS = 65536 };
enum { OLD_NS = NS_PER_S, SOON_NS = 10 * NS_PER_MS };

static bool is_same_mapping(const struct ptrace_mapping *a, const struct ptrace_mapping *b)
{
    return a->start == b->start && a->end == b->end && a->file_offset == b->file_offset &&
           a->inode == b->inode && a->major == b->major && a->minor == b->minor;
}

/* The mapping that holds the address. */
static const struct ptrace_mapping *find_mapping(const struct traced_process *p, uint64_t address)
{
    size_t at = FIRST_ABOVE(p->map, p->maps, end, address);
    return at < p->maps && p->map[at].start <= address ? &p->map[at] : NULL;
}

static void update_mappings(struct tracer *t, struct traced_process *p, const char *text,
                            bool quiet)
{
    struct traced_process updated = {0};
    size_t cap = 0;
    struct maps_line line;
    while (maps_next(&text, &line)) {
        if (!line.executable)
            continue;
        struct ptrace_mapping m = {line.start, line.end,   line.file_offset,
                                   line.inode, line.major, line.minor};
        const struct ptrace_mapping *old = find_mapping(p, line.start);
        if (!grow_within(&updated.map, &cap, updated.maps, MAX_MAPS, sizeof m))
            break;
        updated.map[updated.maps++] = m;
        if (!quiet && !(old && is_same_mapping(old, &m)))
            ptrace_record_map(t->records, (struct ptrace_ids){p->pid, p->pid}, &m, line.path);
    }
    free(p->map);
    p->map = updated.map;
    p->maps = updated.maps;
}

void traced_maps_read(struct tracer *t, struct traced_process *p, bool quiet)
{
    SCOPED_BUF text = BUF_INIT;
    p->maps_ns = clock_mono_ns();
    if (proc_text(p->pid, "maps", &text, NULL) == 0 && text.len)
        update_mappings(t, p, buf_str(&text), quiet);
}

static void update_for_pc(struct tracer *t, struct traced_process *p, uint64_t pc)
{
    uint64_t age = clock_mono_ns() - p->maps_ns;
    bool known = find_mapping(p, pc);
    if (age < OLD_NS && (known || (p->is_pc_unmapped && age < SOON_NS)))
        return;
    traced_maps_read(t, p, false);
    p->is_pc_unmapped = !find_mapping(p, pc);
}

/* The first and the sixth number of /proc/PID/statm, which costs much less than `status'. When a
 * library's code is mapped into space reserved for it, neither changes; the dynamic linker maps its
 * data next, which changes the second. */
static bool read_sizes(const struct traced_process *p, struct traced_sizes *out)
{
    char text[128];
    ssize_t n = pread(p->statm_fd, text, sizeof text - 1, 0);
    text[n > 0 ? n : 0] = '\0';
    return sscanf(text, "%" SCNu64 " %*u %*u %*u %*u %" SCNu64, &out->all, &out->data) == 2;
}

static void update_by_size(struct tracer *t, struct traced_process *p)
{
    struct traced_sizes now = {0};
    if (read_sizes(p, &now) && now.all == p->sizes.all && now.data == p->sizes.data)
        return;
    long kb = ptrace_status(p->pid, "\nVmLib:");
    if (kb != p->code_kb)
        traced_maps_read(t, p, false);
    p->code_kb = kb;
    p->sizes = now;
}

void traced_maps_update(struct tracer *t, struct traced_process *p, uint64_t pc)
{
    if (t->want.chains)
        update_by_size(t, p);
    update_for_pc(t, p, pc);
}

int traced_maps_copy(struct traced_process *to, const struct traced_process *from)
{
    size_t cap = 0;
    struct ptrace_mapping *map = NULL;
    if (!grow_to(&map, &cap, from->maps, sizeof *map))
        return -ENOMEM;
    if (from->maps)
        memcpy(map, from->map, from->maps * sizeof *map);
    free(to->map);
    to->map = map;
    to->maps = from->maps;
    to->maps_ns = from->maps_ns;
    to->code_kb = from->code_kb;
    to->sizes = from->sizes;
    return 0;
}
