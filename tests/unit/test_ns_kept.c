/* Requests that wait: in which order they are tried, and what may happen meanwhile. */
#include "unit.h"

#include "core/ns/kept.h"

#include <errno.h>

struct server {
    struct ns_waiting w;
    char tried[64];
    char ready[8];  /* those that are answered */
    uint64_t drops; /* what answering one drops */
    int error;      /* of one that is not ready */
};

static void begin(struct server *s, const char *requests)
{
    memset(s, 0, sizeof *s);
    CHECK(ns_waiting_init(&s->w, 4));
    for (; *requests; requests++)
        CHECK(ns_waiting_keep(&s->w, (uint64_t)*requests, 0, requests, 1));
}

static int answer(void *server, struct ns_kept *k)
{
    struct server *s = server;
    char name = (char)k->bytes[0];
    CHECK(ns_waiting_find(&s->w, k->id) == NULL);
    strncat(s->tried, &name, 1);
    if (!strchr(s->ready, name))
        return s->error ? s->error : 1;
    struct ns_kept *other = ns_waiting_find(&s->w, s->drops);
    if (other)
        ns_waiting_drop(&s->w, other);
    return 0;
}

static const char *left(const struct server *s)
{
    static char names[16];
    size_t i;
    for (i = 0; i < s->w.count; i++)
        names[i] = (char)s->w.kept[i].id;
    names[i] = '\0';
    return names;
}

TEST(waiting_requests_are_retried_in_order)
{
    struct server s;
    begin(&s, "abcd");
    CHECK(!ns_waiting_keep(&s.w, 'e', 0, "e", 1)); /* more than the limit */
    strcpy(s.ready, "bd");
    CHECK_INT(ns_waiting_retry(&s.w, answer, &s), 0);
    CHECK_STR(s.tried, "abcd");
    CHECK_STR(left(&s), "ac");
    CHECK(ns_waiting_keep(&s.w, 'e', 0, "e", 1));
    CHECK_STR(left(&s), "ace");
    ns_waiting_release(&s.w);
}

TEST(an_answered_request_may_cancel_waiting_ones)
{
    struct server s;
    begin(&s, "abcd");
    strcpy(s.ready, "c");
    s.drops = 'a';
    CHECK_INT(ns_waiting_retry(&s.w, answer, &s), 0);
    CHECK_STR(left(&s), "bd");
    strcpy(s.ready, "b");
    s.drops = 'd';
    CHECK_INT(ns_waiting_retry(&s.w, answer, &s), 0);
    CHECK_STR(left(&s), "");
    ns_waiting_release(&s.w);
}

TEST(an_error_ends_the_round_and_loses_nothing)
{
    struct server s;
    begin(&s, "abc");
    strcpy(s.ready, "a");
    s.error = -ENOMEM;
    CHECK_INT(ns_waiting_retry(&s.w, answer, &s), -ENOMEM);
    CHECK_STR(s.tried, "ab");
    CHECK_STR(left(&s), "bc");
    ns_waiting_release(&s.w);
}

static int handle_of(const void *server, const struct ns_kept *k)
{
    (void)server;
    return k->id == 'b' ? -1 : (int)k->id;
}

TEST(handles_of_those_that_have_one)
{
    struct server s;
    int handle[3];
    begin(&s, "abcd");
    CHECK_INT(ns_waiting_handles(&s.w, handle_of, &s, handle, 3), 3);
    CHECK_INT(handle[1], 'c');
    CHECK_INT(ns_waiting_handles(&s.w, handle_of, &s, handle, 1), 1);
    ns_waiting_release(&s.w);
}
