/*
 * feed: keeps the newest texts of a stream for several readers, each with its own position. A slow
 * reader falls behind; it loses the oldest texts and learns how many. So however many read, and
 * however slowly, the texts are there once, and no reader waits for another.
 *
 *     feed_add(&f, text, len);
 *     for (uint64_t at = f.first; (text = feed_at(&f, &at, &len, &lost)); at++) ...
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct feed {
    struct feed_text *text; /* a ring of `max_texts' */
    size_t max_texts, max_bytes, bytes;
    uint64_t first, next; /* places: of the oldest that is kept, of the one to come */
};

/* Keeps at most `max_texts' texts of at most bytes together, but always the newest. 0 or -ENOMEM.
 */
int feed_init(struct feed *f, size_t max_texts, size_t max_bytes);
void feed_release(struct feed *f);

/* Copies it. 0 or -ENOMEM, with the feed as it was. */
int feed_add(struct feed *f, const char *text, size_t len);

/* The text at *at; NULL while it has not come. Where it is gone *at moves to the oldest, and *lost
 * is grown by how many were passed over. It is the feed's, until the next feed_add. */
const char *feed_at(const struct feed *f, uint64_t *at, size_t *len, uint64_t *lost);
