#include "plat/net.h"

#include "net_script.h"
#include "returns.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_CALLERS = 256, FIRST_HANDLE = 2000, LISTENER_HANDLE = FIRST_HANDLE - 1 };

struct caller {
    bool called, accepted, ended, broken, finished, closed;
    struct buf pending; /* what is still to be read */
    struct buf received;
    size_t cap; /* what is still taken of it */
};
static struct caller *caller[MAX_CALLERS];
static int callers, open_limit = MAX_CALLERS;
static bool answers;

/* --- the script --- */

int net_script_call(void)
{
    if (callers == MAX_CALLERS)
        abort();
    struct caller *c = caller[callers] = calloc(1, sizeof *c);
    if (!c)
        abort();
    *c = (struct caller){.called = true, .cap = SIZE_MAX};
    return FIRST_HANDLE + callers++;
}

static struct caller *caller_of(int handle)
{
    if (handle < FIRST_HANDLE || handle >= FIRST_HANDLE + callers)
        abort();
    return caller[handle - FIRST_HANDLE];
}

void net_script_send(int handle, const char *bytes)
{
    buf_adds(&caller_of(handle)->pending, bytes);
}

void net_script_send_bytes(int handle, const void *bytes, size_t len)
{
    buf_add(&caller_of(handle)->pending, bytes, len);
}

void net_script_answers(bool on)
{
    answers = on;
}

int net_script_newest(void)
{
    return FIRST_HANDLE + callers - 1;
}

void net_script_set_cap(int handle, size_t cap)
{
    caller_of(handle)->cap = cap;
}

void net_script_end(int handle)
{
    caller_of(handle)->ended = true;
}

void net_script_break(int handle)
{
    caller_of(handle)->broken = true;
}

const char *net_script_received(int handle)
{
    return buf_str(&caller_of(handle)->received);
}

size_t net_script_received_len(int handle)
{
    return caller_of(handle)->received.len;
}

bool net_script_finished(int handle)
{
    return caller_of(handle)->finished;
}

bool net_script_closed(int handle)
{
    return caller_of(handle)->closed;
}

bool net_script_ready(int handle, bool writes)
{
    if (handle == LISTENER_HANDLE) {
        for (int i = 0; i < callers; i++)
            if (!caller[i]->accepted)
                return true;
        return false;
    }
    const struct caller *c = caller_of(handle);
    return c->broken || (writes ? c->cap > 0 : c->pending.len > 0 || c->ended);
}

void net_script_set_max_open(int max_open)
{
    open_limit = max_open;
}

void net_script_reset(void)
{
    for (; callers > 0; callers--) {
        buf_release(&caller[callers - 1]->pending);
        buf_release(&caller[callers - 1]->received);
        free(caller[callers - 1]);
    }
    open_limit = MAX_CALLERS;
    answers = false;
}

/* --- what plat/net.h promises --- */

int net_listen(const struct net_address *at, struct net_listener *out, struct fail *f)
{
    *out = (struct net_listener){.handle = LISTENER_HANDLE, .address = *at};
    return 0;
}

void net_unlisten(struct net_listener *l)
{
    l->handle = -1;
}

int net_accept(const struct net_listener *l)
{
    int open = 0;
    for (int i = 0; i < callers; i++)
        open += caller[i]->accepted && !caller[i]->closed;
    for (int i = 0; i < callers; i++) {
        if (caller[i]->accepted)
            continue;
        if (open >= open_limit)
            return -EMFILE;
        caller[i]->accepted = true;
        return FIRST_HANDLE + i;
    }
    return -EAGAIN;
}

int net_connect(const struct net_address *at, struct fail *f)
{
    char text[NET_TEXT_MAX + 1];
    if (answers) {
        int handle = net_script_call();
        caller_of(handle)->accepted = true;
        return handle;
    }
    net_address_text(at, text);
    return fail_set(f, ECONNREFUSED, "%.200s", text);
}

int net_connected(int connection)
{
    return caller_of(connection)->broken ? -ECONNRESET : 0;
}

long net_read(int connection, void *bytes, size_t len)
{
    struct caller *c = caller_of(connection);
    if (c->broken)
        return -ECONNRESET;
    if (c->pending.len == 0)
        return c->ended ? 0 : -EAGAIN;
    size_t n = c->pending.len < len ? c->pending.len : len;
    memcpy(bytes, c->pending.data, n);
    memmove(c->pending.data, c->pending.data + n, c->pending.len - n);
    c->pending.len -= n;
    return (long)n;
}

long net_write(int connection, const void *bytes, size_t len)
{
    struct caller *c = caller_of(connection);
    if (c->broken)
        return -EPIPE;
    if (c->cap == 0)
        return -EAGAIN;
    size_t n = c->cap < len ? c->cap : len;
    buf_add(&c->received, bytes, n);
    c->cap -= c->cap == SIZE_MAX ? 0 : n;
    return (long)n;
}

void net_shutdown(int connection)
{
    caller_of(connection)->finished = true;
}

/* Every client belongs to this process's user. */
void net_peer_find(int connection, struct net_peer *out)
{
    *out = (struct net_peer){.kind = NET_PEER_USER};
}

RETURNS(, void, net_peer_release, struct net_peer *p)

void net_close(int connection)
{
    if (connection >= 0)
        caller_of(connection)->closed = true;
}
