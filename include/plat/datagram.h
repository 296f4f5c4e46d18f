/*
 * datagram: sends requests over UDP and receives their answers, each within a time limit.
 *
 *     datagram_open(&d);
 *     datagram_send(&d, &to, bytes, len);
 *     wait_ready for datagram_wait(&d): ready when an answer has come or time is up
 *     n = datagram_read(&d, bytes, sizeof bytes);
 *     datagram_close(&d);
 */
#pragma once

#include "plat/wait.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct datagram {
    int socket;      /* of the last request; negative: it could not be sent, or there was none */
    uint64_t end_ns; /* when its time is up, by plat/clock.h; 0: it was, or there was none */
};

struct datagram_target {
    const char *address; /* the text of an IPv4 or IPv6 address */
    uint16_t port;
    bool any_sender; /* may answer; else that address alone */
    unsigned timeout_ms;
};

void datagram_open(struct datagram *d);
void datagram_close(struct datagram *d);
struct wait_on datagram_wait(const struct datagram *d);

/* Asks again, from a new port: answers to earlier questions are dropped. A question
 * that cannot be sent has no answer, and time runs all the same. */
void datagram_send(struct datagram *d, const struct datagram_target *to, const void *bytes,
                   size_t len);

/* The length of what came, cut at len; -EAGAIN: nothing yet; -ETIMEDOUT, once: time is up; else it
 * was refused. */
long datagram_read(struct datagram *d, void *bytes, size_t len);

/* For a question: a number that others cannot guess. */
uint16_t datagram_id(void);
