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
static size_t replies, replies_read;

static struct {
    struct datagram_target to;
    char address[64];
} request;
static unsigned requests;
static int open_count;
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

void datagram_script_reply(const void *bytes, size_t len)
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

const struct datagram_target *datagram_script_target(void)
{
    return &request.to;
}

unsigned datagram_script_requests(void)
{
    return requests;
}

int datagram_script_open(void)
{
    return open_count;
}

void datagram_script_reset(void)
{
    replies = replies_read = 0;
    requests = 0;
    open_count = 0;
    id = FIRST_ID;
}

/* --- what plat/datagram.h promises --- */

void datagram_open(struct datagram *d)
{
    *d = (struct datagram){.socket = DATAGRAM_HANDLE};
    open_count++;
}

void datagram_close(struct datagram *d)
{
    open_count -= d->socket >= 0;
    d->socket = -1;
}

struct wait_on datagram_wait(const struct datagram *d)
{
    return (struct wait_on){.handle = d->socket};
}

void datagram_send(struct datagram *d, const struct datagram_target *to, const void *bytes,
                   size_t len)
{
    if (len > BYTES || strlen(to->address) >= sizeof request.address)
        abort();
    strcpy(request.address, to->address);
    request.to = *to;
    request.to.address = request.address;
    requests++;
}

long datagram_read(struct datagram *d, void *bytes, size_t len)
{
    if (replies_read == replies)
        return -ETIMEDOUT;
    long n = reply[replies_read].len;
    if (n > (long)len)
        n = (long)len;
    if (n > 0)
        memcpy(bytes, reply[replies_read].bytes, (size_t)n);
    replies_read++;
    return n;
}

uint16_t datagram_id(void)
{
    return id;
}
