/* Devices as whoever serves them uses them: files kept open, several readers, work in between.
 * Without a scenario the fake platform has no /proc, and samples nothing. */
#include "unit.h"

#include "core/base/bytes.h"
#include "dev/devices.h"

#include <errno.h>
#include <stdlib.h>

/* The kernel that kprof is tested on. */
BEFORE(play)
{
    char path[512];
    snprintf(path, sizeof path, "%s/applets/kprof/whole.scenario", unit_folder());
    setenv("PSUITE_FAKE", path, 1);
}

static int give(struct ns *ns, const char *name, const char *text, struct fail *f)
{
    struct ns_file *file;
    int r = ns_open(ns, name, NS_WRITE, &file, f);
    if (r < 0)
        return r;
    r = (int)ns_write(file, 0, text, strlen(text), f);
    ns_close(file);
    return r;
}

TEST(files_of_devices_that_are_only_read_or_written)
{
    struct ns ns = NS_INIT;
    struct ns_file *file;
    struct fail f;
    char bytes[64];
    CHECK_INT(devices_bind(&ns, &f), 0);
    CHECK_INT(ns_open(&ns, "#c/time", NS_BOTH, &file, &f), -EACCES);
    CHECK_INT(ns_open(&ns, "#c/time", NS_READ, &file, &f), 0);
    CHECK_INT(ns_read(file, 0, bytes, 12, &f), 12);
    CHECK(memcmp(bytes, " 1700568000 ", 12) == 0);
    CHECK_INT(ns_read(file, 1000, bytes, 12, &f), 0);
    CHECK_INT(ns_read(file, UINT64_MAX, bytes, 12, &f), 0);
    ns_close(file);
    CHECK_INT(give(&ns, "#K/kpctl", "walk", &f), -EINVAL);
    CHECK_STR(ns_error(&f), "bad process or channel control request");
    CHECK_INT(give(&ns, "#K/kpctl", "stop\n", &f), 5); /* what does not run */
    ns_release(&ns);
}

TEST(a_text_is_made_anew_when_it_is_read_from_its_start)
{
    struct ns ns = NS_INIT;
    struct ns_file *file, *other;
    struct fail f;
    char first[88], again[88], beside[88];
    CHECK_INT(devices_bind(&ns, &f), 0);
    CHECK_INT(ns_open(&ns, "#c/time", NS_READ, &file, &f), 0);
    CHECK_INT(ns_open(&ns, "/dev/time", NS_READ, &other, &f), 0);
    CHECK_INT(ns_read(other, 0, beside, sizeof beside, &f), 78);
    CHECK_INT(ns_read(file, 0, first, sizeof first, &f), 78);
    CHECK_INT(ns_read(file, 0, again, sizeof again, &f), 78); /* the clock went on */
    CHECK(memcmp(first, again, 78) != 0);
    CHECK_INT(ns_read(other, 34, beside + 34, 44, &f), 44); /* its own, as it was */
    CHECK(memcmp(beside, again, 78) != 0);
    ns_close(file);
    ns_close(other);
    ns_release(&ns);
}

TEST(a_profile_lives_until_the_name_space_is_released)
{
    struct ns ns = NS_INIT;
    struct ns_file *file, *other;
    struct fail f;
    char byte[4];
    CHECK_INT(devices_bind(&ns, &f), 0);
    CHECK_INT(ns_run_timers(&ns), -1);
    CHECK_INT(ns_open(&ns, "#K/kpdata", NS_READ, &file, &f), -EINVAL);
    CHECK_STR(ns_error(&f), "kprof is not started");
    CHECK_INT(give(&ns, "#K/kpctl", "start", &f), 5);
    CHECK(ns_run_timers(&ns) > 0);
    CHECK_INT(give(&ns, "#K/kpctl", "start", &f), 5); /* runs already */
    CHECK_INT(ns_open(&ns, "#K/kpdata", NS_READ, &file, &f), 0);
    CHECK_INT(ns_open(&ns, "/dev/kpdata", NS_READ, &other, &f), 0);
    CHECK_INT(ns_read(file, 2, byte, sizeof byte, &f), -EINVAL);
    CHECK_INT(ns_read(file, 0, byte, sizeof byte, &f), 4);
    CHECK(get_be32(byte) > 0);
    uint32_t ticks = get_be32(byte);
    CHECK_INT(give(&ns, "#K/kpctl", "stop", &f), 4);
    CHECK_INT(ns_run_timers(&ns), -1);
    CHECK_INT(ns_read(other, 0, byte, sizeof byte, &f), 4);
    CHECK_INT(get_be32(byte), ticks);
    ns_close(file);
    ns_close(other);
    CHECK_INT(give(&ns, "#K/kpctl", "start", &f), 5); /* adds: the script plays once more */
    CHECK(ns_run_timers(&ns) > 0);
    CHECK_INT(ns_open(&ns, "#K/kpdata", NS_READ, &file, &f), 0);
    CHECK_INT(ns_read(file, 0, byte, sizeof byte, &f), 4);
    CHECK_INT(get_be32(byte), 2 * ticks);
    ns_close(file);
    CHECK_INT(give(&ns, "#K/kpctl", "startclr", &f), 8);
    CHECK(ns_run_timers(&ns) > 0);
    CHECK_INT(ns_open(&ns, "#K/kpdata", NS_READ, &file, &f), 0);
    CHECK_INT(ns_read(file, 0, byte, sizeof byte, &f), 4);
    CHECK_INT(get_be32(byte), ticks);
    ns_close(file);
    ns_release(&ns);
    CHECK_INT(ns_run_timers(&ns), -1);
}
