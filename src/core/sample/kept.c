/* Spans of samples: filled, closed, dropped. */
#include "core/sample/kept.h"

#include "core/base/grow.h"
#include "count.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

size_t kept_samples_for_memory(size_t memory_bytes)
{
    size_t n = memory_bytes / 16 / KEPT_SAMPLE_BYTES;
    return n < KEPT_MIN_SAMPLES ? KEPT_MIN_SAMPLES : n;
}

void kept_init(struct kept *k, uint64_t keep_ns, size_t max_samples)
{
    *k = (struct kept){.keep_ns = keep_ns, .max_samples = max_samples};
}

static void release_span(struct kept_span *p)
{
    free(p->one);
    free(p->counts.chains);
    *p = (struct kept_span){0};
}

void kept_release(struct kept *k)
{
    for (size_t i = 0; i < k->spans; i++)
        release_span(&k->span[i]);
    free(k->closed.chains);
    *k = (struct kept){0};
}

/* --- what is counted without a sample --- */

static void amounts_of(struct sampled *s, uint64_t *at[KEPT_AMOUNTS])
{
    uint64_t *const all[KEPT_AMOUNTS] = {
        &s->count.idle,
        &s->count.idle_weight,
        &s->count.user,
        &s->count.user_weight,
        &s->count.own,
        &s->count.own_weight,
        &s->count.forks,
        &s->loss.lost,
        &s->loss.throttled,
        &s->waits.count,
        &s->waiting.pairing.forgotten,
        &s->waiting.pairing.spanning,
        &s->unwound.guessed,
        &s->unwound.from_cache,
        &s->unwound.by_code,
    };
    memcpy(at, all, sizeof all);
}

static uint64_t *chains_that_ended(const struct sampled *s, size_t end)
{
    return &((struct sampled_end *)s->unwound.ends.record)[end].chains;
}

/* What was counted since the span before it was closed. */
static void close_counts(struct kept *k, struct sampled *s, struct kept_counts *of)
{
    uint64_t *now[KEPT_AMOUNTS];
    size_t ends = s->unwound.ends.count;
    amounts_of(s, now);
    for (size_t i = 0; i < KEPT_AMOUNTS; i++) {
        of->amount[i] = *now[i] - k->closed.amount[i];
        k->closed.amount[i] = *now[i];
    }
    free(of->chains); /* a compaction gave it some */
    of->chains = calloc(ends + 1, sizeof *of->chains);
    if (!of->chains || !grow_zeroed(&k->closed.chains, &k->closed.ends, ends, sizeof *of->chains))
        return; /* then the next span has them */
    of->ends = ends;
    for (size_t i = 0; i < ends; i++) {
        of->chains[i] = *chains_that_ended(s, i) - k->closed.chains[i];
        k->closed.chains[i] += of->chains[i];
    }
}

static void drop_counts(struct kept *k, struct sampled *s, const struct kept_counts *of)
{
    uint64_t *now[KEPT_AMOUNTS], lost = s->loss.lost;
    amounts_of(s, now);
    for (size_t i = 0; i < KEPT_AMOUNTS; i++) {
        *now[i] -= of->amount[i];
        k->closed.amount[i] -= of->amount[i];
    }
    for (size_t i = 0; i < of->ends; i++) {
        *chains_that_ended(s, i) -= of->chains[i];
        k->closed.chains[i] -= of->chains[i];
    }
    k->dropped_lost += lost - s->loss.lost;
    s->waits.forgotten = s->waiting.pairing.forgotten;
    s->waits.spanning = s->waiting.pairing.spanning;
}

/* --- spans --- */

static void drop_oldest(struct kept *k, struct sampled *s)
{
    struct kept_span *p = &k->span[0];
    for (size_t i = 0; i < p->count; i++)
        sampled_uncount(s, &p->one[i]);
    k->samples -= p->count;
    drop_counts(k, s, &p->counts);
    release_span(p);
    memmove(k->span, k->span + 1, --k->spans * sizeof *k->span);
}

static void close_span(struct kept *k, struct sampled *s)
{
    struct kept_span *p = &k->span[k->spans - 1];
    void *fitted = p->count ? realloc(p->one, p->count * sizeof *p->one) : NULL;
    if (fitted) {
        p->one = fitted;
        p->cap = p->count;
    }
    close_counts(k, s, &p->counts);
}

static bool is_over(const struct kept *k, const struct kept_span *p, uint64_t now_ns)
{
    return now_ns >= p->start_ns + k->keep_ns / KEPT_SPANS ||
           p->count >= k->max_samples / KEPT_SPANS;
}

static void drop_old(struct kept *k, struct sampled *s, uint64_t now_ns)
{
    uint64_t old_ns = k->keep_ns + k->keep_ns / KEPT_SPANS;
    while (k->spans > 1 && k->span[0].start_ns + old_ns <= now_ns)
        drop_oldest(k, s);
    while (k->spans > 1 && (k->samples > k->max_samples || k->spans == KEPT_MAX_SPANS)) {
        k->full = true;
        drop_oldest(k, s);
    }
}

/* The open span is one that may take what happens now. */
static void turn(struct kept *k, struct sampled *s, uint64_t now_ns)
{
    if (k->spans && !is_over(k, &k->span[k->spans - 1], now_ns))
        return;
    if (k->spans) {
        close_span(k, s);
        k->turned = true;
    }
    drop_old(k, s, now_ns);
    k->span[k->spans++] = (struct kept_span){.start_ns = now_ns};
}

void kept_add(struct kept *k, struct sampled *s, const struct sampled_one *one)
{
    turn(k, s, one->time_ns);
    struct kept_span *p = &k->span[k->spans - 1];
    if (!GROW_ADD(p->one, p->cap, p->count, *one)) {
        s->err = -ENOMEM;
        sampled_uncount(s, one);
        return;
    }
    k->samples++;
}

bool kept_round(struct kept *k, struct sampled *s, uint64_t now_ns)
{
    turn(k, s, now_ns);
    drop_old(k, s, now_ns);
    if (k->span[0].count)
        s->first_ns = sampled_start_ns(s, &k->span[0].one[0]);
    bool turned = k->turned;
    k->turned = false;
    return turned;
}

uint64_t kept_length_ns(const struct kept *k, uint64_t now_ns)
{
    return k->spans && k->span[0].start_ns < now_ns ? now_ns - k->span[0].start_ns : 0;
}

void kept_each(const struct kept *k, void (*each)(void *arg, const struct sampled_one *one),
               void *arg)
{
    for (size_t i = 0; i < k->spans; i++)
        for (size_t n = 0; n < k->span[i].count; n++)
            each(arg, &k->span[i].one[n]);
}
