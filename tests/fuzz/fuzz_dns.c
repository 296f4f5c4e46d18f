/* An answer to a question of ours, and a resolv.conf: the first byte chooses. */
#include "fuzz.h"

#include "core/net/dns.h"

#include <string.h>

static void answer(const uint8_t *data, size_t len)
{
    uint8_t address[16], ask[DNS_QUERY_MAX], whole[DNS_MESSAGE_MAX + DNS_QUERY_MAX];
    size_t asked = dns_query(7, "board.lan", DNS_AAAA, ask);
    int n = dns_answer(data, len, 7, "board.lan", DNS_AAAA, address);
    if (n > 0 && n != 16)
        abort();
    if (len > DNS_MESSAGE_MAX || len < 3)
        return;
    memcpy(whole, ask, asked); /* the same behind a head that is right */
    memcpy(whole + asked, data, len);
    whole[2] |= 0x80;
    whole[7] = data[0];
    n = dns_answer(whole, asked + len, 7, "board.lan", DNS_AAAA, address);
    if (n > 0 && n != 16)
        abort();
}

static void conf(const char *text, size_t len)
{
    struct dns_conf c;
    char name[NET_HOST_MAX + 1];
    uint8_t ask[DNS_QUERY_MAX];
    dns_conf_read(text, len, &c);
    dns_qualified_name(&c, "board", name);
    if (c.servers > DNS_SERVERS_MAX || dns_query(1, name, DNS_A, ask) > DNS_QUERY_MAX)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    if (!len)
        return 0;
    if (data[0] & 1)
        conf((const char *)data + 1, len - 1);
    else
        answer(data + 1, len - 1);
    return 0;
}
