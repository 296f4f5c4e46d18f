#include "core/insn/exclusive.h"
#include "unit.h"

#include <string.h>

enum { START = 0x1000, BRK = 0xd4200000, NOP = 0xd503201f };

struct code {
    const uint32_t *word;
    size_t words;
};

static bool read_words(void *arg, uint64_t address, void *to, size_t len)
{
    const struct code *c = arg;
    uint64_t at = address - START;
    if (at > 4 * c->words || len > 4 * c->words - at)
        return false;
    memcpy(to, (const uint8_t *)c->word + at, len);
    return true;
}

static bool copy(const uint32_t *word, size_t words, struct exclusive *e)
{
    struct code c = {word, words};
    return exclusive_copy_arm64(read_words, &c, START, e);
}

static uint32_t word_at(const struct exclusive *e, size_t at)
{
    uint32_t w;
    memcpy(&w, e->bytes + at, 4);
    return w;
}

/* The path before the node there, as the words of the original. */
static void check_path(const struct exclusive *e, size_t at, const char *want, uint64_t leads)
{
    const struct exclusive_node *path[EXCLUSIVE_MAX_NODES], *n = exclusive_node_at(e, at);
    char got[64] = "";
    CHECK(n && n->at == at && n->leaves);
    size_t len = n ? exclusive_path(e, n, path) : 0;
    for (size_t i = 0; i < len && i < 32; i++)
        got[i] = (char)('0' + (path[i]->address - START) / 4);
    CHECK_STR(got, want);
    CHECK_INT(n ? n->address : 0, leads);
}

TEST(an_atomic_sum_is_copied)
{
    static const uint32_t code[] = {0x885f7c01, 0x11000421, 0x88027c01, 0x35ffffa2, 0xd65f03c0};
    struct exclusive e;
    CHECK(copy(code, 5, &e));
    CHECK_INT(e.len, 20);
    CHECK(memcmp(e.bytes, code, 16) == 0); /* the branch back is the copy's own */
    CHECK_INT(word_at(&e, 16), BRK);
    check_path(&e, 16, "0123", START + 16);
    CHECK(!exclusive_node_at(&e, 20));
}

TEST(each_way_out_of_a_compare_and_swap_is_known)
{
    /* ldaxr w0,[x2]; cmp w0,w1; b.ne 5; stlxr w3,w4,[x2]; cbnz w3,0; ret */
    static const uint32_t code[] = {0x885ffc40, 0x6b01001f, 0x54000061,
                                    0x8803fc44, 0x35ffff83, 0xd65f03c0};
    struct exclusive e;
    CHECK(copy(code, 6, &e));
    CHECK_INT(e.len, 28);
    CHECK_INT(word_at(&e, 8), 0x54000081);  /* b.ne of four words */
    CHECK_INT(word_at(&e, 16), 0x35ffff83); /* to the copy's start: the store has failed */
    check_path(&e, 20, "01234", START + 20);
    check_path(&e, 24, "012", START + 20);
    const struct exclusive_node *path[EXCLUSIVE_MAX_NODES], *n = exclusive_node_at(&e, 8);
    CHECK(n && !n->leaves);
    CHECK_INT(n ? n->address : 0, START + 8);
    CHECK_INT(n ? exclusive_path(&e, n, path) : 0, 2);
}

TEST(paths_that_meet_again_are_told_apart)
{
    /* ldxr x0,[x2]; tbz x0,#3,3; add x0,x0,#1; stxr w3,x0,[x2]; ret */
    static const uint32_t code[] = {0xc85f7c40, 0x36180040, 0x91000400, 0xc8037c40, 0xd65f03c0};
    struct exclusive e;
    CHECK(copy(code, 5, &e));
    check_path(&e, 16, "0123", START + 16);
    CHECK_INT(word_at(&e, 4), 0x36180080); /* leads to the copy behind the breakpoint */
    CHECK_INT(word_at(&e, 20), 0xc8037c40);
    check_path(&e, 24, "013", START + 16);
}

TEST(a_branch_elsewhere_behind_the_store_is_not_of_the_sequence)
{
    /* nop; ldxr w1,[x0]; stxr w2,w1,[x0]; cbnz w2,0; ret */
    static const uint32_t code[] = {0xd503201f, 0x885f7c01, 0x88027c01, 0x35ffffa2, 0xd65f03c0};
    struct exclusive e;
    struct code c = {code, 5};
    CHECK(exclusive_copy_arm64(read_words, &c, START + 4, &e));
    CHECK_INT(e.len, 12);
    check_path(&e, 8, "12", START + 12);
}

TEST(a_jump_is_followed)
{
    /* ldxr w0,[x2]; b 3; udf; clrex; ret */
    static const uint32_t code[] = {0x885f7c40, 0x14000002, 0, 0xd503305f, 0xd65f03c0};
    struct exclusive e;
    CHECK(copy(code, 5, &e));
    CHECK_INT(word_at(&e, 4), NOP);
    check_path(&e, 12, "013", START + 16);
}

TEST(what_is_no_sequence_is_not_copied)
{
    static const uint32_t waits[] = {0x885f7c40, 0x35ffffe0, 0xd65f03c0}; /* no store */
    static const uint32_t literal[] = {0x885f7c40, 0x10000003, 0x88027c01};
    static const uint32_t pair[] = {0x48207c02, 0x88027c01}; /* casp */
    struct exclusive e;
    CHECK(!copy(waits, 3, &e));
    CHECK(!copy(literal, 3, &e));
    CHECK(!copy(pair, 2, &e));
    CHECK(exclusive_begins_arm64(0xc87f7c40));  /* ldxp */
    CHECK(exclusive_begins_arm64(0x085ffc40));  /* ldaxrb */
    CHECK(!exclusive_begins_arm64(0x88dffc40)); /* ldar */
}

/* --- 32-bit ARM --- */

static bool copy_arm(const uint32_t *word, size_t words, bool thumb, struct exclusive *e)
{
    struct code c = {word, words};
    return exclusive_copy_arm(read_words, &c, START | thumb, e);
}

TEST(a_conditional_store_of_a32_is_told_apart)
{
    /* ldrex r0,[r2]; teq r0,r1; strexeq r3,r4,[r2]; bx lr */
    static const uint32_t code[] = {0xe1920f9f, 0xe1300001, 0x01823f94, 0xe12fff1e};
    struct exclusive e;
    CHECK(copy_arm(code, 4, false, &e));
    CHECK_INT(word_at(&e, 8), 0x1a000001); /* bne to the second breakpoint */
    CHECK_INT(word_at(&e, 12), 0xe1823f94);
    CHECK_INT(word_at(&e, 16), 0xe7f001f0);
    check_path(&e, 16, "012", START + 12);
    check_path(&e, 20, "01", START + 12);
}

TEST(a_store_of_a32_that_failed_begins_again_and_one_that_was_skipped_leaves)
{
    /* ldrex r0,[r2]; teq r0,#0; strexeq r0,r1,[r2]; teqeq r0,#0; bne 0; bx lr */
    static const uint32_t code[] = {0xe1920f9f, 0xe3300000, 0x01820f91,
                                    0x03300000, 0x1afffffa, 0xe12fff1e};
    const struct exclusive_node *path[EXCLUSIVE_MAX_NODES], *n;
    struct exclusive e;
    size_t leads[3] = {0}, again = 0;
    CHECK(copy_arm(code, 6, false, &e));
    for (size_t at = 0; (n = exclusive_node_at(&e, at)); at = n->at + 1u) {
        uint64_t first = n->leaves ? n->address : 0;
        size_t len = exclusive_path(&e, n, path);
        bool stored = len > 2 && path[2]->address == START + 8;
        leads[0] += first == START && !stored;
        leads[1] += first == START && stored;
        leads[2] += first == START + 20;
        again += n->address == START + 16 && stored;
    }
    CHECK_INT(leads[0] > 0, true);
    CHECK_INT(leads[1], 0);
    CHECK_INT(leads[2] > 0, true);
    CHECK_INT(again > 0, true);
}

static uint16_t half_at(const struct exclusive *e, size_t at)
{
    return (uint16_t)(e->bytes[at] | e->bytes[at + 1] << 8);
}

TEST(each_way_out_of_a_t32_sequence_is_known)
{
    /* ldrex r3,[r0]; cmp r3,r1; bne.n 18; strex ip,r2,[r0]; cmp.w ip,#0; bne 0; bx lr */
    static const uint32_t code[] = {0x3f00e850, 0xd104428b, 0x2c00e840, 0x0f00f1bc, 0x4770d1f6};
    struct exclusive e;
    CHECK(copy_arm(code, 5, true, &e));
    CHECK_INT(half_at(&e, 6), 0xf040); /* bne.w */
    CHECK_INT(half_at(&e, 8), 0x8007);
    CHECK_INT(half_at(&e, 14), 0xf1bc); /* cmp.w */
    CHECK_INT(half_at(&e, 18), 0xf47f); /* bne.w, 22 bytes back */
    CHECK_INT(half_at(&e, 20), 0xaff5);
    CHECK_INT(half_at(&e, 22), 0xde01);
    CHECK_INT(half_at(&e, 24), 0xde01);
    check_path(&e, 22, "011234", START + 18 + 1);
    check_path(&e, 24, "011", START + 18 + 1);
}

TEST(a_block_of_conditions_in_a_sequence_is_followed)
{
    /* ldrex r0,[r2]; cmp r0,r1; it lt; movlt r0,r1; strex r3,r0,[r2]; bx lr */
    static const uint32_t code[] = {0x0f00e852, 0xbfb84288, 0xe8424608, 0x47700300};
    struct exclusive e;
    CHECK(copy_arm(code, 4, true, &e));
    CHECK_INT(half_at(&e, 6), 0xbf00);  /* nop */
    CHECK_INT(half_at(&e, 8), 0xf280);  /* bge.w */
    CHECK_INT(half_at(&e, 12), 0xbfe8); /* it al */
    CHECK_INT(half_at(&e, 14), 0x4608);
    check_path(&e, 20, "01122", START + 14 + 1);
    check_path(&e, 26, "0112", START + 14 + 1);
}
