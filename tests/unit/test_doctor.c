#include "unit.h"

#include "core/base/buf.h"
#include "core/doctor/doctor.h"

#include <errno.h>

/* A machine of the facts `KEY VALUE' or `KEY !' with EACCES, ended by NULL. */
static struct facts facts_of(const char *const *line)
{
    struct facts fs = FACTS_INIT;
    for (; *line; line++) {
        char key[64];
        size_t len = strcspn(*line, " ");
        const char *value = *line + len + ((*line)[len] == ' ');
        snprintf(key, sizeof key, "%.*s", (int)len, *line);
        if (*value == '!')
            facts_fail(&fs, key, -EACCES);
        else
            facts_add(&fs, key, value, strlen(value));
    }
    return fs;
}

#define WITH_MACHINE(...)                                                                          \
    const char *const lines_[] = {__VA_ARGS__, NULL};                                              \
    struct facts facts = facts_of(lines_);                                                         \
    struct machine m;                                                                              \
    machine_init(&m, &facts)

#define END_MACHINE                                                                                \
    machine_release(&m);                                                                           \
    facts_release(&facts)

TEST(the_setting_is_blamed_when_it_forbids)
{
    WITH_MACHINE("perf.kernel !", "perf_event_paranoid 2", "status CapEff: 0\nSeccomp: 2");
    struct finding f = find_perf_kernel(&m);
    CHECK(!f.ok && f.privilege);
    CHECK_STR(f.why, "perf_event_paranoid is 2");
    CHECK_STR(f.remedy, "sysctl kernel.perf_event_paranoid=1");
    END_MACHINE;
}

TEST(a_container_is_blamed_when_the_setting_allows)
{
    WITH_MACHINE("perf.user !", "perf_event_paranoid 1", "status CapEff: 0\nSeccomp: 2");
    struct finding f = find_perf_user(&m);
    CHECK(strstr(f.why, "seccomp") && strstr(f.remedy, "docker"));
    CHECK(!f.privilege);
    END_MACHINE;
}

TEST(hidden_names_are_hidden_however_the_last_line_is_cut)
{
    const char *const cut[] = {"kallsyms 0000 T a\n0000 t", "kallsyms 0000 T a\n00",
                               "kallsyms 0000 T a\n0000 t b\n0000"};
    for (size_t i = 0; i < sizeof cut / sizeof *cut; i++) {
        WITH_MACHINE(cut[i], "kptr_restrict 2");
        CHECK_STR(find_kernel_names(&m).why, "kptr_restrict is 2");
        END_MACHINE;
    }
    WITH_MACHINE("kallsyms 0000 T a\n00c", "kptr_restrict 2");
    CHECK(find_kernel_names(&m).ok);
    END_MACHINE;
}

TEST(programs_are_sampled_by_ptrace_without_perf_events)
{
    WITH_MACHINE("uid 1000", "perf.user !", "perf.other !", "perf_event_paranoid 3", "ptrace ",
                 "status CapEff: 0");
    CHECK_STR(find_sampling(&m).how, "ptrace");
    CHECK(!find_sampling_others(&m).ok);
    END_MACHINE;
}

TEST(with_CAP_SYS_PTRACE_those_of_others_too)
{
    WITH_MACHINE("uid 0", "perf.user !", "perf.other !", "ptrace ", "status CapEff: 80000");
    CHECK_STR(find_sampling_others(&m).how, "ptrace");
    END_MACHINE;
}

TEST(tracefs_below_a_missing_sys)
{
    WITH_MACHINE("uid 0", "sysfs !", "filesystems nodev\tsysfs\nnodev\ttracefs", "tracefs !");
    CHECK_STR(find_tracefs(&m).remedy, "mkdir -p /sys && mount -t sysfs sysfs /sys && "
                                       "mount -t tracefs tracefs /sys/kernel/tracing");
    END_MACHINE;
}

TEST(tracefs_need_not_be_mounted_for_root)
{
    WITH_MACHINE("uid 0", "tracefs private", "tracefs.tracers nop", "tracefs.instances ",
                 "filesystems nodev\ttracefs");
    struct finding f = find_tracefs(&m);
    CHECK(f.ok);
    CHECK_STR(f.how, "not mounted; psuite uses a private mount");
    END_MACHINE;
}

TEST(a_user_whom_tracefs_is_not_mounted_for_needs_root)
{
    WITH_MACHINE("uid 1000", "tracefs !", "filesystems nodev\ttracefs");
    struct finding f = find_tracefs(&m);
    CHECK(!f.ok && f.privilege);
    CHECK_STR(f.remedy, "run as root");
    END_MACHINE;
}

TEST(root_in_a_container_that_may_not_mount_needs_the_host)
{
    WITH_MACHINE("uid 0", "tracefs !", "filesystems nodev\ttracefs");
    struct finding f = find_tracefs(&m);
    CHECK(!f.ok && !f.privilege);
    CHECK_STR(f.remedy, "mount -t tracefs tracefs /sys/kernel/tracing");
    END_MACHINE;
}

TEST(fuse_need_not_have_a_device_file_for_root)
{
    WITH_MACHINE("uid 0", "fuse private");
    CHECK(find_fuse(&m).ok && strstr(find_fuse(&m).how, "no /dev/fuse"));
    END_MACHINE;
}

TEST(lockdown_is_blamed_after_that)
{
    WITH_MACHINE("perf.all !", "perf_event_paranoid 0",
                 "lockdown none integrity [confidentiality]");
    CHECK(strstr(find_perf_all(&m).remedy, "lockdown=integrity"));
    CHECK(!find_lockdown(&m).ok);
    END_MACHINE;
}

TEST(perf_all_needs_the_lowest_setting)
{
    WITH_MACHINE("perf.all !", "perf_event_paranoid 1");
    CHECK_STR(find_perf_all(&m).remedy, "sysctl kernel.perf_event_paranoid=0");
    END_MACHINE;
}

TEST(a_counter_that_stays_at_0_does_not_count)
{
    WITH_MACHINE("perf.cycles 0", "perf.instructions 0");
    CHECK_STR(find_cycles(&m).why, "cycles open but stay at 0");
    END_MACHINE;
}

TEST(cycles_alone_count)
{
    WITH_MACHINE("perf.cycles 5", "perf.instructions 0",
                 "pmus armv7_cortex_a15 breakpoint cpum_cf software");
    CHECK_STR(find_cycles(&m).how, "cycles only");
    CHECK_STR(find_pmu(&m).how, "armv7_cortex_a15: cycles only");
    END_MACHINE;
}

TEST(modules_are_known_by_the_configuration_or_the_list)
{
    WITH_MACHINE("config CONFIG_FUSE_FS=m\nCONFIG_NET_9P=y", "fuse !",
                 "modules.dep kernel/fs/9p/9p.ko.xz:", "release 6.1.0");
    CHECK_STR(lacking_option(&m, "FUSE_FS", "fuse").remedy, "modprobe fuse");
    CHECK_STR(find_9p(&m).remedy, "modprobe -a 9p 9pnet_fd");
    CHECK_STR(lacking_option(&m, "KPROBES", NULL).why, "not built into this kernel");
    CHECK_STR(find_fuse(&m).remedy, "chmod 666 /dev/fuse");
    END_MACHINE;
}

TEST(addresses_of_zero_are_hidden_names)
{
    WITH_MACHINE("kallsyms 00000000 T a\n00000000 t b", "kptr_restrict 2", "perf_event_paranoid 1");
    CHECK_STR(find_kernel_names(&m).remedy, "sysctl kernel.kptr_restrict=0");
    END_MACHINE;
}

TEST(one_address_shows_names)
{
    WITH_MACHINE("kallsyms 00000000 A a\nc0008000 T b\nc00");
    CHECK(find_kernel_names(&m).ok);
    END_MACHINE;
}

TEST(releases_compare_by_number)
{
    WITH_MACHINE("release 5.10.0-rc1");
    CHECK(machine_since(&m, 5, 8));
    CHECK(machine_since(&m, 4, 20));
    CHECK(!machine_since(&m, 5, 11));
    CHECK(!machine_since(&m, 6, 1));
    END_MACHINE;
}

TEST(perfmon_or_admin_is_privilege)
{
    WITH_MACHINE("status CapEff:\t0000004000000000\nSeccomp:\t0");
    CHECK(machine_privileged(&m));
    END_MACHINE;
}

TEST(doctor_verdict_is_yes_partly_or_no)
{
    struct verdict v = {.n = 0};
    CHECK_STR(verdict_word(&v), "yes");
    ability(&v, NEEDED, "a", found("x"));
    CHECK_STR(verdict_word(&v), "yes");
    ability(&v, EXTRA, "b", lacking("y"));
    CHECK_STR(verdict_word(&v), "partly");
    ability(&v, NEEDED, "c", with(lacking("y"), "z"));
    CHECK_STR(verdict_word(&v), "no");
    for (int i = 0; i < 2 * ABILITIES; i++)
        ability(&v, EXTRA, "more", found("x"));
    CHECK_INT(v.n, ABILITIES);
}

TEST(nothing_known_is_still_a_report)
{
    struct facts facts = FACTS_INIT;
    struct buf text = BUF_INIT, json = BUF_INIT;
    CHECK_INT(doctor_text(&facts, NULL, DOCTOR_VERBOSE, &text), 0);
    CHECK_INT(doctor_json(&facts, NULL, &json), 0);
    CHECK(strstr(buf_str(&text), "tprof    no "));
    CHECK(strstr(buf_str(&json), "\"name\":\"tprof\",\"works\":\"no\""));
    buf_release(&text);
    buf_release(&json);
}

TEST(long_facts_are_cut_not_overrun)
{
    struct facts facts = FACTS_INIT;
    struct buf text = BUF_INIT;
    char big[4000];
    memset(big, 'x', sizeof big);
    static const char *const keys[] = {
        "release", "machine",  "cpus",     "uid",     "nofile",       "perf_event_paranoid", "pmus",
        "status",  "kallsyms", "lockdown", "tracefs", "counter.name", "config.path"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        facts_add(&facts, keys[i], big, sizeof big);
    CHECK_INT(doctor_text(&facts, NULL, DOCTOR_VERBOSE, &text), 0);
    CHECK(text.len < 6000);
    buf_release(&text);
    facts_release(&facts);
}

TEST(what_is_built_in_needs_no_option)
{
    WITH_MACHINE("config CONFIG_USER_NS=y");
    struct finding f = lacking_option(&m, "USER_NS", NULL);
    CHECK(!f.ok && !f.remedy[0]);
    END_MACHINE;
}
