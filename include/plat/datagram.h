/*
 * datagram: sends requests over UDP and receives their answers: a socket with a timer, as one
 * handle.
 *
 *     datagram_open(&d);
 *     datagram_send(&d, &to, bytes, len);
 *     wait_ready: d.handle is ready when an answer has come or time is up
 *     n = datagram_read(&d, bytes, sizeof bytes);
 *     datagram_close(&d);
 */
#ifndef PSUITE_PLAT_DATAGRAM_H
#define PSUITE_PLAT_DATAGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct datagram {
    int handle;        /* for plat/wait.h, to be read; negative: not open */
    int socket, timer; /* its own */
};

struct datagram_target {
    const char *address; /* the text of an IPv4 or IPv6 address */
    uint16_t port;
    bool any_sender; /* may answer; else that address alone */
    unsigned timeout_ms;
};

int datagram_open(struct datagram *d); /* 0 or -errno */
void datagram_close(struct datagram *d);

/* Asks again, from a new port: answers to earlier questions are dropped. A question
 * that cannot be sent has no answer, and time runs all the same. */
void datagram_send(struct datagram *d, const struct datagram_target *to, const void *bytes,
                   size_t len);

/* The length of what came, cut at len; -EAGAIN: nothing yet; -ETIMEDOUT, once: time is up; else it
 * was refused. */
long datagram_read(struct datagram *d, void *bytes, size_t len);

/* For a question: a number that others cannot guess. */
uint16_t datagram_id(void);

#endif
