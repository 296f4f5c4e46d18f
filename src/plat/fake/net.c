#include "plat/net.h"

#include "net_script.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { CALLERS_MOST = 256, FIRST_HANDLE = 2000, LISTENER_HANDLE = FIRST_HANDLE - 1 };

struct caller {
    bool called, taken, ended, broken, finished, closed;
    struct buf says; /* what is still to be read */
    struct buf got;
    size_t room; /* what is still taken of it */
};
static struct caller *caller[CALLERS_MOST];
static int callers, most_taken = CALLERS_MOST;
static bool answers;

/* --- the script --- */

int net_script_call(void)
{
    if (callers == CALLERS_MOST)
        abort();
    struct caller *c = caller[callers] = calloc(1, sizeof *c);
    if (!c)
        abort();
    *c = (struct caller){.called = true, .room = SIZE_MAX};
    return FIRST_HANDLE + callers++;
}

static struct caller *of(int handle)
{
    if (handle < FIRST_HANDLE || handle >= FIRST_HANDLE + callers)
        abort();
    return caller[handle - FIRST_HANDLE];
}

void net_script_say(int handle, const char *bytes)
{
    buf_adds(&of(handle)->says, bytes);
}

void net_script_say_bytes(int handle, const void *bytes, size_t len)
{
    buf_add(&of(handle)->says, bytes, len);
}

void net_script_answers(bool on)
{
    answers = on;
}

int net_script_newest(void)
{
    return FIRST_HANDLE + callers - 1;
}

void net_script_room(int handle, size_t room)
{
    of(handle)->room = room;
}

void net_script_end(int handle)
{
    of(handle)->ended = true;
}

void net_script_break(int handle)
{
    of(handle)->broken = true;
}

const char *net_script_got(int handle)
{
    return buf_str(&of(handle)->got);
}

size_t net_script_got_len(int handle)
{
    return of(handle)->got.len;
}

bool net_script_finished(int handle)
{
    return of(handle)->finished;
}

bool net_script_closed(int handle)
{
    return of(handle)->closed;
}

bool net_script_ready(int handle, bool writes)
{
    if (handle == LISTENER_HANDLE) {
        for (int i = 0; i < callers; i++)
            if (!caller[i]->taken)
                return true;
        return false;
    }
    const struct caller *c = of(handle);
    return c->broken || (writes ? c->room > 0 : c->says.len > 0 || c->ended);
}

void net_script_most(int most)
{
    most_taken = most;
}

void net_script_reset(void)
{
    for (; callers > 0; callers--) {
        buf_release(&caller[callers - 1]->says);
        buf_release(&caller[callers - 1]->got);
        free(caller[callers - 1]);
    }
    most_taken = CALLERS_MOST;
    answers = false;
}

/* --- what plat/net.h promises --- */

int net_listen(const struct net_address *at, struct net_listener *out, struct fail *f)
{
    (void)f;
    *out = (struct net_listener){.handle = LISTENER_HANDLE, .at = *at};
    return 0;
}

void net_unlisten(struct net_listener *l)
{
    l->handle = -1;
}

int net_accept(const struct net_listener *l)
{
    int open = 0;
    (void)l;
    for (int i = 0; i < callers; i++)
        open += caller[i]->taken && !caller[i]->closed;
    for (int i = 0; i < callers; i++) {
        if (caller[i]->taken)
            continue;
        if (open >= most_taken)
            return -EMFILE;
        caller[i]->taken = true;
        return FIRST_HANDLE + i;
    }
    return -EAGAIN;
}

int net_connect(const struct net_address *at, struct fail *f)
{
    char text[NET_TEXT_MOST + 1];
    if (answers) {
        int handle = net_script_call();
        of(handle)->taken = true;
        return handle;
    }
    net_address_text(at, text);
    return fail_set(f, ECONNREFUSED, "%.200s", text);
}

int net_connected(int connection)
{
    return of(connection)->broken ? -ECONNRESET : 0;
}

long net_read(int connection, void *bytes, size_t len)
{
    struct caller *c = of(connection);
    if (c->broken)
        return -ECONNRESET;
    if (c->says.len == 0)
        return c->ended ? 0 : -EAGAIN;
    size_t n = c->says.len < len ? c->says.len : len;
    memcpy(bytes, c->says.data, n);
    memmove(c->says.data, c->says.data + n, c->says.len - n);
    c->says.len -= n;
    return (long)n;
}

long net_write(int connection, const void *bytes, size_t len)
{
    struct caller *c = of(connection);
    if (c->broken)
        return -EPIPE;
    if (c->room == 0)
        return -EAGAIN;
    size_t n = c->room < len ? c->room : len;
    buf_add(&c->got, bytes, n);
    c->room -= c->room == SIZE_MAX ? 0 : n;
    return (long)n;
}

void net_end(int connection)
{
    of(connection)->finished = true;
}

/* Everybody who calls is of this process's user. */
void net_peer_find(int connection, struct net_peer *out)
{
    (void)connection;
    *out = (struct net_peer){.kind = NET_PEER_USER};
}

void net_peer_release(struct net_peer *p)
{
    (void)p;
}

void net_close(int connection)
{
    if (connection >= 0)
        of(connection)->closed = true;
}
