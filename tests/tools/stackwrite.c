/* stackwrite FORMAT FILE [BEFORE]: stacks from a text, written in a format, to standard output.
 * The text has a line a sample: `[THREAD|]FRAME;FRAME... SAMPLES', outermost first; a FRAME is
 * NAME[@MODULE][:LINE], its address made up of both; what is in the module [kernel], [jit] or
 * [wait] is of that kind; a name behind `~' is inlined into the frame before. A sample is a
 * millisecond. */
#include "core/buf.h"
#include "core/writer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct stacks_value values[] = {{"samples", "count"}, {"time", "nanoseconds"}};

static uint8_t kind_of(const char *module)
{
    return strcmp(module, "[kernel]") == 0 ? STACKS_KERNEL
           : strcmp(module, "[jit]") == 0  ? STACKS_JIT
           : strcmp(module, "[wait]") == 0 ? STACKS_WAIT
                                           : STACKS_USER;
}

static uint32_t read_frame(struct stacks *s, char *text)
{
    struct stacks_frame f = {.inlined = *text == '~'};
    char *colon = strrchr(text, ':'), *at;
    if (colon && strspn(colon + 1, "0123456789") == strlen(colon + 1) && colon[1]) {
        *colon = '\0';
        f.line = (uint32_t)strtoul(colon + 1, NULL, 10);
    }
    at = strchr(text, '@');
    if (at)
        *at++ = '\0';
    const char *module = at ? at : "/bin/prog", *name = text + f.inlined;
    bool user = *module != '[';
    f.function = stacks_function(
        s, &(struct stacks_function){.name = name,
                                     .file = user ? "/src/prog.c" : "",
                                     .module = stacks_module(s, module, user ? "c0ffee11" : ""),
                                     .kind = kind_of(module)});
    f.address = 0x1000 + 0x100 * (uint64_t)f.function + f.line;
    return stacks_frame(s, &f);
}

static void read_sample(struct stacks *s, char *line)
{
    char *bar = strchr(line, '|'), *blank = strrchr(line, ' '), *rest = bar ? bar + 1 : line;
    if (!blank)
        return;
    *blank = '\0';
    if (bar)
        *bar = '\0';
    uint64_t n = strtoull(blank + 1, NULL, 10), tid = 100;
    for (const char *c = line; bar && *c; c++)
        tid = tid * 31 % 9973 + (unsigned char)*c;
    uint32_t thread = bar ? stacks_thread(s, 100, (uint32_t)tid, line) : STACKS_NONE;
    uint32_t node = STACKS_NONE;
    for (char *save, *text = strtok_r(rest, ";", &save); text; text = strtok_r(NULL, ";", &save))
        node = stacks_node(s, node, read_frame(s, text));
    stacks_add(s, thread, node, 0, (uint64_t[]){n, n * 1000000});
}

static int read_stacks(const char *path, struct stacks *s)
{
    char line[65536];
    FILE *in = fopen(path, "r");
    stacks_init(s, values, 2);
    s->applet = "tprof";
    s->method = "perf cpu-clock, user mode";
    s->period = 1000000;
    s->period_of = 1;
    s->start_ns = 1700000000000000000u;
    s->duration_ns = 1000000000;
    if (!in) {
        perror(path);
        return -1;
    }
    while (fgets(line, sizeof line, in))
        if (line[0] != '#')
            read_sample(s, line);
    fclose(in);
    return stacks_error(s);
}

int main(int argc, char **argv)
{
    struct stacks s, before;
    struct buf out = BUF_INIT;
    const struct writer *w = argc > 2 ? writer_named(argv[1], strlen(argv[1])) : NULL;
    if (!w) {
        fprintf(stderr, "usage: stackwrite FORMAT FILE [BEFORE]\n");
        return 2;
    }
    if (read_stacks(argv[2], &s) < 0 || (argc > 3 && read_stacks(argv[3], &before) < 0))
        return 1;
    int r = w->write(&s, argc > 3 ? &before : NULL, &out);
    fwrite(out.data, 1, out.len, stdout);
    buf_release(&out);
    stacks_release(&s);
    if (argc > 3)
        stacks_release(&before);
    return r < 0;
}
