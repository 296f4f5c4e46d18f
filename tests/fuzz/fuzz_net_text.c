/* /proc/net/wireless and /proc/net/route as text. */
#include "fuzz.h"

#include "core/net_text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    char *text = fuzz_text(data, len), name[NET_NAME_MOST + 1];
    struct net_wireless w;
    if (net_wireless_parse(text, "wlan0", &w) && (w.signal_dbm > 0 || w.signal_dbm < -256))
        abort();
    if (net_default_route(text, name) && (!name[0] || strlen(name) > NET_NAME_MOST))
        abort();
    free(text);
    return 0;
}
