#include "unit.h"

#include "core/base/buf.h"
#include "core/procfs/cgroup.h"

#include <string.h>

/* The files, a line each. */
static const char *files(const char *text)
{
    static struct buf out = BUF_INIT;
    buf_clear(&out);
    cgroup_memory_files(text, &out);
    for (size_t i = 0; i < out.len; i++)
        if (!out.data[i])
            out.data[i] = '\n';
    return buf_str(&out);
}

TEST(version_2_looks_at_the_group_and_its_parents)
{
    CHECK_STR(files("0::/a.slice/b.scope\n"), "/sys/fs/cgroup/a.slice/b.scope/memory.max\n"
                                              "/sys/fs/cgroup/a.slice/memory.max\n"
                                              "/sys/fs/cgroup/memory.max\n"
                                              "/sys/fs/cgroup/unified/a.slice/b.scope/memory.max\n"
                                              "/sys/fs/cgroup/unified/a.slice/memory.max\n"
                                              "/sys/fs/cgroup/unified/memory.max\n");
}

TEST(version_1_looks_at_the_memory_controller_alone)
{
    CHECK_STR(
        files("12:cpu,cpuacct:/c\n9:memory:/a\n3:hugetlb,memory:/\n2:name=memory:/b\n1:memoryx:/d"),
        "/sys/fs/cgroup/memory/a/memory.limit_in_bytes\n"
        "/sys/fs/cgroup/memory/memory.limit_in_bytes\n"
        "/sys/fs/cgroup/memory/memory.limit_in_bytes\n");
}

TEST(a_text_that_is_none_has_no_files)
{
    CHECK_STR(files(""), "");
    CHECK_STR(files("memory\n4:memory\n0::relative\n:\n::\n"), "");
}

TEST(cgroup_parents_are_bounded)
{
    struct buf text = BUF_INIT, out = BUF_INIT;
    buf_adds(&text, "4:memory:");
    for (int i = 0; i < 1000; i++)
        buf_adds(&text, "/a");
    cgroup_memory_files(buf_str(&text), &out);
    size_t count = 0;
    for (size_t i = 0; i < out.len; i++)
        count += !out.data[i];
    CHECK_INT(count, CGROUP_MAX_DEPTH);
    buf_release(&text);
    buf_release(&out);
}

TEST(a_limit_is_a_number_or_none)
{
    CHECK(cgroup_memory_limit("104857600\n") == 104857600);
    CHECK(cgroup_memory_limit("max\n") == UINT64_MAX);
    CHECK(cgroup_memory_limit("") == UINT64_MAX);
    CHECK(cgroup_memory_limit("99999999999999999999999\n") == UINT64_MAX);
}

/* The group, "none" where there is none. */
static const char *path_in(const char *text)
{
    static struct buf out = BUF_INIT;
    buf_clear(&out);
    return cgroup_path(text, &out) ? buf_str(&out) : "none";
}

TEST(a_process_has_the_group_of_version_2)
{
    CHECK_STR(path_in("0::/a.slice/b.scope\n"), "/a.slice/b.scope");
    CHECK_STR(path_in("4:memory:/m\n0::/two\n"), "/two");
    CHECK_STR(path_in("0::/\n"), "/");
    CHECK_STR(path_in("0::/with:colon\n"), "/with:colon");
}

TEST(without_one_it_has_the_first_of_version_1)
{
    CHECK_STR(path_in("9:pids:/\n4:memory:/m\n1:cpu:/c\n0::/\n"), "/m");
    CHECK_STR(path_in("0::/\n1:name=systemd:/s"), "/s");
    CHECK_STR(path_in("2:cpu:/\n1:memory:/"), "/");
    CHECK_STR(path_in("1:name=elogind:relative\nmemory\n:\n::\n"), "none");
    CHECK_STR(path_in(""), "none");
}
