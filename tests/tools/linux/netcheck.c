/* netcheck FOLDER: plat/net.h against the kernel: both kinds of sockets, and what may stand at a
 * path. FOLDER is empty. Says what is not so. */
#include "plat/clock.h"
#include "plat/datagram.h"
#include "plat/net.h"
#include "plat/wait.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

static int wrong;
static char folder[64];

static void check(const char *what, long got, long want)
{
    if (got != want) {
        printf("FAILED %s: got %ld, want %ld\n", what, got, want);
        wrong++;
    }
}

static bool wait_for(int handle, bool writes)
{
    struct wait_on on = {.handle = handle, .for_write = writes};
    return wait_ready(&on, 1, 5000) == 1;
}

static struct net_address address(const char *text)
{
    struct net_address a = {.kind = NET_TCP};
    check(text, net_address_read(text, 0, &a, NULL), 0);
    return a;
}

static struct net_address at_path(const char *name)
{
    char text[128];
    snprintf(text, sizeof text, "unix!%s/%s", folder, name);
    return address(text);
}

static void fill(int c)
{
    static char bytes[1 << 16];
    long n;
    size_t sum = 0;
    while ((n = net_write(c, bytes, sizeof bytes)) > 0 && sum < 1u << 30)
        sum += (size_t)n;
    check("a full one", n, -EAGAIN);
}

static void talk(const struct net_address *at)
{
    char bytes[16];
    struct net_listener l;
    check("listen", net_listen(at, &l, NULL), 0);
    check("nobody calls", net_accept(&l), -EAGAIN);
    int c = net_connect(&l.address, NULL);
    check("connected", wait_for(c, true) && net_connected(c) == 0, true);
    check("a call", wait_for(l.handle, false), true);
    int s = net_accept(&l);
    check("accepted", s >= 0, true);
    check("nothing yet", net_read(s, bytes, sizeof bytes), -EAGAIN);
    check("written", net_write(c, "hello", 5), 5);
    check("arrives", wait_for(s, false) && net_read(s, bytes, sizeof bytes) == 5, true);
    check("the bytes", memcmp(bytes, "hello", 5), 0);
    fill(s);
    net_close(c);
    check("the end", wait_for(s, false), true);
    check("no reader", net_write(s, "x", 1) < 0 || net_write(s, "x", 1) < 0, true);
    net_close(s);
    net_unlisten(&l);
    net_unlisten(&l);
    check("refused", net_connect(&l.address, NULL) < 0 || at->kind == NET_TCP, true);
}

static void refused(void)
{
    struct net_listener l;
    struct net_address at = address(":0");
    check("listen", net_listen(&at, &l, NULL), 0);
    check("a port was taken", l.address.port != 0, true);
    struct net_listener second;
    struct fail f;
    check("a taken port", net_listen(&l.address, &second, &f), -EADDRINUSE);
    check("said so", f.hint[0] != '\0' && second.handle < 0, true);
    at = l.address;
    net_unlisten(&l);
    int c = net_connect(&at, NULL);
    check("told", c < 0 || wait_for(c, true), true);
    check("nobody there", c < 0 ? c : net_connected(c), -ECONNREFUSED);
    net_close(c);
    at = address("no-such-host.invalid:1");
    check("an unknown name", net_listen(&at, &second, &f), -ENOENT);
}

static int mode(const struct net_address *a)
{
    struct stat st;
    return lstat(a->path, &st) < 0 ? -1 : (int)(st.st_mode & (S_IFMT | 07777));
}

static void paths(void)
{
    struct net_listener l, second;
    struct net_address at = at_path("one"), file = at_path("file"), dead = at_path("dead");
    umask(0);
    check("listen", net_listen(&at, &l, NULL), 0);
    check("for its owner", mode(&at), S_IFSOCK | 0600);
    check("a live one stays", net_listen(&at, &second, NULL), -EADDRINUSE);
    unlink(at.path);
    check("another in its place", net_listen(&at, &second, NULL), 0);
    net_unlisten(&l);
    check("is left alone", mode(&at), S_IFSOCK | 0600);
    net_unlisten(&second);
    check("removed", mode(&at), -1);
    fclose(fopen(file.path, "w"));
    check("a file stays", net_listen(&file, &l, NULL), -EADDRINUSE);
    check("as it was", mode(&file) & S_IFMT, S_IFREG);
    check("listen", net_listen(&dead, &l, NULL), 0);
    close(l.handle);
    check("dead, and there", mode(&dead), S_IFSOCK | 0600);
    check("replaced", net_listen(&dead, &second, NULL), 0);
    net_unlisten(&second);
    check("a missing folder",
          net_listen(&(struct net_address){.kind = NET_UNIX, .path = "/none/x"}, &l, NULL),
          -ENOENT);
}

/* Nobody answers: the time limit is what ends the wait. */
static void unanswered(void)
{
    enum { LIMIT_MS = 50 };
    const struct datagram_target to = {
        .address = "127.0.0.1", .port = 9, .any_sender = true, .timeout_ms = LIMIT_MS};
    struct datagram d;
    char bytes[16];
    uint64_t begin_ns = clock_mono_ns();
    datagram_open(&d);
    datagram_send(&d, &to, "?", 1);
    check("no answer yet", datagram_read(&d, bytes, sizeof bytes), -EAGAIN);
    struct wait_on on = datagram_wait(&d);
    check("time is up", wait_ready(&on, 1, 60000), 1);
    check("it is the time that is up", on.ready && !on.gone, 1);
    check("not before", clock_mono_ns() - begin_ns >= LIMIT_MS * 1000000, 1);
    check("which is said", datagram_read(&d, bytes, sizeof bytes), -ETIMEDOUT);
    check("once", datagram_read(&d, bytes, sizeof bytes), -EAGAIN);
    datagram_close(&d);
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    snprintf(folder, sizeof folder, "%s", argv[1]);
    struct net_address local = at_path("talk"), tcp = address(":0");
    talk(&local);
    talk(&tcp);
    refused();
    paths();
    unanswered();
    return wrong != 0;
}
