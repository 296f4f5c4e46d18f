/* kallbench FILE: what it costs to read a kernel's symbols from text: best of 5. */
#include "core/kallsyms.h"
#include "plat/file.h"

#include <stdio.h>
#include <time.h>

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

int main(int argc, char **argv)
{
    double best = 1e9;
    size_t lines = 0;
    for (int i = 0; i < 5; i++) {
        struct buf text = BUF_INIT;
        struct kallsyms k;
        if (argc != 2 || file_read(argv[1], SIZE_MAX / 2, &text, NULL) < 0)
            return 2;
        double began = now_ms();
        if (kallsyms_init(text.data, text.len, &k) < 0)
            return 1;
        double took = now_ms() - began;
        best = took < best ? took : best;
        lines = k.lines;
        kallsyms_release(&k);
        buf_release(&text);
    }
    printf("%zu symbols in %.1f ms of CPU, %.0f ns each\n", lines, best,
           best * 1e6 / (double)lines);
    return 0;
}
