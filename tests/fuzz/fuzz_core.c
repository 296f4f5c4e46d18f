/* Core files: what they say of memory, files and threads, and call chains through their stacks. */
#include "fuzz.h"

#include "core/coredump/coredump.h"

enum { FRAMES = 64, THREADS = 8 };

struct world {
    const struct coredump *core;
    size_t asked;
};

static bool memory(void *arg, uint64_t addr, void *bytes, size_t len)
{
    struct world *w = arg;
    uint64_t avail;
    const uint8_t *at = coredump_memory(w->core, addr, &avail);
    w->asked++;
    if (!at || avail < len)
        return false;
    memcpy(bytes, at, len);
    return true;
}

static bool code(void *arg, uint64_t pc, struct unwind_code *out)
{
    (void)arg;
    *out = (struct unwind_code){NULL, 0};
    return pc % 3;
}

static void unwind_threads(const struct coredump *c)
{
    struct unwind_frame frame[FRAMES];
    struct coredump_thread t;
    for (size_t i = 0; i < c->threads && i < THREADS; i++) {
        struct world w = {.core = c};
        coredump_thread(c, i, &t);
        struct unwind_space space = {.machine = t.unwinder,
                                     .big_endian = c->big_endian,
                                     .memory = memory,
                                     .code = code,
                                     .arg = &w};
        if (t.unwinds && unwind(&space, &t.regs, frame, FRAMES).frames > FRAMES)
            abort();
        if (w.asked > FRAMES * 40000)
            abort();
    }
}

/* Mappings ascend, have a path that ends, and those of one file an offset that fits. */
static size_t walk_code(const struct coredump *c)
{
    struct coredump_cursor at = {0};
    struct coredump_code code;
    uint64_t before = 0;
    size_t sum = 0, count = 0;
    while (coredump_next_code(c, &at, &code)) {
        if (code.start < before || code.end <= code.start)
            abort();
        if (++count > 2 * (c->segments + c->files) + 1)
            abort();
        before = code.end;
        sum += strlen(code.path);
    }
    return sum;
}

static void read_memory(const struct coredump *c)
{
    uint64_t avail;
    volatile uint8_t sum = 0;
    for (size_t i = 0; i < c->segments; i++) {
        const uint8_t *at = coredump_memory(c, c->segment[i].start, &avail);
        if (!at)
            continue;
        sum ^= at[0] ^ at[avail - 1];
        if (coredump_memory(c, c->segment[i].start + avail - 1, &avail) == NULL || avail != 1)
            abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    struct coredump c;
    if (coredump_open(bytes, len, &c, NULL) == 0) {
        if (c.command[sizeof c.command - 1] || c.arguments[sizeof c.arguments - 1])
            abort();
        read_memory(&c);
        walk_code(&c);
        unwind_threads(&c);
    }
    coredump_release(&c);
    return 0;
}
