#include "unit.h"

#include "core/base/bytes.h"
#include "core/perf/perfrec.h"
#include "plat/sample.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

static const char script[] = "rate 500\n"
                             "event cycles\nevent sched:sched_switch in_kernel every=1\n"
                             "sample 10 11 1000 400000 x2 cpu=1 period=7\n"
                             "sample 10 11 1500 ffffffff81000010 kernel chain=k,ffffffff81000010,"
                             "ffffffff81000020,u,400100,400200\n"
                             "sample 0 0 1600 ffffffff81000030 kernel cpu=1\n"
                             "fork 20 10 21 11 900\nexit 20 10 21 11 2000\n";

BEFORE(use_script)
{
    static char path[] = "/tmp/fake_sample.XXXXXX";
    int fd = mkstemp(path);
    if (fd < 0 || write(fd, script, sizeof script - 1) != sizeof script - 1)
        abort();
    close(fd);
    setenv("PSUITE_FAKE", path, 1);
    struct fail f;
    struct sample_event e;
    sample_event_find("cpu-clock", &e, &f); /* reads the script */
    unlink(path);
}

struct seen {
    struct perfrec_format format;
    struct perfrec rec[16];
    uint64_t chain[16][8];
    size_t n, bad;
};

static void take(void *arg, const void *record, size_t len)
{
    struct seen *s = arg;
    struct perfrec *r = &s->rec[s->n];
    if (s->n == 16 || !perfrec_decode(record, len, &s->format, r)) {
        s->bad++;
        return;
    }
    for (size_t i = 0; i < r->sample.chain_len && i < 8; i++)
        s->chain[s->n][i] = get_le64(r->sample.chain + 8 * i);
    s->n++;
}

static struct seen sampled(const struct sample_want *want)
{
    struct seen seen = {0};
    struct sampler *s;
    CHECK_INT(sample_open(want, &s, NULL), 0);
    sample_format(s, &seen.format);
    sample_read(s, take, &seen);
    sample_close(s);
    CHECK_INT(seen.bad, 0);
    return seen;
}

static size_t samples(const struct seen *s)
{
    size_t n = 0;
    for (size_t i = 0; i < s->n; i++)
        n += s->rec[i].type == PERFREC_SAMPLE;
    return n;
}

TEST(user_mode_by_a_clock)
{
    struct sample_want want = {.pid = 10, .hz = 1000};
    struct seen s = sampled(&want);
    CHECK_INT(samples(&s), 2);
    CHECK_INT(s.n, 4);
    CHECK_INT(s.rec[0].type, PERFREC_FORK);
    CHECK_INT(s.rec[1].mode, PERFREC_USER);
    CHECK_INT(s.rec[1].sample.period, 2000000); /* of the rate that is granted */
    CHECK_INT(s.rec[2].time, 1001);
    CHECK_INT(s.rec[3].type, PERFREC_EXIT);
    CHECK_INT(s.rec[3].time, 2000);
}

TEST(all_cpus_with_the_kernel_and_chains)
{
    struct sample_want want = {.kernel = true, .chains = true, .hz = 1000};
    struct seen s = sampled(&want);
    CHECK_INT(samples(&s), 4);
    CHECK_INT(s.rec[1].cpu, 1);
    CHECK_INT(s.rec[1].sample.chain_len, 2);
    CHECK(s.chain[1][0] == PERFREC_CHAIN_USER && s.chain[1][1] == 0x400000);
    CHECK_INT(s.rec[3].mode, PERFREC_KERNEL);
    CHECK_INT(s.rec[3].sample.chain_len, 6);
    CHECK(s.chain[3][0] == PERFREC_CHAIN_KERNEL && s.chain[3][3] == PERFREC_CHAIN_USER);
    CHECK(s.chain[3][5] == 0x400200);
    CHECK_INT(s.rec[4].pid, 0);
    CHECK_INT(s.rec[4].cpu, 1);
}

TEST(sampling_without_user_mode_keeps_kernel_samples)
{
    struct sample_want want = {.pid = 10, .no_user = true, .hz = 1000};
    struct seen s = sampled(&want);
    CHECK_INT(samples(&s), 2);
}

TEST(sampling_by_event_name)
{
    struct sample_want want = {.pid = 10, .hz = 1000};
    CHECK_INT(sample_event_find("instructions", &want.event, NULL), -ENOENT);
    CHECK_INT(sample_event_find("cycles", &want.event, NULL), 0);
    CHECK(!want.event.clock);
    struct seen s = sampled(&want);
    CHECK_INT(s.rec[1].sample.period, 7);
    CHECK_INT(sample_event_find("sched:sched_switch", &want.event, NULL), 0);
    s = sampled(&want);
    CHECK_INT(samples(&s), 4);
    CHECK_INT(s.rec[1].sample.period, 1);
}
