/* The browser's model: what rows a scope, a tree and a search give. */
#include "unit.h"

#include "core/browse/browse.h"

#include <string.h>

/* main calls work and other, work calls hot; other recurses once. Two threads. */
static struct browse_event event[4];

static struct browse_event event_at(const void *arg, size_t i)
{
    (void)arg;
    return event[i];
}

static uint32_t frame(struct stacks *s, uint32_t parent, const char *name)
{
    uint32_t module = stacks_module(s, "/bin/prog", "");
    struct stacks_function f = {.name = name, .module = module};
    return stacks_node(s, parent,
                       stacks_frame(s, &(struct stacks_frame){.function = stacks_function(s, &f)}));
}

static void count(struct stacks *s, size_t i, uint32_t thread, uint32_t node, uint64_t time_ns)
{
    event[i] = (struct browse_event){time_ns, 10, thread, node};
    stacks_add(s, thread, node, 0, (uint64_t[]){1, 10});
}

static void make(struct stacks *s)
{
    stacks_init(s, (struct stacks_value[]){{"samples", "count"}, {"works", "count"}}, 2);
    uint32_t one = stacks_thread(s, 7, 7, "one"), two = stacks_thread(s, 7, 8, "two");
    uint32_t first = frame(s, STACKS_NONE, "main"), work = frame(s, first, "work");
    uint32_t hot = frame(s, work, "hot"), other = frame(s, first, "other");
    count(s, 0, one, hot, 0);
    count(s, 1, one, hot, 400);
    count(s, 2, one, work, 600);
    count(s, 3, two, frame(s, other, "other"), 999);
}

static struct browse *open_browser(struct stacks *s)
{
    struct browse_source source = {.name = "rec", .stacks = s, .events = 4, .event = event_at};
    make(s);
    return browse_new(&source);
}

static void press(struct browse *b, const char *runes)
{
    for (; *runes; runes++) {
        struct key k = {.code = *runes == '\n' ? KEY_ENTER : KEY_RUNE, .rune = (uint8_t)*runes};
        browse_press(b, &k, 80, 24);
    }
}

/* The row's characters, without blanks at its end. */
static const char *line(struct browse *b, int y)
{
    static char text[81];
    struct canvas c = {.width = 0};
    canvas_resize(&c, 80, 24);
    browse_draw(b, &c);
    for (int x = 0; x < 80; x++)
        text[x] = (char)c.cell[y * 80 + x].rune;
    int len = 80;
    while (len && text[len - 1] == ' ')
        len--;
    text[len] = '\0';
    canvas_release(&c);
    return text;
}

TEST(functions_by_self_and_total)
{
    struct stacks s;
    struct browse *b = open_browser(&s);
    CHECK_STR(line(b, 4), " 50.00   50.00    20    20  hot [prog]");
    CHECK_STR(line(b, 5), " 25.00   75.00    10    30  work [prog]");
    CHECK_STR(line(b, 6), " 25.00   25.00    10    10  other [prog]");
    press(b, "s");
    CHECK_STR(line(b, 4), "  0.00  100.00     0    40  main [prog]");
    browse_free(b);
    stacks_release(&s);
}

TEST(callers_have_what_they_called)
{
    struct stacks s;
    struct browse *b = open_browser(&s);
    press(b, "u");
    CHECK_STR(line(b, 4), "         50.00          20  - hot [prog]");
    CHECK_STR(line(b, 5), "         50.00          20  - work [prog]");
    CHECK_STR(line(b, 6), "         50.00          20    main [prog]");
    browse_free(b);
    stacks_release(&s);
}

TEST(a_range_of_time_and_a_thread)
{
    struct stacks s;
    struct browse *b = open_browser(&s);
    press(b, "r0-0.0000005\n");
    CHECK_STR(line(b, 4), "100.00  100.00    20    20  hot [prog]");
    press(b, "r\n");
    press(b, "t/two\n\n");
    CHECK_STR(line(b, 4), "100.00  100.00    10    10  other [prog]");
    browse_free(b);
    stacks_release(&s);
}

TEST(a_search_unfolds_the_tree)
{
    struct stacks s;
    struct browse *b = open_browser(&s);
    press(b, "c/hot\n");
    CHECK_STR(line(b, 6), " 50.00   50.00    20    20      hot [prog]");
    press(b, "/other\n");
    CHECK_STR(line(b, 7), " 25.00   25.00    10    10      other [prog] x2");
    browse_free(b);
    stacks_release(&s);
}
