#include "core/procfs/power_supply.h"

#include "core/base/scan.h"

#include <stdio.h>

/* -1: unknown. Some drivers report a negative current while discharging. */
static int64_t read_value(const char *text, const char *name)
{
    char key[64];
    int64_t v;
    snprintf(key, sizeof key, "POWER_SUPPLY_%s=", name);
    const char *s = scan_after(text, key);
    if (!s || !scan_i64(&s, &v) || v == INT64_MIN)
        return -1;
    return v < 0 ? -v : v;
}

static bool has_line(const char *text, const char *line)
{
    const char *s = scan_after(text, line);
    return s && (*s == '\n' || *s == '\0');
}

static int64_t share_pct(int64_t now, int64_t full)
{
    return now < 0 || full <= 0 ? -1
           : now >= full        ? 100
                                : (int64_t)((double)now * 100 / (double)full);
}

static int64_t level_pct(const char *text)
{
    int64_t pct = read_value(text, "CAPACITY");
    if (pct < 0)
        pct = share_pct(read_value(text, "ENERGY_NOW"), read_value(text, "ENERGY_FULL"));
    if (pct < 0)
        pct = share_pct(read_value(text, "CHARGE_NOW"), read_value(text, "CHARGE_FULL"));
    return pct > 100 ? 100 : pct;
}

static int64_t lasts_s(int64_t now, int64_t rate)
{
    double s = now >= 0 && rate > 0 ? (double)now * 3600 / (double)rate : -1;
    return s < 0 || s > 1e9 ? -1 : (int64_t)s;
}

static int64_t left_s(const char *text)
{
    if (!has_line(text, "POWER_SUPPLY_STATUS=Discharging"))
        return -1;
    int64_t s = read_value(text, "TIME_TO_EMPTY_NOW");
    if (s < 0)
        s = lasts_s(read_value(text, "ENERGY_NOW"), read_value(text, "POWER_NOW"));
    return s < 0 ? lasts_s(read_value(text, "CHARGE_NOW"), read_value(text, "CURRENT_NOW")) : s;
}

bool power_supply_parse(const char *text, struct power_supply *out)
{
    int64_t pct = level_pct(text);
    if (!has_line(text, "POWER_SUPPLY_TYPE=Battery") ||
        has_line(text, "POWER_SUPPLY_SCOPE=Device") || has_line(text, "POWER_SUPPLY_PRESENT=0") ||
        pct < 0)
        return false;
    *out = (struct power_supply){(unsigned)pct, left_s(text)};
    return true;
}
