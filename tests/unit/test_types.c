#include "unit.h"

#include "core/base/buf.h"
#include "core/base/bytes.h"
#include "core/types/answer.h"
#include "core/types/btf.h"
#include "core/types/declare.h"

#include <errno.h>
#include <stdlib.h>

static struct buf bytes_of_sample(void)
{
    struct buf bytes = BUF_INIT;
    FILE *file = fopen(PSUITE_TESTS_DIR "/data/types/sample.btf", "rb");
    CHECK(file != NULL);
    if (file) {
        void *to = buf_reserve(&bytes, 1 << 16);
        buf_commit(&bytes, fread(to, 1, 1 << 16, file));
        fclose(file);
    }
    return bytes;
}

static uint32_t type_of_kind(struct types *t, unsigned kind, uint32_t of)
{
    types_add(t,
              &(struct type){.kind = (uint8_t)kind, .of = of, .bytes = kind == TYPE_ARRAY ? 3 : 0});
    return (uint32_t)t->count - 1;
}

/* void, and int as type 1 */
static void start_types(struct types *t)
{
    *t = (struct types){.pointer_bytes = 8};
    types_add(t, &(struct type){.kind = TYPE_VOID});
    types_add(t, &(struct type){.kind = TYPE_INTEGER, .name = "int", .bytes = 4});
}

static const char *declared(const struct types *t, uint32_t id, const char *name)
{
    static struct buf text;
    buf_clear(&text);
    types_declare(t, id, name, &text);
    return buf_str(&text);
}

TEST(types_declarators_nest_as_in_c)
{
    struct types t;
    start_types(&t);
    uint32_t pointer = type_of_kind(&t, TYPE_POINTER, 1);
    uint32_t array = type_of_kind(&t, TYPE_ARRAY, pointer);
    uint32_t to_array = type_of_kind(&t, TYPE_POINTER, array);
    uint32_t fixed = type_of_kind(&t, TYPE_CONST, pointer);
    uint32_t constant = type_of_kind(&t, TYPE_CONST, 1);
    uint32_t to_constant = type_of_kind(&t, TYPE_POINTER, constant);
    uint32_t function = type_of_kind(&t, TYPE_FUNCTION, to_array);
    uint32_t to_function = type_of_kind(&t, TYPE_POINTER, function);
    uint32_t both = type_of_kind(&t, TYPE_VOLATILE, fixed);
    CHECK(types_check(&t));
    CHECK_STR(declared(&t, 0, NULL), "void");
    CHECK_STR(declared(&t, pointer, "p"), "int *p");
    CHECK_STR(declared(&t, array, "a"), "int *a[3]");
    CHECK_STR(declared(&t, to_array, "p"), "int *(*p)[3]");
    CHECK_STR(declared(&t, fixed, "p"), "int *const p");
    CHECK_STR(declared(&t, to_constant, "p"), "const int *p");
    CHECK_STR(declared(&t, to_constant, NULL), "const int *");
    CHECK_STR(declared(&t, function, "f"), "int *(*f(void))[3]");
    CHECK_STR(declared(&t, to_function, "p"), "int *(*(*p)(void))[3]");
    CHECK_STR(declared(&t, both, "p"), "int *const volatile p");
    CHECK_INT(types_size(&t, to_array), 8);
    CHECK_INT(types_size(&t, array), 24);
    CHECK_INT(types_size(&t, function), 0);
    types_release(&t);
}

TEST(types_circles_end)
{
    struct types t;
    start_types(&t);
    uint32_t alias = type_of_kind(&t, TYPE_CONST, 2); /* of itself */
    uint32_t function = type_of_kind(&t, TYPE_FUNCTION, 3);
    for (int i = 0; i < 8; i++)
        types_add_member(&t, &(struct type_member){.type = function});
    t.type[function].count = 8;
    uint32_t self = type_of_kind(&t, TYPE_STRUCT, 0);
    t.type[self].first = 8;
    t.type[self].count = 2;
    types_add_member(&t, &(struct type_member){.type = self});
    types_add_member(&t, &(struct type_member){.type = self});
    CHECK(types_check(&t));
    CHECK(strstr(declared(&t, alias, "x"), "..."));
    CHECK(strlen(declared(&t, function, "f")) < 1 << 20);
    CHECK_INT(types_size(&t, alias), 0);
    struct buf text = BUF_INIT;
    types_layout(&t, self, &text);
    CHECK(text.len > 1000 && text.len < 16 << 20);
    buf_release(&text);
    types_release(&t);
}

TEST(types_numbers_outside_are_seen)
{
    struct types t;
    start_types(&t);
    CHECK(types_check(&t));
    t.type[1].of = 2;
    CHECK(!types_check(&t));
    t.type[1].of = 0;
    t.type[1].count = 1;
    CHECK(!types_check(&t));
    types_add_member(&t, &(struct type_member){.type = 2});
    CHECK(!types_check(&t));
    t.member[0].type = 1;
    CHECK(types_check(&t));
    types_add_function(&t, &(struct type_function){.name = "f", .type = 1});
    CHECK(!types_check(&t));
    types_release(&t);
}

TEST(types_names_do_not_end_lines)
{
    struct types t;
    start_types(&t);
    CHECK_STR(declared(&t, 1, "a\nb\033c"), "int a?b?c");
    types_release(&t);
}

TEST(btf_of_a_program)
{
    struct buf bytes = bytes_of_sample(), text = BUF_INIT;
    struct types_answer a = {0};
    struct types_query query = {.name = "find"};
    CHECK_INT(btf_read((const uint8_t *)bytes.data, bytes.len, &a.types, NULL), 0);
    CHECK_INT(a.types.pointer_bytes, 8);
    CHECK_INT(types_answer_name(&a, &query, 7), 1);
    CHECK_INT(a.found[0].query, 7);
    types_prototype(&a.types, &a.types.function[a.found[0].id], NULL, &text);
    CHECK_STR(buf_str(&text), "struct node *find(struct node *first, union number wanted, "
                              "enum color color, unsigned char byte)");
    query = (struct types_query){.layout = true, .name = "hidden"};
    CHECK_INT(types_answer_name(&a, &query, 0), 0);
    query.name = "union node";
    CHECK_INT(types_answer_name(&a, &query, 0), 0);
    query.name = "struct node";
    CHECK_INT(types_answer_name(&a, &query, 0), 1);
    CHECK_INT(types_size(&a.types, a.found[1].id), 128);
    types_answer_release(&a);
    buf_release(&bytes);
    buf_release(&text);
}

/* Each byte of it in turn is another, and each length: no more than an error, and numbers that are
 * fine when there is none. */
TEST(btf_that_is_damaged)
{
    struct buf bytes = bytes_of_sample();
    int refused = 0;
    for (size_t i = 0; i < bytes.len; i++) {
        struct types t = {0};
        uint8_t *copy = malloc(bytes.len);
        memcpy(copy, bytes.data, bytes.len);
        copy[i] ^= 0xff;
        int r = btf_read(copy, bytes.len, &t, NULL);
        CHECK(r == -ENOEXEC || (r == 0 && types_check(&t)));
        refused += r < 0;
        types_release(&t);
        r = btf_read(copy, i, &t, NULL);
        CHECK(r == -ENOEXEC);
        types_release(&t);
        free(copy);
    }
    CHECK(refused > 100);
    buf_release(&bytes);
}

/* A header with `types' words of types and a text. */
static size_t make_btf(uint8_t *to, const uint32_t *word, size_t words, const char *text,
                       size_t len, bool big_endian)
{
    uint32_t head[] = {0x1eb9f, 24, 0, (uint32_t)words * 4, (uint32_t)words * 4, (uint32_t)len};
    for (size_t i = 0; i < 6 + words; i++)
        if (big_endian)
            put_be32(to + i * 4, i < 6 ? head[i] : word[i - 6]);
        else
            put_le32(to + i * 4, i < 6 ? head[i] : word[i - 6]);
    put_le16(to, big_endian ? 0x9feb : 0xeb9f);
    to[2] = 1;
    to[3] = 0;
    memcpy(to + 24 + words * 4, text, len);
    return 24 + words * 4 + len;
}

static const uint32_t int_record[] = {1, 1U << 24, 4, 1U << 24 | 32};

TEST(btf_of_either_byte_order)
{
    for (int big = 0; big < 2; big++) {
        uint8_t bytes[128];
        struct types t = {0};
        size_t len = make_btf(bytes, int_record, 4, "\0int", 5, big);
        CHECK_INT(btf_read(bytes, len, &t, NULL), 0);
        CHECK_INT(t.count, 2);
        CHECK_STR(declared(&t, 1, "i"), "int i");
        CHECK_INT(t.type[1].encoding, TYPE_SIGNED);
        types_release(&t);
    }
}

/* A module's types and names go on where the kernel's end. */
TEST(btf_of_a_module)
{
    static const uint32_t records[] = {
        0,     2U << 24,      1,           /* 2: a pointer to int */
        0,     13U << 24 | 1, 2, 5 + 5, 1, /* 3: of a function of an int named `count' */
        5 + 1, 12U << 24,     3,           /* 4: the function */
    };
    uint8_t base[128], bytes[128];
    size_t base_len = make_btf(base, int_record, 4, "\0int", 5, false);
    size_t len = make_btf(bytes, records, sizeof records / 4, "\0get\0count", 11, false);
    struct types t = {0};
    struct buf text = BUF_INIT;
    CHECK_INT(btf_read(base, base_len, &t, NULL), 0);
    CHECK_INT(btf_read_split(base, base_len, bytes, len, &t, NULL), 0);
    CHECK_INT(t.functions, 1);
    types_prototype(&t, &t.function[0], NULL, &text);
    CHECK_STR(buf_str(&text), "int *get(int count)");
    buf_release(&text);
    types_release(&t);
}
