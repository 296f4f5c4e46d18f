/*
 * stacktext: stacks from a text, for tests.
 *
 * A line a sample: `[THREAD|]FRAME;FRAME... SAMPLES', outermost first; a FRAME is
 * NAME[@MODULE][:LINE], its address made up of both; a module in brackets is `[kernel]', `[JIT]' or
 * `[wait]', of that kind, or `-' for none; a name behind `~' is inlined into the frame before, and
 * stands at its address. `\xHH' is a byte of a name. A sample is a millisecond. No frame at all is
 * an unknown stack. THREAD `main' is the process's first one. Lines that begin with `#' are passed
 * over; those with `!', before all samples: `!timed' has each line an event, a millisecond behind
 * the one before; `!calls' counts calls instead of samples, exactly; `!bytes' counts bytes instead
 * of time, 64 a sample.
 */
#pragma once

#include "core/stacks/stacks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct stacktext {
    struct stacks *s;
    uint64_t clock_ns, each; /* the last value of a sample */
    uint64_t address;        /* of the frame before */
};

static inline void stacktext_unescape(char *text)
{
    char *to = text;
    for (const char *at = text; *at; to++) {
        char hex[3] = {0};
        if (at[0] == '\\' && at[1] == 'x' && at[2] && at[3]) {
            memcpy(hex, at + 2, 2);
            *to = (char)strtoul(hex, NULL, 16);
            at += 4;
        } else {
            *to = *at++;
        }
    }
    *to = '\0';
}

static inline uint8_t stacktext_kind(const char *module)
{
    return strcmp(module, "[kernel]") == 0    ? STACKS_KERNEL
           : strcasecmp(module, "[JIT]") == 0 ? STACKS_JIT
           : strcmp(module, "[wait]") == 0    ? STACKS_WAIT
                                              : STACKS_USER;
}

static inline uint32_t stacktext_function(struct stacks *s, char *name, const char *module)
{
    bool file = module[0] == '/', none = strcmp(module, "-") == 0;
    stacktext_unescape(name);
    struct stacks_function f = {.name = name,
                                .file = file ? "/src/prog.c" : "",
                                .module = none ? STACKS_NONE
                                               : stacks_module(s, module, file ? "c0ffee11" : ""),
                                .kind = stacktext_kind(module)};
    return stacks_function(s, &f);
}

static inline uint32_t stacktext_next_frame(struct stacktext *r, char *text)
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
    f.function = stacktext_function(r->s, text + f.inlined, at ? at : "/bin/prog");
    if (!f.inlined)
        r->address = 0x1000 + 0x100 * (uint64_t)f.function + f.line;
    f.address = r->address;
    return stacks_frame(r->s, &f);
}

static inline uint32_t stacktext_thread(struct stacks *s, char *name)
{
    uint32_t tid = 100;
    stacktext_unescape(name);
    for (const char *c = name; *c && strcmp(name, "main") != 0; c++)
        tid = tid * 31 % 9973 + (unsigned char)*c;
    return stacks_thread(s, 100, tid, name);
}

static inline void stacktext_sample(struct stacktext *r, char *line)
{
    char *bar = strchr(line, '|'), *blank = strrchr(line, ' '), *rest = bar ? bar + 1 : line;
    if (!blank)
        return;
    *blank = '\0';
    if (bar)
        *bar = '\0';
    uint64_t n = strtoull(blank + 1, NULL, 10);
    uint32_t thread = bar ? stacktext_thread(r->s, line) : STACKS_NONE, node = STACKS_NONE;
    for (char *save, *text = strtok_r(rest, ";", &save); text; text = strtok_r(NULL, ";", &save))
        node = stacks_node(r->s, node, stacktext_next_frame(r, text));
    stacks_add(r->s, thread, node, r->clock_ns, (uint64_t[]){n, n * r->each});
    r->clock_ns += 1000000;
}

static inline void stacktext_directive(struct stacktext *r, const char *line)
{
    if (strncmp(line, "!timed", 6) == 0)
        r->s->timed = true;
    if (strncmp(line, "!calls", 6) == 0) {
        r->s->value[0].name = "calls";
        r->s->origin.period = 0;
    }
    if (strncmp(line, "!bytes", 6) == 0) {
        r->s->value[1] = (struct stacks_value){"space", "bytes"};
        r->each = 64;
        r->s->origin.period = 0;
    }
}

static inline uint32_t stacktext_frame(struct stacks *s, char *text)
{
    return stacktext_next_frame(&(struct stacktext){.s = s}, text);
}

static inline void stacktext_line(struct stacktext *r, char *line)
{
    if (line[0] == '!')
        stacktext_directive(r, line);
    else if (line[0] != '#')
        stacktext_sample(r, line);
}

static inline struct stacktext stacktext_start(struct stacks *s)
{
    static const struct stacks_value values[] = {{"samples", "count"}, {"time", "nanoseconds"}};
    stacks_init(s, values, 2);
    s->origin.applet = "tprof";
    s->origin.method = "perf cpu-clock, user mode";
    s->origin.period = 1000000;
    s->origin.period_value = 1;
    s->origin.start_ns = 1700000000000000000u;
    s->origin.duration_ns = 1000000000;
    return (struct stacktext){.s = s, .clock_ns = 5000000000, .each = 1000000};
}

/* Of whole lines. */
static inline void stacktext_make(struct stacks *s, const char *text)
{
    char line[1024];
    struct stacktext r = stacktext_start(s);
    for (const char *end; (end = strchr(text, '\n')); text = end + 1) {
        snprintf(line, sizeof line, "%.*s", (int)(end - text), text);
        stacktext_line(&r, line);
    }
}

/* 0 or negative, told on standard error. */
static inline int stacktext_file(const char *path, struct stacks *s)
{
    char *line = NULL;
    size_t room = 0;
    FILE *in = fopen(path, "r");
    struct stacktext r = stacktext_start(s);
    if (!in) {
        perror(path);
        return -1;
    }
    while (getline(&line, &room, in) > 0)
        stacktext_line(&r, line);
    free(line);
    fclose(in);
    return stacks_error(s);
}
