#include "host_lookup.h"

#include <errno.h>

enum { ROUNDS = 2, TIMEOUT_MS = 1000, PORT = 53, MDNS_PORT = 5353 };
static const char mdns[] = "224.0.0.251";

static unsigned max_tries(const struct host_lookup *l)
{
    return ROUNDS * (dns_is_local(l->name) ? 1 : (unsigned)l->conf.servers);
}

/* On the local network the host itself answers, whatever its address. */
static int ask_once(struct host_lookup *l)
{
    uint8_t bytes[DNS_QUERY_MAX];
    bool local = dns_is_local(l->name);
    const struct datagram_target to = {
        .address = local ? mdns : l->conf.server[l->tries % l->conf.servers],
        .port = local ? MDNS_PORT : PORT,
        .any_sender = local,
        .timeout_ms = TIMEOUT_MS,
    };
    l->id = datagram_id();
    size_t len = dns_query(l->id, l->name, l->type, bytes);
    if (!len)
        return -ENOENT;
    datagram_send(&l->question, &to, bytes, len);
    return -EAGAIN;
}

int host_lookup_start(struct host_lookup *l, const struct dns_conf *conf, const char *host)
{
    *l = (struct host_lookup){.conf = *conf, .type = DNS_A};
    dns_qualified_name(conf, host, l->name);
    if (!conf->servers && !dns_is_local(l->name))
        return -ENOENT;
    datagram_open(&l->question);
    int r = ask_once(l);
    if (r == -EAGAIN)
        return 0;
    host_lookup_end(l);
    return r;
}

void host_lookup_end(struct host_lookup *l)
{
    datagram_close(&l->question);
}

/* --- answers --- */

static int ask_next(struct host_lookup *l)
{
    return ++l->tries < max_tries(l) ? ask_once(l) : -ECOMM;
}

/* A host that has no address of the one kind may have one of the other. */
static int ask_other_kind(struct host_lookup *l)
{
    if (l->type == DNS_AAAA)
        return -ENONET;
    l->type = DNS_AAAA;
    l->tries = 0;
    return ask_once(l);
}

/* -EPROTO: it is no answer to what was asked. */
static int handle_answer(struct host_lookup *l, const uint8_t *bytes, size_t len,
                         uint8_t address[16])
{
    int r = dns_answer(bytes, len, l->id, l->name, l->type, address);
    if (r == 0)
        return ask_other_kind(l);
    return r == -ENOENT ? -ENONET : r == -EAGAIN ? ask_next(l) : r;
}

int host_lookup_step(struct host_lookup *l, uint8_t address[16])
{
    uint8_t bytes[DNS_MESSAGE_MAX];
    int r;
    do {
        long n = datagram_read(&l->question, bytes, sizeof bytes);
        if (n == -EAGAIN)
            return -EAGAIN;
        r = n < 0 ? ask_next(l) : handle_answer(l, bytes, (size_t)n, address);
    } while (r == -EPROTO);
    return r;
}
