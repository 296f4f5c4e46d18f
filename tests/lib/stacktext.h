/*
 * stacktext: stacks from a text, for tests.
 *
 * A line a sample: `[THREAD|]FRAME;FRAME... SAMPLES', outermost first; a FRAME is
 * NAME[@MODULE][:LINE], its address made up of both; a module in brackets `[kernel]' is the
 * kernel's; a name behind `~' is inlined into the frame before; no FRAME: an unknown place. A
 * sample is a millisecond. Lines that begin with `#' are passed over.
 */
#ifndef PSUITE_TESTS_STACKTEXT_H
#define PSUITE_TESTS_STACKTEXT_H

#include "core/stacks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct stacks_value stacktext_values[] = {{"samples", "count"},
                                                       {"time", "nanoseconds"}};

static inline uint32_t stacktext_frame(struct stacks *s, char *text)
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
    bool kernel = strcmp(module, "[kernel]") == 0;
    f.function = stacks_function(
        s, &(struct stacks_function){.name = name,
                                     .file = kernel ? "" : "/src/prog.c",
                                     .module = stacks_module(s, module, kernel ? "" : "c0ffee11"),
                                     .kind = kernel ? STACKS_KERNEL : STACKS_USER});
    f.address = 0x1000 + 0x100 * (uint64_t)f.function + f.line;
    return stacks_frame(s, &f);
}

/* line is taken apart. */
static inline void stacktext_line(struct stacks *s, char *line)
{
    char *bar = strchr(line, '|'), *blank = strrchr(line, ' '), *rest = bar ? bar + 1 : line;
    if (!blank || *line == '#')
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
        node = stacks_node(s, node, stacktext_frame(s, text));
    stacks_add(s, thread, node, 0, (uint64_t[]){n, n * 1000000});
}

static inline void stacktext_init(struct stacks *s)
{
    stacks_init(s, stacktext_values, 2);
    s->applet = "tprof";
    s->method = "perf cpu-clock, user mode";
    s->period = 1000000;
    s->period_of = 1;
    s->start_ns = 1700000000000000000u;
    s->duration_ns = 1000000000;
}

/* Of whole lines. */
static inline void stacktext_make(struct stacks *s, const char *text)
{
    char line[1024];
    stacktext_init(s);
    for (const char *end; (end = strchr(text, '\n')); text = end + 1) {
        snprintf(line, sizeof line, "%.*s", (int)(end - text), text);
        stacktext_line(s, line);
    }
}

/* 0 or negative, told on standard error. */
static inline int stacktext_file(const char *path, struct stacks *s)
{
    char line[65536];
    FILE *in = fopen(path, "r");
    stacktext_init(s);
    if (!in) {
        perror(path);
        return -1;
    }
    while (fgets(line, sizeof line, in))
        stacktext_line(s, line);
    fclose(in);
    return stacks_error(s);
}

#endif
