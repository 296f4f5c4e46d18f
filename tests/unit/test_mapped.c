#include "unit.h"

#include "core/perf/perfrec.h"
#include "core/sample/mapped.h"

#include <errno.h>

static const char maps[] = "00001000-00002000 r-xp 00000000 08:01 11 /lib/ld.so\n"
                           "00003000-00004000 rw-p 00000000 08:01 12 /bin/data\n"
                           "00005000-00006000 r-xp 00001000 08:01 13 /bin/prog\n"
                           "00007000-00008000 r-xp 00000000 00:00 0 [vdso]\n"
                           "00009000-0000a000 r-xp 00000000 00:00 0 \n";

/* "module+offset" at pc, or "-". */
static const char *at(const struct mapped *d, uint32_t pid, uint64_t pc)
{
    static char text[64];
    const struct space_map *m = spaces_find(&d->spaces, pid, pc);
    if (!m)
        return "-";
    snprintf(text, sizeof text, "%s+%" PRIx64, d->modules.module[m->module]->path,
             pc - m->start + m->file_offset);
    return text;
}

static const char *program(const struct mapped *d)
{
    const struct module *m = mapped_main(d);
    return m ? m->path : "-";
}

static void note_need(void *arg, struct module *m, uint32_t pid, uint64_t start, uint64_t end)
{
    snprintf(arg, 64, "%s %u %" PRIx64 "-%" PRIx64, m->path, pid, start, end);
}

TEST(maps_tell_code_and_the_program)
{
    struct mapped d;
    mapped_init(&d, 7);
    mapped_maps(&d, 7, "/bin/prog", maps);
    CHECK_INT(d.modules.count, 4);
    CHECK_STR(at(&d, 7, 0x1010), "/lib/ld.so+10");
    CHECK_STR(at(&d, 7, 0x3010), "-");
    CHECK_STR(at(&d, 7, 0x5010), "/bin/prog+1010");
    CHECK_STR(at(&d, 7, 0x7010), "[vdso]+10");
    CHECK_STR(at(&d, 7, 0x9010), "[anon]+9010");
    CHECK_STR(program(&d), "/bin/prog");
    mapped_release(&d);
}

TEST(only_the_process_itself_has_the_main_module)
{
    struct mapped d;
    mapped_init(&d, 7);
    mapped_maps(&d, 8, "/bin/prog", maps);
    CHECK_STR(program(&d), "-");
    mapped_maps(&d, 7, "/bin/unseen", maps);
    CHECK_STR(program(&d), "/lib/ld.so");
    mapped_release(&d);
}

TEST(a_new_module_is_asked_for_once)
{
    struct mapped d;
    char need[64] = "";
    struct module_identity any = {0};
    mapped_init(&d, 7);
    d.need_image = note_need;
    d.arg = need;
    mapped_add(&d, 7, &(struct space_map){0x1000, 0x2000, 0, 0}, "/bin/a", &any);
    CHECK_STR(need, "/bin/a 7 1000-2000");
    need[0] = '\0';
    mapped_add(&d, 8, &(struct space_map){0x3000, 0x4000, 0, 0}, "/bin/a", &any);
    CHECK_STR(need, "");
    CHECK_STR(at(&d, 8, 0x3001), "/bin/a+1");
    mapped_release(&d);
}

TEST(records_of_the_kernel_are_named_as_it_names_itself)
{
    static const struct {
        const char *told, *name;
    } all[] = {
        {"[kernel.kallsyms]_text", "[kernel]"},
        {"/lib/modules/6.1/net/ip-tables.ko.xz", "[ip_tables]"},
        {"[ext4]", "[ext4]"},
    };
    struct mapped d;
    mapped_init(&d, 7);
    for (uint64_t i = 0; i < 3; i++) {
        struct perfrec r = {.type = PERFREC_MMAP, .pid = MAPPED_KERNEL, .map.executable = true};
        struct mapped_code code;
        r.name = all[i].told;
        r.map.start = (i + 1) << 20;
        r.map.len = 0x1000;
        mapped_add_record(&d, &r);
        CHECK(mapped_kernel_at(&d, all[i].name, &code));
        CHECK_INT(code.start, (i + 1) << 20);
        CHECK_INT(code.end, ((i + 1) << 20) + 0x1000);
    }
    CHECK(!mapped_kernel_named(&d, "[xfs]"));
    mapped_release(&d);
}

TEST(an_exec_forgets_and_a_fork_copies)
{
    struct mapped d;
    struct perfrec map = {
        .type = PERFREC_MMAP2, .pid = 7, .name = "/bin/a", .map.executable = true};
    struct perfrec fork = {.type = PERFREC_FORK, .pid = 9, .ppid = 7};
    struct perfrec exec = {.type = PERFREC_COMM, .pid = 7, .exec = true, .name = "b"};
    map.map.start = 0x1000;
    map.map.len = 0x1000;
    mapped_init(&d, 7);
    mapped_add_record(&d, &map);
    CHECK_STR(program(&d), "/bin/a");
    mapped_add_record(&d, &fork);
    mapped_add_record(&d, &exec);
    CHECK_STR(program(&d), "-");
    CHECK_STR(at(&d, 7, 0x1000), "-");
    CHECK_STR(at(&d, 9, 0x1000), "/bin/a+0");
    mapped_release(&d);
}

TEST(processes_outside_the_pid_namespace_have_no_mappings)
{
    struct mapped d;
    struct perfrec map = {.type = PERFREC_MMAP2,
                          .map.executable = true,
                          .pid = 0,
                          .map.start = 0x1000,
                          .map.len = 0x1000,
                          .name = "/bin/outside"};
    struct perfrec exec = {.type = PERFREC_COMM, .exec = true, .pid = 0, .name = "outside"};
    mapped_init(&d, 0);
    mapped_kernel(&d, 0xffff0000, 0xffff8000, "[kernel]");
    d.main_module = 0;
    mapped_add_record(&d, &map);
    mapped_add_record(&d, &exec);
    CHECK_STR(at(&d, 0, 0x1010), "-");
    CHECK_STR(program(&d), "[kernel]");
    mapped_release(&d);
}

TEST(modules_without_end_are_an_error_and_no_more)
{
    struct mapped d;
    mapped_init(&d, 7);
    while (d.modules.count < MAPPED_MAX_MODULES - 1)
        module_append(&d.modules, "[m]", &(struct module_identity){0});
    mapped_kernel(&d, 0x1000, 0x2000, "[last]");
    CHECK_INT(d.err, 0);
    mapped_kernel(&d, 0x2000, 0x3000, "[one more]");
    CHECK_INT(d.err, -ENOMEM);
    CHECK_INT(d.modules.count, MAPPED_MAX_MODULES);
    CHECK_STR(at(&d, MAPPED_KERNEL, 0x2000), "-");
    CHECK_STR(at(&d, MAPPED_KERNEL, 0x1000), "[last]+1000");
    mapped_release(&d);
}
