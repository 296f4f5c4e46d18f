/* The uevent of a power supply. */
#include "fuzz.h"

#include "core/procfs/power_supply.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    char *text = fuzz_text(data, len);
    struct power_supply p;
    if (power_supply_parse(text, &p) && (p.left_pct > 100 || p.left_s < -1))
        abort();
    free(text);
    return 0;
}
