/* Names and types of arguments, and values as they are shown. */
#include "unit.h"

#include "core/ktrace/report.h"
#include "core/ktrace/where.h"

#include <stdlib.h>

/* --- types, as the kernel could have them --- */

enum {
    VOID,
    INT,
    ULONG,
    CHAR,
    BOOL,
    CONST_CHAR,
    TEXT,
    SIZE,
    FILE_,
    FILE_P,
    CODE,
    CODE_P,
    MODE,
    BIG,
    BUFFER,
    LONG
};

static void add_type(struct types *t, struct type one)
{
    CHECK(types_add(t, &one));
}

static void add_function(struct types *t, const char *name, uint32_t returns,
                         const struct type_member *m, uint32_t count)
{
    struct type type = {.kind = TYPE_FUNCTION, .of = returns, .count = count};
    type.first = (uint32_t)t->members;
    for (uint32_t i = 0; i < count; i++)
        CHECK(types_add_member(t, &m[i]));
    CHECK(types_add_function(t, &(struct type_function){.name = name, .type = (uint32_t)t->count}));
    add_type(t, type);
}

static void add_mode(struct types *t)
{
    struct type mode = {.kind = TYPE_ENUM, .name = "mode", .bytes = 4, .encoding = TYPE_SIGNED};
    mode.first = (uint32_t)t->members;
    mode.count = 2;
    types_add_member(t, &(struct type_member){.name = "MODE_ANY", .bit_offset = 0});
    types_add_member(t, &(struct type_member){.name = "MODE_NONE", .bit_offset = UINT64_MAX});
    add_type(t, mode);
}

static void init_types(struct types *t)
{
    *t = (struct types){.pointer_bytes = 8};
    add_type(t, (struct type){.kind = TYPE_VOID});
    add_type(t, (struct type){.kind = TYPE_INTEGER, .name = "int", .bytes = 4, .encoding = 1});
    add_type(t, (struct type){.kind = TYPE_INTEGER, .name = "unsigned long", .bytes = 8});
    add_type(t, (struct type){.kind = TYPE_INTEGER, .name = "char", .bytes = 1, .encoding = 1});
    add_type(t, (struct type){.kind = TYPE_INTEGER, .name = "_Bool", .bytes = 1, .encoding = 3});
    add_type(t, (struct type){.kind = TYPE_CONST, .of = CHAR});
    add_type(t, (struct type){.kind = TYPE_POINTER, .of = CONST_CHAR});
    add_type(t, (struct type){.kind = TYPE_TYPEDEF, .name = "size_t", .of = ULONG});
    add_type(t, (struct type){.kind = TYPE_STRUCT, .name = "file", .bytes = 232});
    add_type(t, (struct type){.kind = TYPE_POINTER, .of = FILE_});
    add_type(t, (struct type){.kind = TYPE_FUNCTION});
    add_type(t, (struct type){.kind = TYPE_POINTER, .of = CODE});
    add_mode(t);
    add_type(t, (struct type){.kind = TYPE_STRUCT, .name = "big", .bytes = 16});
    add_type(t, (struct type){.kind = TYPE_POINTER, .of = CHAR});
    add_type(t, (struct type){.kind = TYPE_INTEGER, .name = "long", .bytes = 8, .encoding = 1});
    add_function(
        t, "vfs_write", LONG,
        (struct type_member[]){{"file", FILE_P, 0, 0}, {"buf", TEXT, 0, 0}, {"count", SIZE, 0, 0}},
        3);
    add_function(t, "open", FILE_P,
                 (struct type_member[]){{"name", TEXT, 0, 0},
                                        {"flags", INT, 0, 0},
                                        {"work", CODE_P, 0, 0},
                                        {"mode", MODE, 0, 0},
                                        {"again", BOOL, 0, 0},
                                        {"c", CHAR, 0, 0},
                                        {"seventh", INT, 0, 0}},
                 7);
    add_function(t, "by_value", INT, (struct type_member[]){{"b", BIG, 0, 0}}, 1);
    add_function(t, "twice", INT, (struct type_member[]){{"a", INT, 0, 0}}, 1);
    add_function(t, "twice", VOID, (struct type_member[]){{"a", INT, 0, 0}}, 1);
    add_function(t, "nothing", VOID, NULL, 0);
    CHECK(types_check(t));
}

enum { WRITE, OPEN, BY_VALUE, TWICE, MISSING, NOTHING, FUNCTIONS };
static const char *const names[] = {"vfs_write", "open", "by_value", "twice", "missing", "nothing"};

static const char *name_function(void *arg, uint32_t function)
{
    (void)arg;
    return names[function];
}

static const char *name_code(void *arg, uint64_t address, uint64_t *offset)
{
    (void)arg;
    *offset = address & 0xff;
    return address >= 0x1000 ? "work_fn" : NULL;
}

static void learn(struct ktrace_signatures *s, unsigned max_args)
{
    struct types t;
    struct ktrace_wanted wanted[FUNCTIONS];
    init_types(&t);
    for (uint32_t i = 0; i < FUNCTIONS; i++)
        wanted[i] = (struct ktrace_wanted){names[i], i};
    CHECK_INT(ktrace_signatures_init(s, FUNCTIONS), 0);
    CHECK_INT(ktrace_signatures_learn(s, wanted, FUNCTIONS, &t, max_args), 0);
    types_release(&t);
}

static const char *show(const struct ktrace_signatures *s, const struct ktrace_call *c)
{
    static struct buf out;
    const struct ktrace_shown show = {
        .function = name_function, .code = name_code, .signatures = s};
    buf_clear(&out);
    ktrace_call_text(&show, c, &out);
    return buf_str(&out);
}

TEST(which_functions_are_known)
{
    struct ktrace_signatures s;
    learn(&s, 6);
    CHECK_INT(s.known, 3);
    CHECK(s.of[WRITE].known && s.of[WRITE].args == 3 && !s.of[WRITE].more);
    CHECK(s.of[OPEN].known && s.of[OPEN].args == 6 && s.of[OPEN].more);
    CHECK(!s.of[BY_VALUE].known && !s.of[TWICE].known && !s.of[MISSING].known);
    CHECK_INT(s.of[WRITE].arg[1].kind, KTRACE_POINTER); /* its length follows */
    CHECK_INT(s.of[OPEN].arg[0].kind, KTRACE_TEXT);
    CHECK(s.of[NOTHING].known && s.of[NOTHING].args == 0);
    CHECK(!ktrace_signature(&s, 99)->known);
    ktrace_signatures_release(&s);
    learn(&s, 4);
    CHECK(s.of[OPEN].args == 4 && s.of[OPEN].more);
    ktrace_signatures_release(&s);
}

TEST(values_by_their_types)
{
    struct ktrace_signatures s;
    char text[] = "/etc/a\n\x1b";
    struct ktrace_call c = {.pid = 7,
                            .start = 1500000000,
                            .end = 1500003100,
                            .function = WRITE,
                            .arg = {0xffff888000001000, 0x7ffc0000, 4096},
                            .returned = (uint64_t)-14,
                            .ended = true};
    learn(&s, 6);
    CHECK_STR(show(&s, &c), "    1.500000       7  vfs_write(file=0xffff888000001000, "
                            "buf=0x7ffc0000, count=4096) = -14 EFAULT  3.1us\n");
    c = (struct ktrace_call){.pid = 7,
                             .function = OPEN,
                             .depth = 1,
                             .arg = {0x1000, 0xdeadbeefffffffff, 0x1100, 0xffffffff, 0xff01, 'x'},
                             .text = {text},
                             .returned = (uint64_t)-2,
                             .ended = true};
    CHECK_STR(show(&s, &c),
              "    0.000000       7    open(name=\"/etc/a\\n?\", flags=-1, work=work_fn, "
              "mode=MODE_NONE, again=true, c='x', ...) = -2 ENOENT  0ns\n");
    c.text[0] = NULL;
    c.arg[0] = c.arg[2] = 0;
    c.arg[3] = 9;
    c.returned = 0;
    CHECK_STR(show(&s, &c), "    0.000000       7    open(name=NULL, flags=-1, work=NULL, mode=9, "
                            "again=true, c='x', ...) = NULL  0ns\n");
    c = (struct ktrace_call){.pid = 7, .function = NOTHING, .ended = true, .returned = 5};
    CHECK_STR(show(&s, &c), "    0.000000       7  nothing()  0ns\n");
    c = (struct ktrace_call){.pid = 7, .function = TWICE, .arg = {1, 0xffffffff00000000}};
    CHECK_STR(show(&s, &c), "    0.000000       7  twice(1, 0xffffffff00000000, 0, 0) = ?\n");
    ktrace_signatures_release(&s);
}

TEST(a_stack_is_without_the_function_itself)
{
    struct ktrace_signatures s;
    uint64_t frame[] = {0x2000, 0x2011, 0x20};
    const struct ktrace_call c = {
        .pid = 7, .function = NOTHING, .ended = true, .frame = frame, .frames = 3};
    learn(&s, 6);
    CHECK_STR(show(&s, &c), "    0.000000       7  nothing()  0ns\n"
                            "                        work_fn+0x11\n"
                            "                        0x20\n");
    ktrace_signatures_release(&s);
}

static bool holds(const char *text, const struct ktrace_call *c, const struct ktrace_signature *s)
{
    struct ktrace_where w = {.count = 0};
    CHECK_INT(ktrace_where_read(&w, text, NULL), 0);
    return ktrace_where_holds(&w, c, s);
}

TEST(conditions_by_name_and_type)
{
    struct ktrace_signatures s;
    struct ktrace_where w = {.count = 0};
    const struct ktrace_call c = {.arg = {0, 0xffffffff}, .returned = 12, .ended = true};
    learn(&s, 6);
    CHECK(holds("flags == -1 && flags < 0 && arg2 < 1", &c, &s.of[OPEN]));
    CHECK(!holds("flags == 0xffffffff", &c, &s.of[OPEN]));
    CHECK(holds("arg2 == 0xffffffff", &c, &s.of[TWICE])); /* not known */
    CHECK(!holds("count >= 0", &c, &s.of[OPEN]));
    CHECK(!holds("arg1 >= 0", &c, &s.of[NOTHING]));
    CHECK_INT(ktrace_where_read(&w, "count > 4096 && ret < 0", NULL), 0);
    CHECK(ktrace_where_applies(&w, &s.of[WRITE]));
    CHECK(!ktrace_where_applies(&w, &s.of[OPEN]));
    ktrace_signatures_release(&s);
}
