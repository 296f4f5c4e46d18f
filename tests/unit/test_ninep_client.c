#include "unit.h"

#include "ninep_pair.h"

TEST(ninep_client_attaches)
{
    struct talk t;
    talk_begin(&t, false, "9P2000");
    struct pair p = {.t = t, .client = ninep_client_new(0, "glenda", "")};
    struct ninep_msg m = {.type = NINEP_TSTAT};
    CHECK_INT(ninep_client_ready(p.client, NULL), 0);
    CHECK_INT(ninep_client_request(p.client, &m, NULL, NULL, NULL), -EAGAIN);
    deliver(&p, 1);
    CHECK_INT(ninep_client_ready(p.client, NULL), 0);
    deliver(&p, 1);
    CHECK_INT(ninep_client_ready(p.client, NULL), 1);
    CHECK_INT(ninep_client_msize(p.client), NINEP_MSIZE);
    ninep_client_free(p.client);
    CHECK_INT(talk_end(&p.t), 0);
}

/* --- servers that lie --- */

TEST(ninep_client_of_servers_that_lie)
{
    struct ninep_client *c = ninep_client_new(0, "u", "");
    CHECK_INT(say(c, (struct ninep_msg){.type = NINEP_RVERSION,
                                        .session.msize = 1 << 30,
                                        .session.version = ninep_text("9P2000")}),
              -EPROTO);
    CHECK_INT(ninep_client_ready(c, NULL), -EPROTO);
    CHECK_INT(say(c, (struct ninep_msg){.type = NINEP_RATTACH}), -EPROTO);
    ninep_client_free(c);
    c = ninep_client_new(0, "u", "");
    CHECK_INT(say(c, (struct ninep_msg){.type = NINEP_RVERSION,
                                        .session.msize = 4096,
                                        .session.version = ninep_text("unknown")}),
              20); /* and is asked for 9P2000.L */
    CHECK_INT(ninep_client_ready(c, NULL), 0);
    CHECK_INT(say(c, (struct ninep_msg){.type = NINEP_RVERSION,
                                        .session.msize = 4096,
                                        .session.version = ninep_text("unknown")}),
              -EPROTO);
    ninep_client_free(c);
    c = attached();
    CHECK_INT(say(c, (struct ninep_msg){.type = NINEP_RCLUNK, .tag = 3}), -EPROTO);
    ninep_client_free(c);
    c = attached();
    CHECK_INT(ninep_client_request(c, &(struct ninep_msg){.type = NINEP_TSTAT}, NULL, NULL, NULL),
              0);
    CHECK_INT(say(c, (struct ninep_msg){.type = NINEP_RCLUNK, .tag = 0}), -EPROTO);
    ninep_client_free(c);
}

struct heard {
    int replies, fails;
};
static void hear(void *arg, const struct ninep_msg *reply, const struct fail *f)
{
    struct heard *h = arg;
    (void)f;
    h->replies += reply != NULL;
    h->fails += reply == NULL;
}

TEST(ninep_client_a_flushed_tag_is_not_used_again_before_its_time)
{
    struct heard h = {0, 0};
    struct ninep_msg stat = {.type = NINEP_TSTAT};
    struct ninep_client *c = attached();
    int tag = ninep_client_request(c, &stat, hear, &h, NULL);
    ninep_client_flush(c, tag);
    CHECK_INT(say(c, (struct ninep_msg){.type = NINEP_RSTAT, .tag = (uint16_t)tag, .data = ""}), 9);
    CHECK(ninep_client_request(c, &stat, hear, &h, NULL) > tag + 1);
    CHECK_INT(say(c, (struct ninep_msg){.type = NINEP_RFLUSH, .tag = (uint16_t)(tag + 1)}), 7);
    CHECK_INT(ninep_client_request(c, &stat, hear, &h, NULL), tag);
    CHECK_INT(h.replies + h.fails, 0);
    CHECK_INT(say(c, (struct ninep_msg){.type = NINEP_RERROR,
                                        .tag = (uint16_t)tag,
                                        .failure.text = ninep_text("file does not exist")}),
              9 + 19);
    CHECK_INT(h.fails, 1);
    ninep_client_free(c);
}

TEST(ninep_client_words_have_numbers)
{
    CHECK_INT(ninep_errno(ninep_text("'/dev/x' file does not exist")), ENOENT);
    CHECK_INT(ninep_errno(ninep_text("No such file or directory")), ENOENT);
    CHECK_INT(ninep_errno(ninep_text("permission denied")), EACCES);
    CHECK_INT(ninep_errno(ninep_text("the sky is falling")), 0);
    CHECK_INT(ninep_errno(ninep_text("")), 0);
}
