#include "plat/datagram.h"

#include "datagram_script.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { REPLIES = 32, BYTES = 2048, DATAGRAM_HANDLE = 2900, FIRST_ID = 0x1234 };

static struct {
    uint8_t bytes[BYTES];
    long len; /* negative: -errno */
} reply[REPLIES];
static size_t replies, given;

static struct {
    struct datagram_to to;
    char address[64];
    uint8_t bytes[BYTES];
    size_t len;
} asked;
static unsigned questions;
static int open_now;
static uint16_t id = FIRST_ID;

/* --- the script --- */

static void add_reply(const void *bytes, long len)
{
    if (replies == REPLIES || len > BYTES)
        abort();
    if (len > 0)
        memcpy(reply[replies].bytes, bytes, (size_t)len);
    reply[replies++].len = len;
}

void datagram_script_say(const void *bytes, size_t len)
{
    add_reply(bytes, (long)len);
}

void datagram_script_fail(int err)
{
    add_reply("", -err);
}

void datagram_script_id(uint16_t next)
{
    id = next;
}

const struct datagram_to *datagram_script_to(void)
{
    return &asked.to;
}

const uint8_t *datagram_script_asked(size_t *len)
{
    *len = asked.len;
    return asked.bytes;
}

unsigned datagram_script_questions(void)
{
    return questions;
}

int datagram_script_open(void)
{
    return open_now;
}

void datagram_script_reset(void)
{
    replies = given = 0;
    questions = 0;
    open_now = 0;
    id = FIRST_ID;
}

/* --- what plat/datagram.h promises --- */

int datagram_open(struct datagram *d)
{
    *d = (struct datagram){.handle = DATAGRAM_HANDLE, .socket = -1, .timer = -1};
    open_now++;
    return 0;
}

void datagram_close(struct datagram *d)
{
    open_now -= d->handle >= 0;
    d->handle = -1;
}

void datagram_ask(struct datagram *d, const struct datagram_to *to, const void *bytes, size_t len)
{
    (void)d;
    if (len > BYTES || strlen(to->address) >= sizeof asked.address)
        abort();
    strcpy(asked.address, to->address);
    asked.to = *to;
    asked.to.address = asked.address;
    memcpy(asked.bytes, bytes, len);
    asked.len = len;
    questions++;
}

long datagram_read(struct datagram *d, void *bytes, size_t len)
{
    (void)d;
    if (given == replies)
        return -ETIMEDOUT;
    long n = reply[given].len;
    if (n > (long)len)
        n = (long)len;
    if (n > 0)
        memcpy(bytes, reply[given].bytes, (size_t)n);
    given++;
    return n;
}

uint16_t datagram_id(void)
{
    return id;
}
