/*
 * #l0, what ether(3) tells of network interfaces: a directory for each by its own name, and ether0,
 * the one of the default route (/proc/net/route), else the first that is none
 * of the machine's own. In each: stats    of /proc/net/dev and /sys/class/net/NAME: packets in,
 * whether there is a link, packets out; errors in: crc, overflows (over), soft overflows (fifo and
 * missed), framing (and length), buffer (dropped); errors out; prom: it takes all packets; mbps,
 * where it is known; the address ifstats  of a wireless one: link, signal and noise in dBm, from
 * /proc/net/wireless
 */
#include "dev.h"

#include "core/containers/intern.h"
#include "core/procfs/counters.h"
#include "core/procfs/net_dev.h"
#include "plat/clock.h"
#include "plat/sysfile.h"
#include "sys.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_INTERFACES = 4096, FIRST = 1, PROMISCUOUS = 0x100 };

struct interface {
    char name[NET_NAME_MAX + 1]; /* the rest is zero */
};

/* What is read rarely, the interface it is of and the time it was read. */
struct cached {
    struct interface of;
    struct net_counts bad; /* packets 0 */
    uint64_t read_ns;
    int64_t link;
    struct buf text; /* empty: nothing yet */
};

/* Directory FIRST is ether0, the others are FIRST + 1 + their index in the table. */
struct ether {
    struct intern interfaces; /* names, once seen */
    struct buf listed;
    struct cached cached;
};

/* --- files of an interface --- */

static void path_of(const char *interface, const char *file, char out[128])
{
    snprintf(out, 128, "/sys/class/net/%s/%s", interface, file);
}

static bool read_word(const char *interface, const char *file, struct buf *out)
{
    char path[128];
    path_of(interface, file, path);
    return sys_word(path, out);
}

static int64_t read_number(const char *interface, const char *file)
{
    SCOPED_BUF text = BUF_INIT;
    int64_t v = 0;
    if (!read_word(interface, file, &text) || !kernel_number(buf_str(&text), &v))
        v = 0;
    return v;
}

static int64_t read_statistic(const char *interface, const char *name)
{
    char file[64];
    snprintf(file, sizeof file, "statistics/%s", name);
    return read_number(interface, file);
}

static bool is_there(const char *interface)
{
    SCOPED_BUF text = BUF_INIT;
    return read_word(interface, "ifindex", &text);
}

/* --- which is ether0 --- */

static bool find_by_route(struct interface *out)
{
    SCOPED_BUF text = BUF_INIT;
    return sysfile_text("/proc/net/route", &text, NULL) == 0 &&
           net_default_route(buf_str(&text), out->name);
}

/* It has a device. */
static bool is_device(const char *interface)
{
    SCOPED_BUF names = BUF_INIT;
    char path[128];
    path_of(interface, "device", path);
    return sysfile_names(path, 1, &names, NULL) == 0;
}

static bool find_first_device(struct interface *out)
{
    SCOPED_BUF names = BUF_INIT;
    sysfile_names("/sys/class/net", MAX_INTERFACES, &names, NULL);
    for (size_t at = 0; at < names.len && !out->name[0]; at += strlen(names.data + at) + 1)
        if (strlen(names.data + at) <= NET_NAME_MAX && is_device(names.data + at))
            strcpy(out->name, names.data + at);
    return out->name[0];
}

static int interface_of(const struct ether *e, uint64_t directory, struct interface *out,
                        struct fail *f)
{
    *out = (struct interface){""};
    if (directory == FIRST)
        return find_by_route(out) || find_first_device(out)
                   ? 0
                   : dev_absent_in_sys(f, "no network interface with a device");
    *out = ((const struct interface *)e->interfaces.record)[directory - FIRST - 1];
    return is_there(out->name) ? 0 : fail_set(f, ENOENT, "interface %s", out->name);
}

/* --- the files --- */

static void add_number(const char *label, int64_t v, struct buf *out)
{
    buf_printf(out, "%s: %" PRId64 "\n", label, v);
}

/* Without the colons. */
static void add_address(const char *interface, struct buf *out)
{
    SCOPED_BUF text = BUF_INIT;
    if (read_word(interface, "address", &text)) {
        buf_adds(out, "addr: ");
        for (const char *s = buf_str(&text); *s; s++)
            if (isxdigit((unsigned char)*s))
                buf_addc(out, *s);
        buf_addc(out, '\n');
    }
}

static bool is_promiscuous(const char *interface)
{
    SCOPED_BUF text = BUF_INIT;
    bool is =
        read_word(interface, "flags", &text) && strtoul(buf_str(&text), NULL, 16) & PROMISCUOUS;
    return is;
}

static void add_details(const char *name, struct buf *out)
{
    add_number("crc errs", read_statistic(name, "rx_crc_errors"), out);
    add_number("overflows", read_statistic(name, "rx_over_errors"), out);
    add_number("soft overflows",
               read_statistic(name, "rx_fifo_errors") + read_statistic(name, "rx_missed_errors"),
               out);
    add_number("framing errs",
               read_statistic(name, "rx_frame_errors") + read_statistic(name, "rx_length_errors"),
               out);
    add_number("buffer errs", read_statistic(name, "rx_dropped"), out);
    add_number("output errs", read_statistic(name, "tx_errors"), out);
    add_number("prom", is_promiscuous(name), out);
    int64_t mbps = read_number(name, "speed");
    if (mbps > 0)
        add_number("mbps", mbps, out);
    add_address(name, out);
}

/* Errors are always current; the link, the mode and the like may be as old as this. */
#define CACHE_NS 5000000000u

static bool is_fresh(const struct cached *t, const struct cached *now)
{
    return t->text.len && now->read_ns - t->read_ns < CACHE_NS &&
           !memcmp(&t->of, &now->of, sizeof t->of) && !memcmp(&t->bad, &now->bad, sizeof t->bad);
}

/* A dozen files, which are read again only when an error is new, or after a while. */
static const struct cached *refresh_details(struct cached *t, const struct cached *now)
{
    struct buf text = t->text;
    if (is_fresh(t, now))
        return t;
    buf_clear(&text);
    *t = *now;
    t->text = text;
    t->link = read_number(t->of.name, "carrier");
    add_details(t->of.name, &t->text);
    return t;
}

static bool counts_of(const char *interface, struct net_counts *out)
{
    SCOPED_BUF text = BUF_INIT;
    return sysfile_text("/proc/net/dev", &text, NULL) == 0 &&
           net_counts_parse(buf_str(&text), interface, out);
}

static int show_stats(void *device, uint64_t directory, struct buf *out, struct fail *f)
{
    struct ether *e = device;
    struct cached now;
    struct net_counts counts = {0};
    memset(&now, 0, sizeof now);
    int r = interface_of(e, directory, &now.of, f);
    if (r < 0)
        return r;
    const char *name = now.of.name;
    if (!counts_of(name, &counts)) {
        counts.in = (uint64_t)read_statistic(name, "rx_packets");
        counts.out = (uint64_t)read_statistic(name, "tx_packets");
        e->cached.text.len = 0;
    }
    now.bad = counts;
    now.bad.in = now.bad.out = 0;
    now.read_ns = clock_mono_ns();
    const struct cached *told = refresh_details(&e->cached, &now);
    add_number("in", (int64_t)counts.in, out);
    add_number("link", told->link, out);
    add_number("out", (int64_t)counts.out, out);
    buf_add(out, told->text.data, told->text.len);
    return 0;
}

static int show_ifstats(void *device, uint64_t directory, struct buf *out, struct fail *f)
{
    SCOPED_BUF text = BUF_INIT;
    struct interface i;
    struct net_wireless w;
    int r = interface_of(device, directory, &i, f);
    if (r == 0 && sysfile_text("/proc/net/wireless", &text, NULL) < 0)
        r = dev_absent(f, "%s: no /proc/net/wireless (CONFIG_CFG80211_WEXT)", i.name);
    if (r == 0 && !net_wireless_parse(buf_str(&text), i.name, &w))
        r = dev_absent(f, "%s is not a wireless interface", i.name);
    if (r == 0)
        buf_printf(out, "Signal: %ld\nNoise: %ld\nLink: %ld\n", w.signal_dbm, w.noise_dbm, w.link);
    return r;
}

/* --- directories --- */

static int number_of(struct ether *e, const char *name, uint64_t *directory)
{
    struct interface key = {""};
    strcpy(key.name, name);
    uint32_t i = intern_find(&e->interfaces, &key);
    if (i == INTERN_NONE && e->interfaces.count < MAX_INTERFACES)
        i = intern(&e->interfaces, &key);
    *directory = FIRST + 1 + (uint64_t)i;
    return i == INTERN_NONE ? -ENOSPC : 0;
}

static bool is_sound(const char *name)
{
    return strlen(name) <= NET_NAME_MAX && name[0] != '.' && !strchr(name, '/');
}

static int find_interface(void *device, const char *name, uint64_t *directory, struct fail *f)
{
    int r = strcmp(name, "ether0") == 0        ? 0
            : is_sound(name) && is_there(name) ? number_of(device, name, directory)
                                               : -ENOENT;
    if (strcmp(name, "ether0") == 0)
        *directory = FIRST;
    return r < 0 ? fail_set(f, -r, "%s", name) : 0;
}

/* ether0, then all. */
static int find_nth_interface(void *device, size_t index, uint64_t *directory, struct fail *f)
{
    struct ether *e = device;
    size_t at = 0;
    *directory = FIRST;
    if (index == 0) {
        buf_clear(&e->listed);
        sysfile_names("/sys/class/net", MAX_INTERFACES, &e->listed, NULL);
        return 1;
    }
    for (; at < e->listed.len; at += strlen(e->listed.data + at) + 1)
        if (is_sound(e->listed.data + at) && --index == 0) {
            int r = number_of(e, e->listed.data + at, directory);
            return r < 0 ? fail_set(f, -r, "%s", e->listed.data + at) : 1;
        }
    return 0;
}

static int name_of(void *device, uint64_t directory, char out[NS_NAME_MAX + 1], struct fail *f)
{
    const struct ether *e = device;
    if (directory - FIRST > e->interfaces.count)
        return fail_set(f, ENOENT, "interface");
    strcpy(out, directory == FIRST
                    ? "ether0"
                    : ((const struct interface *)e->interfaces.record)[directory - FIRST - 1].name);
    return 0;
}

static int start_ether(void *device)
{
    struct ether *e = device;
    e->interfaces = (struct intern)INTERN_OF(struct interface);
    return 0;
}

static void free_ether(void *device)
{
    struct ether *e = device;
    intern_release(&e->interfaces);
    buf_release(&e->listed);
    buf_release(&e->cached.text);
}

static const struct dev_file inner[] = {
    {.name = "ifstats", .mode = 0444, .text = show_ifstats},
    {.name = "stats", .mode = 0444, .text = show_stats},
    {.name = NULL},
};
static const char *const names[] = {"#l0", "#l", "/net", NULL};

const struct dev dev_ether = {.names = names,
                              .inner = inner,
                              .bytes = sizeof(struct ether),
                              .start = start_ether,
                              .end = free_ether,
                              .find = find_interface,
                              .nth = find_nth_interface,
                              .name = name_of};
