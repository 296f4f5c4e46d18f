/* /proc/net/wireless, /proc/net/dev and /proc/net/route as text. */
#include "fuzz.h"

#include "core/procfs/net_dev.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    char *text = fuzz_text(data, len), name[NET_NAME_MAX + 1];
    struct net_wireless w;
    struct net_counts c;
    struct net_bytes n;
    for (const char *at = text; net_bytes_next(&at, &n);)
        if (!n.name[0] || strlen(n.name) > NET_NAME_MAX)
            abort();
    net_counts_parse(text, "wlan0", &c);
    if (net_wireless_parse(text, "wlan0", &w) && (w.signal_dbm > 0 || w.signal_dbm < -256))
        abort();
    if (net_default_route(text, name) && (!name[0] || strlen(name) > NET_NAME_MAX))
        abort();
    free(text);
    return 0;
}
