/* The table of modules: which of a path is found, and after others have left. */
#include "unit.h"

#include "core/symbol/module.h"

static struct module *of(struct modules *t, const char *path, uint64_t inode)
{
    return module_intern(t, path, &(struct module_identity){.inode = inode}, NULL);
}

TEST(the_first_that_may_be_meant_is_found)
{
    struct modules t = {0};
    CHECK_INT(of(&t, "/bin/a", 1)->id, 0);
    CHECK_INT(of(&t, "/bin/b", 1)->id, 1);
    CHECK_INT(of(&t, "/bin/a", 2)->id, 2);
    CHECK_INT(of(&t, "/bin/a (deleted)", 3)->id, 3);
    CHECK_INT(of(&t, "/bin/a", 2)->id, 2);
    CHECK_INT(of(&t, "/bin/a", 3)->id, 3);
    CHECK_INT(of(&t, "/bin/a", 0)->id, 0);
    CHECK_INT(of(&t, "/bin/", 0)->id, 4);
    CHECK_INT(t.count, 5);
    modules_release(&t);
}

/* Shared memory without a name is a file that the kernel calls /dev/zero. */
TEST(memory_without_a_file_has_one_name)
{
    static const char *const paths[] = {"", "//anon", "/dev/zero", "/dev/zero (deleted)"};
    struct modules t = {0};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        CHECK(module_path_is_private(paths[i]));
        CHECK_STR(of(&t, paths[i], 0)->path, "[anon]");
    }
    CHECK(!module_path_is_private("/dev/zeros"));
    CHECK_STR(of(&t, "/dev/zeros", 0)->path, "/dev/zeros");
    CHECK_INT(t.count, 2);
    modules_release(&t);
}

/* Every third of many leaves; each path has two. */
TEST(modules_are_found_after_others_left)
{
    enum { PATHS = 3000, COUNT = 2 * PATHS };
    struct modules t = {0};
    static uint32_t to[COUNT];
    static struct module *gone[COUNT];
    char path[32];
    uint32_t next = 0;
    for (unsigned i = 0; i < COUNT; i++) {
        snprintf(path, sizeof path, "/lib/%u", i % PATHS);
        CHECK_INT(of(&t, path, 1 + i)->id, i);
        to[i] = i % 3 ? next++ : UINT32_MAX;
        gone[i] = t.module[i];
    }
    modules_renumber(&t, to);
    CHECK_INT(t.count, next);
    for (unsigned i = 0; i < COUNT; i++) {
        snprintf(path, sizeof path, "/lib/%u", i % PATHS);
        if (i % 3)
            CHECK_INT(of(&t, path, 1 + i)->id, to[i]);
        else
            module_free(gone[i]);
    }
    CHECK_INT(t.count, next);
    CHECK_INT(of(&t, "/lib/0", 1)->id, next);
    modules_release(&t);
}
