/*
 * datagram_script: what comes of questions over UDP on the fake platform. For unit tests; without a
 * script there is no answer, and every wait times out at once.
 */
#pragma once

#include "plat/datagram.h"

/* What the next datagram_reads give, in order: bytes, or a negative errno. */
void datagram_script_reply(const void *bytes, size_t len);
void datagram_script_fail(int err);
void datagram_script_id(uint16_t id); /* of all questions from now on */

/* The newest question, and how many there were. */
const struct datagram_target *datagram_script_target(void);
unsigned datagram_script_requests(void);
int datagram_script_open(void); /* datagrams that are not closed */
void datagram_script_reset(void);
