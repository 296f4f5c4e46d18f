/* iostats_proxy: two sides that say what a script says: what goes on is what came. */
#include "unit.h"

#include "engine/iostats/proxy.h"
#include "net_script.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char version[] = "\x13\0\0\0d\xff\xff\0\x20\0\0\x06\0"
                              "9P2000";
enum { VERSION_LEN = sizeof version - 1 };

/* A clock, and an interrupt at the tenth wait. */
static void scenario(char path[])
{
    FILE *file = fdopen(mkstemp(path), "w");
    fputs("clock 1000000000 1000\ninterrupt 10\n", file);
    fclose(file);
    setenv("PSUITE_FAKE", path, 1);
}

static int call(const char *bytes, size_t len)
{
    int handle = net_script_call();
    net_script_send_bytes(handle, bytes, len);
    return handle;
}

TEST(iostats_proxy_between_clients_and_a_server)
{
    char path[] = "/tmp/psuite-proxy-XXXXXX";
    const struct net_address at = {.kind = NET_UNIX, .path = "p"};
    const struct iostats_want want = {.json = false};
    struct iostats_proxy *p;
    struct fail f;
    scenario(path);
    net_script_reset();
    CHECK_INT(iostats_proxy_open(&p, &at, &at, &want, NULL), 0);

    /* no server is there */
    int refused = net_script_call();
    CHECK_INT(iostats_proxy_next(p, &f), IOSTATS_PROXY_LOST);
    CHECK_STR(f.what, "connection 1: unix!p");
    CHECK_INT(f.err, ECONNREFUSED);
    CHECK(net_script_closed(refused));

    /* a message and the beginning of the next; one that ends; what is no 9P */
    net_script_answers(true);
    int going = call(version, VERSION_LEN), ending = call(version, VERSION_LEN);
    net_script_send_bytes(going, version, 5);
    net_script_end(ending);
    int other = call("GET / HTTP/1.1", 14);
    int server = other + 1; /* of the first; the others' follow */
    CHECK_INT(iostats_proxy_next(p, &f), IOSTATS_PROXY_LOST);
    CHECK_STR(f.what, "connection 4: the client sent data that is not 9P");
    CHECK_INT(f.err, 0);
    CHECK_INT(iostats_proxy_next(p, &f), IOSTATS_PROXY_END);

    CHECK_INT(net_script_received_len(server), VERSION_LEN + 5);
    CHECK(memcmp(net_script_received(server), version, VERSION_LEN) == 0);
    CHECK(!net_script_finished(server));
    CHECK_INT(net_script_received_len(server + 1), VERSION_LEN);
    CHECK(net_script_finished(server + 1));
    CHECK(!net_script_closed(ending)); /* the server may yet answer */
    CHECK_INT(net_script_received_len(server + 2), 0);
    CHECK(net_script_closed(other) && net_script_closed(server + 2));

    iostats_proxy_free(p);
    CHECK(net_script_closed(going) && net_script_closed(server));
    net_script_reset();
    unlink(path);
}
