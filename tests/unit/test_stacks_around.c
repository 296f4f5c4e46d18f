#include "unit.h"

#include "../lib/stacktext.h"

#include "core/base/buf.h"
#include "core/base/fail.h"
#include "core/stacks/around.h"

#include <errno.h>

static uint64_t ms_of(const struct stacks_neighbour *all, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (all[i].name == name || (all[i].name && name && strcmp(all[i].name, name) == 0))
            return all[i].amount / 1000000;
    return 0;
}

TEST(stacks_around_counts_a_recursive_function_once)
{
    struct stacks s;
    struct stacks_around a;
    stacktext_make(&s, "main;f;g 1\n"
                       "main;f;f;g 2\n"
                       "main;f;g;f;h 4\n"
                       "f 8\n"
                       "main;h;f 16\n"
                       "main;g 32\n");
    CHECK_INT(stacks_around_make(&s, "f", &a, NULL), 0);
    CHECK_INT(a.total, 63000000);
    CHECK_INT(a.cumulative, 31000000);
    CHECK_INT(a.self, 24000000);
    CHECK_INT(a.callers, 3);
    CHECK_INT(ms_of(a.caller, a.callers, "main"), 7);
    CHECK_INT(ms_of(a.caller, a.callers, "h"), 16);
    CHECK_INT(ms_of(a.caller, a.callers, NULL), 8);
    CHECK_INT(a.callees, 2);
    CHECK_INT(ms_of(a.callee, a.callees, "g"), 3);
    CHECK_INT(ms_of(a.callee, a.callees, "h"), 4);
    CHECK_STR(a.caller[0].name, "h");
    stacks_around_release(&a);
    stacks_release(&s);
}

TEST(stacks_around_prints_callers_and_callees)
{
    struct stacks s;
    struct buf out = BUF_INIT;
    stacktext_make(&s, "main;f;g 1\n"
                       "main;f;h@/lib/x.so 3\n"
                       "start;main;f 2\n"
                       "f 4\n");
    CHECK_INT(
        stacks_around_text(&s, "f", &(struct stacks_around_options){.max_rows = 1}, &out, NULL), 0);
    CHECK_STR(buf_str(&out), "10.00 ms, 10 samples; perf cpu-clock, user mode\n"
                             "   ms      %  of it  function\n"
                             " 6.00   60.0   60.0  <- main [prog]\n"
                             " 4.00   40.0   40.0  <- (1 more)\n"
                             "10.00  100.0  100.0  f [prog]\n"
                             " 6.00   60.0   60.0  (self)\n"
                             " 3.00   30.0   30.0  -> h [x.so]\n"
                             " 1.00   10.0   10.0  -> (1 more)\n");
    buf_release(&out);
    stacks_release(&s);
}

static void add_raw(struct stacks *s)
{
    struct stacks_function f = {.name = "ns::read(int)", .raw = "_ZN2ns4readEi"};
    f.module = stacks_module(s, "/lib/x.so", "");
    uint32_t frame = stacks_frame(s, &(struct stacks_frame){.function = stacks_function(s, &f)});
    stacks_add(s, STACKS_NONE, stacks_node(s, STACKS_NONE, frame), 0, (uint64_t[]){1, 1000000});
}

static int find(const struct stacks *s, const char *asked, char *module)
{
    struct stacks_around a;
    int r = stacks_around_make(s, asked, &a, NULL);
    snprintf(module, 64, "%s", r ? "" : a.module);
    stacks_around_release(&a);
    return r;
}

TEST(stacks_around_finds_a_function_by_a_unique_part_of_its_name)
{
    struct stacks s;
    struct stacks_around a;
    struct fail fail = {0};
    char module[64];
    stacktext_make(&s, "main;read 1\n"
                       "main;read@/lib/c.so 1\n"
                       "main;spread 1\n"
                       " 1\n");
    add_raw(&s);
    CHECK_INT(find(&s, "_ZN2ns4readEi", module), 0);
    CHECK_STR(module, "x.so");
    CHECK_INT(find(&s, "read [c.so]", module), 0);
    CHECK_STR(module, "c.so");
    CHECK_INT(find(&s, "spr", module), 0);
    CHECK_INT(find(&s, "4rea", module), 0);
    CHECK_STR(module, "x.so");
    CHECK_INT(find(&s, "(unknown)", module), 0);
    CHECK_INT(find(&s, "unk", module), -ENOENT);
    CHECK_INT(stacks_around_make(&s, "read", &a, &fail), -EINVAL);
    CHECK_STR(fail.what, "read: 2 functions match this name");
    CHECK_STR(fail.hint, "name one of them: read [prog], read [c.so]");
    stacks_around_release(&a);
    CHECK_INT(stacks_around_make(&s, "nothing", &a, &fail), -ENOENT);
    CHECK_STR(fail.what, "nothing: no samples in a function of this name");
    stacks_around_release(&a);
    stacks_release(&s);
}
