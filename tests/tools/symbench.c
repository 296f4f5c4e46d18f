/* symbench FILE: what it costs to read the symbols of an ELF file and to look up a million
 * addresses. */
#include "core/elf.h"
#include "plat/file.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static long peak_kib(void)
{
    struct rusage r;
    getrusage(RUSAGE_SELF, &r);
    return r.ru_maxrss;
}

/* Random addresses of the text; returns how many have a name. */
static size_t look_up(const struct symtab *t, uint64_t start, uint64_t end, int times)
{
    uint64_t x = 88172645463325252ULL;
    size_t hits = 0;
    for (int i = 0; i < times; i++) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        hits += symtab_find(t, start + x % (end - start)) != NULL;
    }
    return hits;
}

int main(int argc, char **argv)
{
    enum { TIMES = 1000000 };
    struct image image;
    struct elf_module *m;
    struct fail f;
    if (argc != 2 || file_map(argv[1], SIZE_MAX, &image, &f) < 0)
        return 2;
    double began = now_ms();
    if (elf_open(image.data, image.len, &m, &f) < 0)
        return 1;
    const struct symtab *t = elf_symbols(m);
    double built = now_ms();
    uint64_t start, end;
    if (!symtab_count(t) || !elf_text(m, &start, &end))
        return 1;
    size_t hits = look_up(t, start, end, TIMES);
    double looked = now_ms();
    printf("%zu symbols, table %zu KiB, built in %.1f ms, %.0f ns a lookup (%.1f%% named), peak "
           "%ld KiB\n",
           symtab_count(t), symtab_bytes(t) / 1024, built - began, (looked - built) * 1e6 / TIMES,
           100.0 * (double)hits / TIMES, peak_kib());
    elf_close(m);
    file_unmap(&image);
    return 0;
}
