/* ns_remote: a machine that answers, hangs, dies and is back, on scripted connections with a real
 * server of 9P at their end. The scripted clock goes on by 50 ms with each reading. */
#include "unit.h"

#include "engine/ns/remote.h"
#include "net_script.h"
#include "ninep_ram.h"

#include "core/ninep/server.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct machine {
    struct ram ram;
    struct ninep_tree tree;
    struct ninep_server *server;
    int handle; /* its connection; negative: none yet */
    size_t seen;
    bool hangs;
    struct ns ns;
    struct ns_remote *remote;
};

static void scripted_clock(void)
{
    static char path[] = "/tmp/psuite-remote-XXXXXX";
    static bool begun;
    int fd = begun ? -1 : mkstemp(path);
    begun = true;
    if (fd < 0)
        return;
    FILE *file = fdopen(fd, "w");
    fputs("clock 1000000000 50000000\n", file);
    fclose(file);
    setenv("PSUITE_FAKE", path, 1);
}

static void begin(struct machine *m, const char *command)
{
    const struct net_address at = {.kind = NET_UNIX, .path = "there"};
    scripted_clock();
    net_script_reset();
    net_script_answers(true);
    *m = (struct machine){.handle = -1};
    ram_init(&m->ram);
    ram_put(&m->ram, (uint64_t)ram_dir(&m->ram, 0, "dev"), "sysstat", "0 1 2\n");
    m->tree = ram_tree(&m->ram, false);
    m->remote = ns_remote_new(command, command ? NULL : &at);
    CHECK_INT(ns_remote_bind(&m->ns, m->remote, NULL), 0);
}

static void end(struct machine *m)
{
    ns_release(&m->ns);
    ninep_server_free(m->server);
    ram_release(&m->ram);
    unlink(getenv("PSUITE_FAKE"));
}

/* It serves the newest connection. */
static void answer(struct machine *m)
{
    struct buf out = BUF_INIT;
    int newest = net_script_newest();
    if (newest != m->handle) {
        ninep_server_free(m->server);
        m->server = ninep_server_new(&m->tree, NULL);
        m->handle = newest;
        m->seen = 0;
    }
    long used = ninep_server_serve(m->server, net_script_received(m->handle) + m->seen,
                                   net_script_received_len(m->handle) - m->seen, &out, NULL);
    CHECK(used >= 0);
    m->seen += (size_t)used;
    net_script_send_bytes(m->handle, out.data, out.len);
    buf_release(&out);
}

static void turn(struct machine *m)
{
    ns_remote_step(m->remote);
    if (!m->hangs && net_script_newest() >= 2000)
        answer(m);
    ns_remote_step(m->remote);
}

/* As stats reads: again until it is there. */
static int open_sysstat(struct machine *m, struct ns_file **file)
{
    int r = -EINPROGRESS;
    for (int i = 0; i < 50 && r == -EINPROGRESS; i++) {
        r = ns_open(&m->ns, "#c/sysstat", NS_READ, file, NULL);
        ns_remote_send(m->remote);
        turn(m);
    }
    return r;
}

static long read_sysstat(struct machine *m, struct ns_file *file)
{
    char text[64];
    long n = -EINPROGRESS;
    for (int i = 0; i < 20 && n == -EINPROGRESS; i++) {
        n = ns_read(file, 0, text, sizeof text, NULL);
        ns_remote_send(m->remote);
        turn(m);
    }
    return n;
}

TEST(ns_remote_opens_and_reads_files)
{
    struct machine m;
    struct ns_file *file = NULL;
    begin(&m, NULL);
    CHECK_INT(ns_open(&m.ns, "#c/sysstat", NS_READ, &file, NULL), -EINPROGRESS);
    CHECK_INT(open_sysstat(&m, &file), 0);
    CHECK_INT(read_sysstat(&m, file), 6);
    CHECK_INT(ns_remote_reached(m.remote), 1);
    CHECK(!ns_remote_is_away(m.remote));
    CHECK_INT(ns_remote_wait_ms(m.remote), -1);
    ns_close(file);
    end(&m);
}

TEST(ns_remote_reconnects_and_reopens_its_files)
{
    struct machine m;
    struct ns_file *file = NULL;
    begin(&m, NULL);
    CHECK_INT(open_sysstat(&m, &file), 0);
    net_script_break(m.handle);
    ns_remote_step(m.remote);
    CHECK(ns_remote_is_away(m.remote));
    CHECK_STR(ns_remote_why(m.remote), "Connection reset by peer");
    CHECK(net_script_closed(m.handle));
    CHECK_INT(read_sysstat(&m, file), -ENOTCONN);
    ns_close(file);
    CHECK_INT(ns_open(&m.ns, "#c/sysstat", NS_READ, &file, NULL), -EINPROGRESS);
    CHECK_INT(open_sysstat(&m, &file), 0);
    CHECK_INT(read_sysstat(&m, file), 6);
    CHECK_INT(ns_remote_reached(m.remote), 2);
    CHECK(!ns_remote_why(m.remote));
    ns_close(file);
    end(&m);
}

TEST(ns_remote_closes_a_connection_that_times_out)
{
    struct machine m;
    struct ns_file *file = NULL;
    begin(&m, NULL);
    CHECK_INT(open_sysstat(&m, &file), 0);
    m.hangs = true;
    CHECK_INT(read_sysstat(&m, file), -EINPROGRESS);
    for (int i = 0; i < 200 && !ns_remote_is_away(m.remote); i++)
        ns_remote_step(m.remote);
    CHECK_STR(ns_remote_why(m.remote), "Connection timed out");
    m.hangs = false;
    ns_close(file);
    CHECK_INT(open_sysstat(&m, &file), 0);
    ns_close(file);
    end(&m);
}

/* Steps until the next failure: how long it waited before it dialled, to half a second. */
static long next_wait(struct machine *m)
{
    long ms = ns_remote_wait_ms(m->remote);
    long before = ms;
    for (int i = 0; i < 2000 && ms <= before; i++) {
        before = ms;
        ns_remote_step(m->remote);
        ms = ns_remote_wait_ms(m->remote);
    }
    return (ms + 250) / 500 * 500;
}

TEST(ns_remote_backs_off_while_dialling_fails)
{
    const long want[] = {2000, 4000, 8000, 16000, 30000, 30000};
    struct machine m;
    begin(&m, NULL);
    net_script_answers(false);
    ns_remote_step(m.remote);
    CHECK_STR(ns_remote_why(m.remote), "Connection refused");
    for (size_t i = 0; i < sizeof want / sizeof *want; i++)
        CHECK_INT(next_wait(&m), want[i]);
    CHECK_INT(ns_remote_reached(m.remote), 0);
    end(&m);
}

TEST(no_9p_is_a_reason)
{
    struct machine m;
    begin(&m, "telnet board");
    m.hangs = true;
    turn(&m);
    net_script_send_bytes(net_script_newest(), "Welcome to the board\n", 21);
    ns_remote_step(m.remote);
    CHECK(ns_remote_is_away(m.remote));
    CHECK_STR(ns_remote_why(m.remote), "no 9P: a reply's size");
    end(&m);
}

TEST(ns_remote_over_a_command)
{
    struct machine m;
    struct ns_file *file = NULL;
    begin(&m, "ssh board psuite export -");
    CHECK_INT(open_sysstat(&m, &file), 0);
    net_script_end(m.handle);
    ns_remote_step(m.remote);
    CHECK(!ns_remote_why(m.remote)); /* not before it has ended */
    ns_remote_step(m.remote);
    CHECK_STR(ns_remote_why(m.remote), "its command ended with status 137");
    ns_close(file);
    CHECK_INT(open_sysstat(&m, &file), 0);
    ns_close(file);
    end(&m);
}
