/* topo's tracer: a format file of an entry up to the first NUL, one of an exit up to the next, then
 * pages of the kernel's buffer, for two processors in turn. What comes out of it is a topo. */
#include "fuzz.h"

#include "core/topo/threads.h"
#include "core/topo/write.h"

enum { PAGE = 512 };

static const char *name_function(void *arg, uint64_t address, uint64_t *begin)
{
    static const char *const names[] = {"a", "b", "c", "d"};
    (void)arg;
    *begin = address & 3;
    return names[address & 3];
}

static void add_event(void *arg, const struct topo_event *e)
{
    topo_threads_add(arg, e);
}

/* Up to the next NUL, or all. */
static size_t part(const uint8_t *bytes, size_t len)
{
    const uint8_t *end = len ? memchr(bytes, 0, len) : NULL;
    return end ? (size_t)(end - bytes) : len;
}

static void decode_pages(struct topo_graph_decoder *d, const uint8_t *bytes, size_t len,
                         struct topo_threads *t)
{
    for (int cpu = 0; len; cpu ^= 1) {
        size_t n = len < PAGE ? len : PAGE;
        uint8_t *page = malloc(n); /* exactly: what is read beyond it shows */
        memcpy(page, bytes, n);
        topo_graph_decode_page(d, cpu, page, n, add_event, t);
        free(page);
        bytes += n;
        len -= n;
    }
}

static void finish(struct topo_threads *t, struct topo *topo)
{
    struct buf out = BUF_INIT;
    if (topo_threads_end(t) == 0 && topo_finish(topo) == 0) {
        for (size_t i = 0; i < topo->functions; i++)
            if (topo->function[i].local > topo->function[i].total || !topo->function[i].calls)
                abort();
        topo_write_machine(topo, &out);
    }
    buf_release(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    static struct topo_graph_decoder d;
    struct topo topo;
    struct topo_runs runs;
    struct buf events = BUF_INIT;
    size_t entry = part(bytes, len), at = entry < len ? entry + 1 : len;
    size_t exit = part(bytes + at, len - at), pages = at + exit < len ? at + exit + 1 : len;
    d = (struct topo_graph_decoder){
        .layout = {.commit_at = 8, .commit_size = 8, .data_at = 16, .page_size = PAGE}};
    topo_init(&topo);
    topo_runs_init(&runs, &topo);
    runs.events = &events;
    struct topo_threads t = {
        .runs = &runs, .start = {1}, .starts = 1, .want = 3, .name = name_function};
    topo_graph_learn(&d, (const char *)bytes, entry);
    topo_graph_learn(&d, (const char *)bytes + at, exit);
    decode_pages(&d, bytes + pages, len - pages, &t);
    finish(&t, &topo);
    topo_threads_release(&t);
    topo_runs_release(&runs);
    topo_release(&topo);
    buf_release(&events);
    return 0;
}
