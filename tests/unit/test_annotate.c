#include "unit.h"

#include "core/base/buf.h"
#include "core/report/annotate.h"

#include <errno.h>
#include <stdlib.h>

/* Functions of golden/tprof/prog.elf64: main, foo, bar at 0x1000, 0x1040, 0x1080. */
struct known {
    uint64_t vaddr, samples;
    const char *symbol;
    struct frame frame[3]; /* until one without a function */
};

static const struct known inlines[] = {
    {0x1000, 5, "main", {{.function = "main", .file = "m.c", .line = 3}}},
    {0x1004,
     40,
     "main",
     {{.function = "tiny", .file = "t.h", .line = 7},
      {.function = "main", .file = "m.c", .line = 4}}},
    {0x1044,
     20,
     "foo",
     {{.function = "tiny", .file = "t.h", .line = 8},
      {.function = "foo", .file = "f.c", .line = 1}}},
    {0x1048, 2, "foo", {{.function = "foo", .file = "f.c", .line = 2}}},
    {0x104c, 1, "foo", {{.function = "foo"}}},
    {0x1080,
     30,
     "bar",
     {{.function = "foo", .file = "f.c", .line = 2},
      {.function = "bar", .file = "b.c", .line = 1}}},
    {0x1084,
     50,
     "bar",
     {{.function = "foo", .file = "other.c", .line = 9},
      {.function = "bar", .file = "b.c", .line = 1}}},
};
enum { INLINES = sizeof inlines / sizeof inlines[0] };

static void frames_at(void *arg, struct module *m, uint64_t vaddr, struct frames *out)
{
    (void)m;
    *(int *)arg += 1;
    for (size_t i = 0; i < INLINES; i++) {
        if (inlines[i].vaddr != vaddr)
            continue;
        out->symbol = inlines[i].symbol;
        out->start = vaddr & ~(uint64_t)0x3f;
        for (const struct frame *f = inlines[i].frame; f->function; f++)
            frames_add(out, f);
    }
}

static const char *pretty(void *arg, const char *name)
{
    (void)arg;
    return strcmp(name, "tiny") == 0 ? "tiny()" : name;
}

struct given {
    struct sampled s;
    char *image;
};

static void count(struct sampled *s, uint64_t offset, uint64_t times)
{
    bool shortened;
    uint32_t node = sampled_node(s, &(struct sampled_node){offset, 0, INTERN_NONE}, &shortened);
    while (times--)
        sampled_count(s, &(struct sampled_one){.weight = 1000000, .node = node});
}

static void give(struct given *g)
{
    size_t len;
    const struct module_identity any = {0};
    uint64_t first = 0, vaddr;
    *g = (struct given){.image = unit_file("golden/tprof/prog.elf64", &len)};
    sampled_init(&g->s, &(struct sampled_want){.hz = 1000});
    sampled_name(&g->s, 1, 1, "prog");
    struct module *m = module_intern(&g->s.mapped.modules, "/bin/prog", &any, NULL);
    CHECK_INT(module_set_image(m, (const uint8_t *)g->image, len), 0);
    while (first < len && (!module_vaddr(m, first, &vaddr) || vaddr != 0x1000))
        first++;
    CHECK(first < len);
    for (size_t i = 0; i < INLINES; i++)
        count(&g->s, first + inlines[i].vaddr - 0x1000, inlines[i].samples);
}

static void release(struct given *g)
{
    sampled_release(&g->s);
    free(g->image);
}

static void check(const char *name, const char *want)
{
    struct given g;
    struct annotate a;
    struct annotate_lines l;
    struct buf got = BUF_INIT;
    int asked = 0;
    give(&g);
    struct annotate_query q = {name, pretty, NULL, frames_at, &asked, NULL, NULL};
    CHECK_INT(annotate_find(&g.s, &q, &a, NULL), 0);
    CHECK_INT(annotate_lines(&a, &l), 0);
    buf_printf(&got, "%s 0x%" PRIx64 " %" PRIu64 " inlined %" PRIu64 " %s", a.function.name,
               a.function.start, a.sum.samples, a.inlined.samples, l.file ? l.file : "-");
    for (size_t i = 0; i < l.count; i++)
        buf_printf(&got, " %" PRIu32 ":%" PRIu64, l.line[i].line, l.line[i].sum.samples);
    buf_printf(&got, " elsewhere %" PRIu64, l.elsewhere.samples);
    CHECK_STR(buf_str(&got), want);
    CHECK_INT(asked, INLINES);
    buf_release(&got);
    annotate_lines_release(&l);
    annotate_release(&a);
    release(&g);
}

TEST(annotate_charges_what_is_inlined_to_the_calling_line)
{
    check("main", "main 0x1000 45 inlined 0 m.c 3:5 4:40 elsewhere 0");
    check("bar", "bar 0x1080 80 inlined 0 b.c 1:80 elsewhere 0");
}

TEST(annotate_finds_what_is_inlined_everywhere)
{
    check("tiny", "tiny 0x1000 60 inlined 60 t.h 7:40 8:20 elsewhere 0");
    check("tiny()", "tiny 0x1000 60 inlined 60 t.h 7:40 8:20 elsewhere 0");
}

TEST(annotate_adds_the_inlined_places_of_the_same_file)
{
    check("foo", "foo 0x1040 53 inlined 30 f.c 1:20 2:32 elsewhere 1");
}

TEST(annotate_of_a_part_of_the_samples_and_of_one_module)
{
    struct given g;
    struct annotate a;
    struct fail f;
    int asked = 0;
    give(&g);
    struct sampled_part part = {sampled_cell_at(&g.s, 0), 1};
    struct annotate_query q = {.name = "main",
                               .frames_at = frames_at,
                               .frames_arg = &asked,
                               .part = &part,
                               .module = sampled_module(&g.s, 0)->name};
    CHECK_INT(annotate_find(&g.s, &q, &a, NULL), 0);
    CHECK_INT(a.sum.samples, 5);
    CHECK_INT(a.sum.weight, 5000000);
    annotate_release(&a);
    q.module = "another";
    CHECK_INT(annotate_find(&g.s, &q, &a, &f), -EINVAL);
    annotate_release(&a);
    release(&g);
}

TEST(annotate_says_when_there_is_none)
{
    struct given g;
    struct annotate a;
    struct fail f;
    int asked = 0;
    give(&g);
    struct annotate_query q = {"nowhere", NULL, NULL, frames_at, &asked, NULL, NULL};
    CHECK_INT(annotate_find(&g.s, &q, &a, &f), -EINVAL);
    CHECK_STR(f.what, "nowhere: no samples in a function of this name");
    annotate_release(&a);
    release(&g);
}
