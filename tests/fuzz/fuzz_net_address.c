/* An address as it is typed: what is read is written so that it is read the same; and a hosts file,
 * the first line being the name that is looked for. */
#include "fuzz.h"

#include "core/net/address.h"

#include <stdio.h>

static void check_address(const char *text)
{
    struct net_address a, again;
    char out[NET_TEXT_MAX + 1];
    if (net_address_read(text, 80, &a, NULL) < 0)
        return;
    net_address_text(&a, out);
    if (net_address_read(out, 80, &again, NULL) < 0 || a.kind != again.kind ||
        a.port != again.port || strcmp(a.host, again.host) != 0 || strcmp(a.path, again.path) != 0)
        abort();
    if (a.kind == NET_TCP && !a.host[0])
        abort();
}

static void check_hosts(const char *text)
{
    char name[64], out[NET_HOST_MAX + 1];
    size_t len = strcspn(text, "\n");
    snprintf(name, sizeof name, "%.*s", (int)(len < 63 ? len : 63), text);
    if (net_hosts_find(text + len, strlen(text + len), name, out) &&
        !net_is_ipv4(out, strlen(out)) && !net_is_ipv6(out, strlen(out)))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    char *text = fuzz_text(bytes, len);
    check_address(text);
    check_hosts(text);
    free(text);
    return 0;
}
