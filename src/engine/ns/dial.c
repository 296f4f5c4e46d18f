#include "engine/ns/dial.h"

#include "host_lookup.h"

#include "core/base/buf.h"
#include "plat/file.h"
#include "plat/net.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAX_CONF_BYTES = 1 << 16 };

static void read_conf(struct dns_conf *out)
{
    SCOPED_BUF text = BUF_INIT;
    file_read("/etc/resolv.conf", MAX_CONF_BYTES, &text, NULL);
    dns_conf_read(buf_str(&text), text.len, out);
}

static int start_lookup(struct dial *d)
{
    struct dns_conf conf;
    read_conf(&conf);
    d->lookup = malloc(sizeof *d->lookup);
    int r = d->lookup ? host_lookup_start(d->lookup, &conf, d->at.host) : -ENOMEM;
    if (r < 0) {
        free(d->lookup);
        d->lookup = NULL;
    }
    return r;
}

/* f describes a name that no server can be asked for. */
int dial_start(struct dial *d, const struct net_address *at, struct fail *f)
{
    char text[NET_TEXT_MAX + 1];
    *d = (struct dial){.at = *at};
    d->handle = net_connect(at, f);
    int r = d->handle < 0 ? d->handle : 0;
    if (r != -ENOENT || at->kind != NET_TCP)
        return r;
    r = start_lookup(d);
    if (r < 0 && r != -ENOENT) {
        net_address_text(at, text);
        fail_set(f, -r, "%.200s", text);
    }
    return r;
}

static void end_lookup(struct dial *d)
{
    if (!d->lookup)
        return;
    host_lookup_end(d->lookup);
    free(d->lookup);
    d->lookup = NULL;
}

void dial_end(struct dial *d)
{
    end_lookup(d);
    net_close(d->handle);
    d->handle = -1;
}

struct wait_on dial_wait(const struct dial *d)
{
    if (d->lookup)
        return datagram_wait(&d->lookup->question);
    return (struct wait_on){.handle = d->handle, .for_write = true};
}

static void address_text(const uint8_t *b, int len, char *out, size_t size)
{
    size_t at = 0;
    if (len == 4)
        snprintf(out, size, "%u.%u.%u.%u", b[0], b[1], b[2], b[3]);
    for (int i = 0; len == 16 && i < 16; i += 2)
        at += (size_t)snprintf(out + at, size - at, "%s%x", i ? ":" : "", b[i] << 8 | b[i + 1]);
}

/* The name's address is known: it is called. */
static int call_found(struct dial *d)
{
    uint8_t address[16];
    int len = host_lookup_step(d->lookup, address);
    if (len < 0)
        return len;
    end_lookup(d);
    address_text(address, len, d->at.host, sizeof d->at.host);
    d->handle = net_connect(&d->at, NULL);
    return d->handle < 0 ? d->handle : 0;
}

int dial_step(struct dial *d)
{
    int r = d->lookup ? call_found(d) : 0;
    return r < 0 ? r : net_connected(d->handle);
}
