#include "mcount.h"

#include "build.h"
#include "core/base/bytes.h"
#include "runtime/psprof_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

enum { WORD = 4, PAIR = 2 * WORD, SELF_LINK_MAX = 0xffff };

struct array {
    const uint8_t *bytes;
    size_t len;
    uint32_t (*get)(const void *at);
    uint32_t words;  /* as word 0 has it */
    uint32_t stored; /* pairs of it that the file has */
};

static bool is_valid_size(const struct array *a)
{
    return a->words % 2 == 1 && (a->words <= SELF_LINK_MAX || (uint64_t)a->words * WORD == a->len);
}

/* Where both orders match, the number has more than 2^24 words, which is over PROF_MCOUNT_MAX. */
static bool find_order(const uint8_t *bytes, size_t len, struct array *out)
{
    *out = (struct array){.bytes = bytes, .len = len, .get = get_le32};
    if (len < WORD)
        return false;
    out->words = get_le32(bytes);
    if (is_valid_size(out))
        return true;
    out->get = get_be32;
    out->words = get_be32(bytes);
    return is_valid_size(out);
}

bool prof_is_mcount(const uint8_t *bytes, size_t len)
{
    struct array a;
    return find_order(bytes, len, &a);
}

static uint32_t calls_of(const struct array *a, uint32_t pair)
{
    return a->get(a->bytes + WORD + (size_t)pair * PAIR + WORD);
}

/* The last pair below this one whose function was called. */
static uint32_t called_below(const struct array *a, uint32_t pair)
{
    while (pair-- > 0)
        if (calls_of(a, pair))
            return pair;
    return PROF_NONE;
}

/* Siblings are in order newest first, so the last pair leads to those before it. */
static void read_record(void *arg, uint32_t pair, struct prof_record *out)
{
    const struct array *a = arg;
    uint32_t calls = calls_of(a, pair);
    *out = (struct prof_record){.pc = a->get(a->bytes + WORD + (size_t)pair * PAIR),
                                .count = calls,
                                .timed = calls,
                                .down = PROF_NONE,
                                .right = called_below(a, pair),
                                .module = 0};
}

static void note_length(struct prof_tree *t, const struct array *a)
{
    uint64_t bytes = (uint64_t)a->words * WORD;
    if (a->len < bytes)
        prof_note(t, "__mcount: cut off: %zu of %" PRIu64 " bytes", a->len, bytes);
    else if (a->len > bytes)
        prof_note(t, "__mcount: %zu bytes after its end are ignored", a->len - (size_t)bytes);
}

static int read_all(struct prof_tree *t, struct prof_source *s)
{
    struct array *a = s->arg;
    if (!s->taken || !prof_add_module(t, "") || !prof_add_thread(t))
        return -ENOMEM;
    note_length(t, a);
    int e = prof_graft(t, s, called_below(a, a->stored), 0);
    return e ? e : prof_tree_settle(t, false);
}

static uint32_t pairs_stored(const struct array *a)
{
    size_t pairs = (a->len - WORD) / PAIR;
    return pairs < a->words / 2 ? (uint32_t)pairs : a->words / 2;
}

int prof_mcount_read(const uint8_t *bytes, size_t len, struct prof_tree *t, struct fail *f)
{
    struct array a;
    prof_tree_init(t);
    t->about.version = 1;
    t->about.type = PSPROF_COUNT;
    if (!find_order(bytes, len, &a))
        return fail_set(f, 0, "not an __mcount array");
    if (a.words / 2 > PROF_MCOUNT_MAX)
        return fail_set(f, 0, "__mcount: %" PRIu32 " functions, at most %d are read", a.words / 2,
                        PROF_MCOUNT_MAX);
    a.stored = pairs_stored(&a);
    struct prof_source s = {.limit = a.stored, .record = read_record, .arg = &a};
    s.taken = calloc(s.limit / 8 + 1, 1);
    int e = read_all(t, &s);
    free(s.taken);
    return e < 0 ? fail_set(f, ENOMEM, "profile") : 0;
}
