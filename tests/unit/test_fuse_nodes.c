#include "unit.h"

#include "core/base/buf.h"
#include "core/fuse/nodes.h"

#include <stdlib.h>

static int closed; /* the sum of the descriptors that were */

static void close_it(int fd)
{
    closed += fd;
}

static struct fuse_nodes fresh(void)
{
    struct fuse_nodes t;
    closed = 0;
    CHECK_INT(fuse_nodes_init(&t, 3, 1, 2), 0);
    return t;
}

static uint32_t look(struct fuse_nodes *t, uint32_t parent, const char *name, uint64_t ino)
{
    bool known;
    return fuse_nodes_lookup(t, parent, name, 1, ino, &known);
}

static void path_is(const struct fuse_nodes *t, uint32_t i, const char *want)
{
    struct buf b = BUF_INIT;
    fuse_nodes_path(t, i, &b);
    CHECK_STR(buf_str(&b), want);
    buf_release(&b);
}

TEST(a_name_has_one_number_until_it_is_another_file)
{
    struct fuse_nodes t = fresh();
    bool known;
    uint32_t usr = look(&t, FUSE_NODE_ROOT, "usr", 10);
    uint32_t bin = look(&t, usr, "bin", 11);
    CHECK_INT(fuse_nodes_lookup(&t, usr, "bin", 1, 11, &known), bin);
    CHECK(known);
    path_is(&t, bin, "/usr/bin");
    path_is(&t, FUSE_NODE_ROOT, "/");
    uint32_t other = fuse_nodes_lookup(&t, usr, "bin", 1, 12, &known);
    CHECK(other != bin && !known && t.node[bin].unlinked);
    CHECK_INT(fuse_nodes_find(&t, usr, "bin"), other);
    fuse_nodes_release(&t);
}

TEST(what_is_forgotten_is_freed_with_what_lived_for_it)
{
    struct fuse_nodes t = fresh();
    uint32_t a = look(&t, FUSE_NODE_ROOT, "a", 10), b = look(&t, a, "b", 11);
    look(&t, a, "b", 11);
    fuse_nodes_set_fd(&t, a, 100);
    fuse_nodes_forget(&t, a, 1, close_it);
    CHECK_INT(t.used, 3); /* its child is still known */
    CHECK_INT(closed, 0);
    fuse_nodes_forget(&t, b, 1, close_it);
    CHECK_INT(t.used, 3);
    fuse_nodes_forget(&t, b, 9, close_it); /* more than there were */
    CHECK_INT(t.used, 1);
    CHECK_INT(closed, 100);
    CHECK(!fuse_nodes_at(&t, a) && !fuse_nodes_at(&t, 77) && !fuse_nodes_at(&t, 0));
    fuse_nodes_forget(&t, 12345, 1, close_it);
    CHECK_INT(look(&t, FUSE_NODE_ROOT, "c", 12), a); /* the number freed last */
    fuse_nodes_release(&t);
}

TEST(pins_and_opens_keep_a_node)
{
    struct fuse_nodes t = fresh();
    uint32_t a = look(&t, FUSE_NODE_ROOT, "a", 10);
    t.node[a].opens = 1;
    fuse_nodes_forget(&t, a, 1, close_it);
    CHECK_INT(t.used, 2);
    t.node[a].opens = 0;
    fuse_nodes_forget(&t, a, 0, close_it);
    CHECK_INT(t.used, 1);
    fuse_nodes_release(&t);
}

TEST(renames_take_the_tree_along)
{
    struct fuse_nodes t = fresh();
    uint32_t a = look(&t, FUSE_NODE_ROOT, "a", 10), f = look(&t, a, "f", 11);
    uint32_t b = look(&t, FUSE_NODE_ROOT, "b", 12), old = look(&t, b, "g", 13);
    CHECK_INT(fuse_nodes_rename(&t, f, b, "g"), 0);
    path_is(&t, f, "/b/g");
    CHECK(t.node[old].unlinked);
    CHECK_INT(t.node[a].children, 0);
    CHECK_INT(t.node[b].children, 2); /* what is gone counts until it is forgotten */
    CHECK_INT(fuse_nodes_rename(&t, b, a, "z"), 0);
    path_is(&t, f, "/a/z/g");
    uint32_t x = look(&t, FUSE_NODE_ROOT, "x", 14);
    fuse_nodes_exchange(&t, x, f);
    path_is(&t, x, "/a/z/g");
    path_is(&t, f, "/x");
    CHECK_INT(fuse_nodes_find(&t, FUSE_NODE_ROOT, "x"), f);
    fuse_nodes_release(&t);
}

TEST(the_descriptor_used_longest_ago_goes_first)
{
    struct fuse_nodes t = fresh();
    uint32_t n[3];
    for (uint32_t i = 0; i < 3; i++) {
        char name[2] = {(char)('a' + i), 0};
        n[i] = look(&t, FUSE_NODE_ROOT, name, 10 + i);
        fuse_nodes_set_fd(&t, n[i], (int)(100 + i));
    }
    fuse_nodes_touch(&t, n[0]);
    CHECK_INT(fuse_nodes_oldest_idle(&t), n[1]);
    t.node[n[1]].pins = 1;
    CHECK_INT(fuse_nodes_oldest_idle(&t), n[2]);
    fuse_nodes_unlink(&t, n[2]); /* cannot be opened again */
    CHECK_INT(fuse_nodes_oldest_idle(&t), n[0]);
    CHECK_INT(fuse_nodes_drop_fd(&t, n[0]), 100);
    CHECK_INT(t.with_fd, 1);
    CHECK_INT(fuse_nodes_oldest_idle(&t), FUSE_NODE_NONE);
    fuse_nodes_forget(&t, n[2], 1, close_it);
    CHECK_INT(closed, 102);
    fuse_nodes_release(&t);
}

TEST(a_hundred_thousand_are_found_and_forgotten)
{
    enum { MANY = 100000 };
    struct fuse_nodes t = fresh();
    uint32_t *n = malloc(MANY * sizeof *n);
    char name[16];
    for (uint32_t i = 0; i < MANY; i++) {
        snprintf(name, sizeof name, "f%u", i);
        n[i] = look(&t, FUSE_NODE_ROOT, name, 100 + i);
    }
    uint32_t found = 0;
    for (uint32_t i = 0; i < MANY; i++) {
        snprintf(name, sizeof name, "f%u", i);
        found += fuse_nodes_find(&t, FUSE_NODE_ROOT, name) == n[i];
    }
    CHECK_INT(found, MANY);
    for (uint32_t i = 0; i < MANY; i++)
        fuse_nodes_forget(&t, n[i], 1, close_it);
    CHECK_INT(t.used, 1);
    free(n);
    fuse_nodes_release(&t);
}
