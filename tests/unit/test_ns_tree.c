#include "unit.h"

#include "core/ns/ns_tree.h"
#include "ninep_ram.h"

struct tree {
    struct ram ram;
    struct ns ns;
    struct ns_tree *tree;
    struct ns_server s;
};

static void begin(struct tree *t, const char *under)
{
    memset(t, 0, sizeof *t);
    ram_init(&t->ram);
    ram_put(&t->ram, 0, "sysstat", "0 1\n");
    ram_put(&t->ram, (uint64_t)ram_dir(&t->ram, 0, "1"), "ctl", "");
    CHECK_INT(ns_bind(&t->ns, "#c", "", ram_tree(&t->ram, false).files.files, NULL), 0);
    CHECK_INT(ns_bind(&t->ns, "/dev", "", ram_tree(&t->ram, false).files.files, NULL), 0);
    t->tree = ns_tree_new(&t->ns, under);
    t->s = ns_tree_server(t->tree);
}

static void end(struct tree *t)
{
    CHECK_INT(ns_tree_held(t->tree), 0);
    ns_tree_free(t->tree);
    ns_release(&t->ns);
    CHECK_INT(ram_held(&t->ram), 0);
    ram_release(&t->ram);
}

static void forget(struct tree *t, uint64_t path)
{
    t->s.calls->forget(t->s.state, path, 1);
}

static int walk(struct tree *t, uint64_t from, const char *name, uint64_t *path)
{
    return t->s.calls->walk(t->s.state, from, name, path, NULL);
}

TEST(ns_tree_names_are_held_and_given_back)
{
    struct tree t;
    uint64_t dev, a, b, one, none;
    begin(&t, "/");
    CHECK_INT(walk(&t, 0, "dev", &dev), 0);
    CHECK_INT(walk(&t, dev, "sysstat", &a), 0);
    CHECK_INT(walk(&t, dev, "sysstat", &b), 0);
    CHECK_INT(a, b);
    CHECK_INT(walk(&t, dev, "nothing", &none), -ENOENT);
    CHECK_INT(ns_tree_held(t.tree), 2);
    forget(&t, a);
    CHECK_INT(ns_tree_held(t.tree), 2);
    forget(&t, a);
    CHECK_INT(ns_tree_held(t.tree), 1);
    CHECK_INT(walk(&t, dev, "1", &one), 0);
    CHECK_INT(one, a); /* its place is another's now */
    forget(&t, one);
    forget(&t, dev);
    forget(&t, 0);
    end(&t);
}

TEST(ns_tree_lists_what_is_bound_and_what_a_device_has)
{
    struct tree t;
    struct ns_stat st, at;
    uint64_t dev;
    begin(&t, "/");
    CHECK_INT(t.s.calls->entry(t.s.state, 0, 0, &st, NULL), 1);
    CHECK_STR(st.name, "dev");
    CHECK(st.directory);
    CHECK_INT(t.s.calls->entry(t.s.state, 0, 1, &st, NULL), 0);
    walk(&t, 0, "dev", &dev);
    CHECK_INT(t.s.calls->stat(t.s.state, dev, &at, NULL), 0);
    t.s.calls->entry(t.s.state, 0, 0, &st, NULL);
    CHECK(st.path == at.path);
    CHECK_INT(t.s.calls->entry(t.s.state, dev, 0, &st, NULL), 1);
    CHECK_STR(st.name, "sysstat");
    ram_put(&t.ram, 0, "new", "");
    CHECK_INT(t.s.calls->entry(t.s.state, dev, 1, &st, NULL), 1);
    CHECK_INT(t.s.calls->entry(t.s.state, dev, 2, &st, NULL), 0); /* as it was at its beginning */
    CHECK_INT(t.s.calls->entry(t.s.state, dev, 0, &st, NULL), 1);
    CHECK_INT(t.s.calls->entry(t.s.state, dev, 2, &st, NULL), 1);
    CHECK_STR(st.name, "new");
    forget(&t, dev);
    end(&t);
}

static bool only_profile(const char *name, const void *bytes, size_t len)
{
    return strcmp(name, "#c/1/ctl") != 0 || (len == 7 && memcmp(bytes, "profile", 7) == 0);
}

TEST(ns_tree_of_a_device_reads_writes_and_is_guarded)
{
    struct tree t;
    uint64_t path, one, ctl;
    void *file;
    char bytes[8];
    begin(&t, "#c");
    ns_tree_guard(t.tree, only_profile);
    CHECK_INT(walk(&t, 0, "sysstat", &path), 0);
    CHECK_INT(t.s.calls->open(t.s.state, path, NS_READ, &file, NULL), 0);
    CHECK_INT(t.s.calls->read(t.s.state, &(struct ns_io){file, path, 2, sizeof bytes}, bytes, NULL),
              2);
    t.s.calls->close(t.s.state, file, path);
    forget(&t, path);
    walk(&t, 0, "1", &one);
    walk(&t, one, "ctl", &ctl);
    CHECK_INT(t.s.calls->open(t.s.state, ctl, NS_WRITE, &file, NULL), 0);
    CHECK_INT(t.s.calls->write(t.s.state, &(struct ns_io){file, ctl, 0, 4}, "kill", NULL), -EPERM);
    CHECK_INT(t.s.calls->write(t.s.state, &(struct ns_io){file, ctl, 0, 7}, "profile", NULL), 7);
    forget(&t, ctl); /* an open file does not need its path */
    forget(&t, one);
    t.s.calls->close(t.s.state, file, ctl);
    end(&t);
}

TEST(ns_tree_paths_that_are_not_held_are_stale)
{
    struct tree t;
    uint64_t dev, one;
    struct ns_stat st;
    void *file;
    begin(&t, "/");
    CHECK_INT(walk(&t, 0, "dev", &dev), 0);
    CHECK_INT(walk(&t, 0, "dev", &dev), 0);
    CHECK_INT(walk(&t, dev, "1", &one), 0);
    t.s.calls->forget(t.s.state, one, 1000);
    CHECK_INT(walk(&t, one, "ctl", &one), -ESTALE);
    CHECK_INT(t.s.calls->stat(t.s.state, one, &st, NULL), -ESTALE);
    CHECK_INT(t.s.calls->open(t.s.state, one, NS_READ, &file, NULL), -ESTALE);
    CHECK_INT(t.s.calls->entry(t.s.state, UINT64_MAX, 0, &st, NULL), -ESTALE);
    t.s.calls->forget(t.s.state, one, 1);
    t.s.calls->forget(t.s.state, UINT64_MAX, 1);
    t.s.calls->forget(t.s.state, dev, 2);
    CHECK_INT(ns_tree_held(t.tree), 0);
    end(&t);
}
