#include "unit.h"

#include "plat/linux/ptrace/threads.h"

struct record {
    int tid, more;
};

static struct record *add(struct threads *t, int tid)
{
    struct record *r = threads_add(t, tid, sizeof *r);
    if (r)
        r->tid = tid;
    return r;
}

TEST(traced_threads_are_found_by_id)
{
    struct threads t = {0};
    CHECK(!threads_find(&t, 1));
    static const int tid[] = {500, 7, 4194304, 501, 1};
    for (size_t i = 0; i < 5; i++)
        CHECK(add(&t, tid[i])->more == 0);
    for (size_t i = 0; i < 5; i++)
        CHECK(((struct record *)threads_find(&t, tid[i]))->tid == tid[i]);
    CHECK(!threads_find(&t, 499) && !threads_find(&t, 4194305));
    for (size_t i = 1; i < t.count; i++)
        CHECK(t.slot[i - 1].tid < t.slot[i].tid);
    threads_remove(&t, 499);
    threads_remove(&t, 500);
    CHECK(t.count == 4 && !threads_find(&t, 500) && threads_find(&t, 501));
    threads_release(&t);
    CHECK(t.count == 0);
}

/* A program that starts a million threads one after another, eight at a time. */
TEST(traced_threads_take_memory_while_they_live)
{
    struct threads t = {0};
    for (int tid = 1; tid <= 1000000; tid++) {
        CHECK(add(&t, tid));
        threads_remove(&t, tid - 8);
    }
    CHECK(t.count == 8 && t.cap <= 16);
    threads_release(&t);
}

TEST(traced_threads_records_stay_where_they_are)
{
    struct threads t = {0};
    struct record *first = add(&t, 1000);
    for (int tid = 999; tid > 0; tid--)
        add(&t, tid);
    CHECK(threads_find(&t, 1000) == first && first->tid == 1000);
    for (size_t i = t.count; i-- > 0;)
        if (((struct record *)threads_at(&t, i))->tid % 2)
            threads_remove(&t, t.slot[i].tid);
    CHECK(t.count == 500 && threads_find(&t, 1000) == first && !threads_find(&t, 999));
    threads_release(&t);
}
