/*
 * cfibench FILE...: how long each file's call frame information takes to become rows (the median of
 * five), and what they are: rows, rules, memory.
 */
#include "core/cfi.h"
#include "plat/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { TIMES = 5 };

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static int bench(const char *path)
{
    struct image image;
    struct fail f;
    struct cfi_size size = {0};
    double ms[TIMES];
    if (file_map(path, SIZE_MAX, &image, &f) < 0) {
        fprintf(stderr, "cfibench: %s: %s\n", path, f.what);
        return 1;
    }
    for (int i = 0; i < TIMES; i++) {
        struct cfi *c;
        double from = now_ms();
        if (cfi_new(&(struct cfi_image){image.data, image.len}, NULL, &c, &f) < 0) {
            fprintf(stderr, "cfibench: %s: %s\n", path, f.what);
            return 1;
        }
        ms[i] = now_ms() - from;
        cfi_size(c, &size);
        cfi_free(c);
    }
    qsort(ms, TIMES, sizeof *ms, by_value);
    printf("%s: %.1f ms; %zu functions, %zu refused, %zu rows, %zu rules, %zu KB, %.1f bytes a "
           "row\n",
           path, ms[TIMES / 2], size.functions, size.refused, size.rows, size.rules,
           size.bytes / 1024, size.rows ? (double)size.bytes / (double)size.rows : 0);
    file_unmap(&image);
    return 0;
}

int main(int argc, char **argv)
{
    int status = 0;
    for (int i = 1; i < argc; i++)
        status |= bench(argv[i]);
    return status;
}
