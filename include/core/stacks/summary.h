/*
 * summary: what is known of samples besides their stacks: how complete the unwound call chains are,
 * and how long threads waited.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;
struct json;

/* Chains that broke for one reason in one module. */
struct stacks_broken {
    const char *reason, *module; /* in words; the module's name, or "no module" */
    uint64_t chains;
    uint32_t pid; /* whose memory it is, where that needs to be said; else 0 */
};

struct stacks_ends {
    uint64_t unwound;    /* chains; 0: none were, and there is nothing to say */
    uint64_t whole;      /* of them: those that reached the outermost frame of their thread */
    uint64_t by_code;    /* with a frame found by its instructions, not by a table */
    uint64_t guessed;    /* with a frame that was guessed */
    uint64_t from_cache; /* of which stack was read after the sample */
    struct stacks_broken *broken; /* most chains first */
    size_t broken_count;
};

struct stacks_waits {
    bool sampled; /* else there is nothing to say */
    uint64_t count, running_ms, wait_ms;
    uint64_t asleep_ms, preempted_ms; /* of wait_ms */
    uint64_t end_lost;                /* waits whose end was lost: not counted */
    uint64_t spanning_lost;           /* waits in which records were lost: they may be too long */
};

/* "chains":{"unwound","whole","by_code","guessed","late","broken":[{"reason","module","chains"}]};
 * nothing when no chain was unwound. */
void stacks_ends_json(const struct stacks_ends *e, struct json *j);

/* "waits":{"count","running_ms","wait_ms","asleep_ms","preempted_ms","end_lost","spanning_lost"};
 * nothing when waits were not sampled. */
void stacks_waits_json(const struct stacks_waits *w, struct json *j);

/* The share of complete chains, then a line a reason of the others; nothing as above. */
void stacks_ends_text(const struct stacks_ends *e, struct buf *out);

/* One line without its end, behind `before'; nothing as above. */
void stacks_waits_text(const struct stacks_waits *w, const char *before, struct buf *out);
