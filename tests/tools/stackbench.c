/* stackbench [NODES [SAMPLES [FUNCTIONS]]]: how long the text views of stacks take, the best of
 * five, in ms: random call trees, timed samples of four threads. */
#include "core/buf.h"
#include "core/stacks_around.h"
#include "core/stacks_diff.h"
#include "core/stacks_flat.h"
#include "core/stacks_tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static uint64_t state = 1;

static uint64_t random_below(uint64_t n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (state >> 33) % n;
}

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static uint32_t some_frame(struct stacks *s, uint64_t functions)
{
    char name[96];
    uint64_t n = random_below(functions);
    snprintf(name, sizeof name, "std::vector<thing_%llu, std::allocator<thing_%llu> >::work",
             (unsigned long long)n, (unsigned long long)n);
    struct stacks_function f = {.name = name,
                                .module = stacks_module(s, n % 3 ? "/bin/prog" : "/lib/l.so", "")};
    return stacks_frame(s, &(struct stacks_frame){.function = stacks_function(s, &f),
                                                  .line = (uint32_t)random_below(20)});
}

/* Parents are most often recent ones: chains get about as deep as those of real programs. */
static void make(struct stacks *s, size_t nodes, size_t samples, uint64_t functions)
{
    static const struct stacks_value values[] = {{"samples", "count"}, {"time", "nanoseconds"}};
    stacks_init(s, values, 2);
    s->timed = true;
    s->period = 1000000;
    s->period_of = 1;
    while (s->nodes < nodes) {
        uint32_t parent = STACKS_NONE;
        if (s->nodes)
            parent = (uint32_t)random_below(s->nodes);
        uint32_t n = stacks_node(s, parent, some_frame(s, functions));
        for (uint64_t k = random_below(12); k--;)
            n = stacks_node(s, n, some_frame(s, functions));
    }
    uint32_t thread[4];
    for (uint32_t i = 0; i < 4; i++)
        thread[i] = stacks_thread(s, 1, i + 1, "worker");
    for (size_t i = 0; i < samples; i++)
        stacks_add(s, thread[random_below(4)], (uint32_t)random_below(s->nodes), i,
                   (uint64_t[]){1, 1000000});
}

typedef int view(const struct stacks *s, struct buf *out);

static int flat(const struct stacks *s, struct buf *out)
{
    return stacks_flat_text(s, &(struct stacks_flat_options){.rows = 50}, out);
}

static int tree(const struct stacks *s, struct buf *out)
{
    return stacks_tree_text(s, &(struct stacks_tree_options){.hide_pct = 0.5}, out);
}

static int threads(const struct stacks *s, struct buf *out)
{
    return stacks_tree_text(s, &stacks_tree_defaults, out);
}

static int all(const struct stacks *s, struct buf *out)
{
    return stacks_tree_text(s, &(struct stacks_tree_options){0}, out);
}

static int callers(const struct stacks *s, struct buf *out)
{
    return stacks_callers_text(s, &(struct stacks_tree_options){.hide_pct = 0.01}, out);
}

static int around(const struct stacks *s, struct buf *out)
{
    return stacks_around_text(s, s->function[0].name, &(struct stacks_around_options){0}, out,
                              NULL);
}

static int diff(const struct stacks *s, struct buf *out)
{
    struct stacks_diff d;
    int r = stacks_diff_make(s, s, &(struct stacks_diff_options){0}, &d, NULL);
    if (r == 0)
        stacks_diff_json(&d, out);
    stacks_diff_release(&d);
    return r;
}

static void measure(const char *name, view *run, const struct stacks *s)
{
    double best = 1e9;
    size_t len = 0;
    for (int i = 0; i < 5; i++) {
        struct buf out = BUF_INIT;
        double start = now_ms();
        if (run(s, &out) < 0)
            exit(1);
        double took = now_ms() - start;
        best = took < best ? took : best;
        len = out.len;
        buf_release(&out);
    }
    printf("%-8s %8.1f ms %9zu bytes\n", name, best, len);
}

int main(int argc, char **argv)
{
    struct stacks s;
    make(&s, argc > 1 ? strtoul(argv[1], NULL, 10) : 200000,
         argc > 2 ? strtoul(argv[2], NULL, 10) : 1000000,
         argc > 3 ? strtoul(argv[3], NULL, 10) : 5000);
    printf("%zu nodes, %zu samples, %zu functions\n", s.nodes, s.samples, s.functions);
    measure("flat", flat, &s);
    measure("tree", tree, &s);
    measure("threads", threads, &s);
    measure("all", all, &s);
    measure("callers", callers, &s);
    measure("around", around, &s);
    measure("diff", diff, &s);
    stacks_release(&s);
    return 0;
}
