#include "unit.h"

#include "core/base/buf.h"
#include "core/types/declare.h"
#include "core/types/pack.h"

#include <errno.h>
#include <stdlib.h>

static const struct types_query query[] = {{.layout = true, .name = "pair"}, {.name = "f"}};

/* struct pair { int x; unsigned y : 3; }; struct pair *f(int count, ...) */
static void make_answer(struct types_answer *a)
{
    struct types *t = &a->types;
    *a = (struct types_answer){.types.pointer_bytes = 4};
    types_add(t, &(struct type){.kind = TYPE_VOID});
    types_add(t, &(struct type){
                     .kind = TYPE_INTEGER, .encoding = TYPE_SIGNED, .name = "int", .bytes = 4});
    types_add(t, &(struct type){.kind = TYPE_STRUCT, .name = "pair", .bytes = 8, .count = 2});
    types_add_member(t, &(struct type_member){.name = "x", .type = 1});
    types_add_member(t, &(struct type_member){.name = "y", .type = 1, .bits = 3, .bit_offset = 32});
    types_add(t, &(struct type){.kind = TYPE_POINTER, .of = 2});
    types_add(t, &(struct type){
                     .kind = TYPE_FUNCTION, .of = 3, .first = 2, .count = 1, .variadic = true});
    types_add_member(t, &(struct type_member){.name = "count", .type = 1});
    types_add_function(t, &(struct type_function){.name = "f", .type = 4, .start = 0x123456789});
    types_add_function(t, &(struct type_function){.name = "f.isra.0", .type = 4, .altered = true});
    a->elsewhere = TYPES_SUPPLEMENT | TYPES_UNITS;
    types_answer_add(a, 0, 2);
    types_answer_add(a, 1, 0);
}

static struct buf packed_answer(void)
{
    struct types_answer a;
    struct buf bytes = BUF_INIT;
    make_answer(&a);
    types_pack(&a, &bytes);
    types_answer_release(&a);
    return bytes;
}

TEST(types_pack_keeps_all)
{
    struct buf bytes = packed_answer(), text = BUF_INIT;
    struct types_answer a;
    CHECK_INT(types_unpack((const uint8_t *)bytes.data, bytes.len, query, 2, &a), 0);
    CHECK_INT(a.count, 2);
    CHECK_INT(a.types.pointer_bytes, 4);
    CHECK_INT(a.types.function[0].start, 0x123456789);
    CHECK(!a.types.function[0].altered && a.types.function[1].altered);
    CHECK_INT(a.types.function[1].type, 4);
    CHECK_INT(a.elsewhere, TYPES_SUPPLEMENT | TYPES_UNITS);
    types_prototype(&a.types, &a.types.function[a.found[1].id], NULL, &text);
    CHECK_STR(buf_str(&text), "struct pair *f(int count, ...)");
    buf_clear(&text);
    types_layout(&a.types, a.found[0].id, &text);
    CHECK(strstr(buf_str(&text), "int y : 3; "));
    CHECK(strstr(buf_str(&text), "/* size: 8, members: 2, padding: 3 bytes 5 bits */"));
    types_answer_release(&a);
    buf_release(&bytes);
    buf_release(&text);
}

/* Each byte in turn is another, and each length: refused, or numbers that are fine. */
TEST(types_pack_that_is_damaged)
{
    struct buf bytes = packed_answer();
    int refused = 0;
    for (size_t i = 0; i < bytes.len; i++) {
        struct types_answer a;
        uint8_t *copy = malloc(bytes.len);
        memcpy(copy, bytes.data, bytes.len);
        copy[i] ^= 0xff;
        int r = types_unpack(copy, bytes.len, query, 2, &a);
        CHECK(r == -EBADMSG || (r == 0 && types_check(&a.types)));
        refused += r < 0;
        types_answer_release(&a);
        CHECK_INT(types_unpack(copy, i, query, 2, &a), -EBADMSG);
        types_answer_release(&a);
        free(copy);
    }
    CHECK(refused > 50);
    buf_release(&bytes);
}

/* What was not asked, or is not there, is no answer. */
TEST(types_pack_answers_what_was_asked)
{
    struct buf bytes = packed_answer();
    struct types_answer a;
    CHECK_INT(types_unpack((const uint8_t *)bytes.data, bytes.len, query, 1, &a), -EBADMSG);
    types_answer_release(&a);
    static const struct types_query layouts[] = {{.layout = true, .name = "x"},
                                                 {.layout = true, .name = "y"}};
    CHECK_INT(types_unpack((const uint8_t *)bytes.data, bytes.len, layouts, 2, &a), 0);
    types_answer_release(&a);
    static const struct types_query functions[] = {{.name = "x"}, {.name = "y"}};
    CHECK_INT(types_unpack((const uint8_t *)bytes.data, bytes.len, functions, 2, &a), -EBADMSG);
    types_answer_release(&a);
    buf_release(&bytes);
}
