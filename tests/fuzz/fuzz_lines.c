#include "fuzz.h"

#include "core/dwarf/lines.h"

#include <stdlib.h>
#include <string.h>

/* The file stands for its own supplementary file, package and .dwo files. */
struct bytes {
    const uint8_t *at;
    size_t len;
};

static bool read_split(void *arg, const char *path, const uint8_t **bytes, size_t *len)
{
    const struct bytes *b = arg;
    *bytes = b->at;
    *len = b->len;
    return path[0] != '?';
}

static size_t ask_declared(struct lines *l, const struct lines_frame *frame)
{
    struct lines_function f;
    if (!lines_declared(l, frame, &f))
        return 0;
    return (f.name ? strlen(f.name) : 0) + (f.file ? strlen(f.file) : 0);
}

static size_t ask(struct lines *l, uint64_t addr)
{
    enum { MOST = 64 };
    struct lines_frame frame[MOST];
    size_t count = lines_at(l, addr, frame, MOST), sum = 0;
    if (count > MOST)
        abort();
    for (size_t i = 0; i < count; i++) {
        sum += frame[i].function ? strlen(frame[i].function) : 0;
        sum += frame[i].file ? strlen(frame[i].file) : 0;
        sum += ask_declared(l, &frame[i]);
    }
    return sum;
}

static void ask_all(struct lines *l)
{
    const char *missing;
    struct lines_link link;
    for (uint64_t addr = 0x1000; addr < 0x1200; addr += 3)
        ask(l, addr);
    for (uint64_t addr = 0; addr < 0x20000; addr += 0x123)
        ask(l, addr);
    ask(l, UINT64_MAX);
    ask(l, UINT32_MAX);
    lines_missing(l, &missing);
    lines_supplement(l, &link);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    struct lines *l;
    struct bytes b = {bytes, len};
    if (lines_open(bytes, len, NULL, &l, NULL) < 0)
        return 0;
    lines_limit(l, len & 1 ? 0 : 1 << 20);
    if (len & 4)
        lines_relative_paths(l);
    lines_set_split(l, read_split, &b);
    lines_set_supplement(l, bytes, len, NULL);
    if (len & 2)
        lines_set_package(l, bytes, len, NULL);
    ask_all(l);
    lines_close(l);
    return 0;
}
