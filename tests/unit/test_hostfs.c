/* A directory of this machine as nodes: how it is read, and who is in whose way by its locks. */
#include "unit.h"

#include "engine/hostfs/hostfs.h"
#include "engine/hostfs/ninep_host.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

static char folder[64];

static const char *in_folder(const char *name)
{
    static char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void make_file(const char *name)
{
    int fd = open(in_folder(name), O_CREAT | O_WRONLY, 0600);
    CHECK(fd >= 0);
    close(fd);
}

static void make_folder(void)
{
    strcpy(folder, "/tmp/psuite-unit-hostfs-XXXXXX");
    CHECK(mkdtemp(folder) != NULL);
}

static void remove_folder(void)
{
    DIR *d = opendir(folder);
    for (struct dirent *e; d && (e = readdir(d));)
        unlink(in_folder(e->d_name));
    if (d)
        closedir(d);
    CHECK_INT(rmdir(folder), 0);
}

/* --- directories --- */

enum { NAMES = 1500 }; /* more than are read at once */

struct listed {
    struct hostfs h;
    struct hostfs_file dir;
};

static void begin_listed(struct listed *l)
{
    make_folder();
    CHECK_INT(hostfs_init(&l->h, folder), 0);
    CHECK_INT(hostfs_open_dir(&l->h, NULL, FUSE_NODE_ROOT, &l->dir), 0);
}

static void end_listed(struct listed *l)
{
    hostfs_close(&l->h, &l->dir);
    hostfs_release(&l->h);
    remove_folder();
}

/* All from a cookie on, as one who asks again for what did not fit: how many. */
static int count_from(struct listed *l, uint64_t cookie)
{
    struct ns_entry e, twice;
    char name[NS_NAME_MAX + 1];
    int n = 0;
    for (; hostfs_next(&l->h, &l->dir, cookie, &e) > 0; cookie = twice.next, n++) {
        snprintf(name, sizeof name, "%s", e.name);
        if (hostfs_next(&l->h, &l->dir, cookie, &twice) != 1 || strcmp(name, twice.name) != 0)
            return -1;
    }
    return n;
}

TEST(a_directory_is_read_from_any_entry)
{
    static uint64_t cookie[NAMES];
    static char name[NAMES][NS_NAME_MAX + 1];
    struct listed l;
    struct ns_entry e;
    int n = 0;
    begin_listed(&l);
    for (int i = 0; i < NAMES - 2; i++) {
        char made[64];
        snprintf(made, sizeof made, "a-name-of-some-length-%d", i);
        make_file(made);
    }
    for (uint64_t at = 0; n < NAMES && hostfs_next(&l.h, &l.dir, at, &e) > 0; at = e.next, n++) {
        cookie[n] = at;
        snprintf(name[n], sizeof name[n], "%s", e.name);
    }
    CHECK_INT(n, NAMES);
    CHECK_INT(hostfs_next(&l.h, &l.dir, e.next, &e), 0);
    for (int i = NAMES - 1; i > 0; i -= 37) { /* backwards: as after seekdir */
        CHECK_INT(hostfs_next(&l.h, &l.dir, cookie[i], &e), 1);
        CHECK_STR(e.name, name[i]);
        CHECK_INT(count_from(&l, cookie[i]), NAMES - i);
    }
    end_listed(&l);
}

TEST(a_directory_is_read_anew_from_its_beginning)
{
    struct listed l;
    struct ns_entry e;
    begin_listed(&l);
    CHECK_INT(hostfs_next(&l.h, &l.dir, 0, &e), 1);
    make_file("new");
    CHECK_INT(count_from(&l, 0), 3);
    CHECK_INT(unlink(in_folder("new")), 0);
    CHECK_INT(count_from(&l, 0), 2);
    end_listed(&l);
}

/* --- locks by 9P --- */

struct host {
    struct ninep_host_files *files;
    struct ninep_tree tree;
};

static void begin_host(struct host *h)
{
    char f[512];
    make_folder();
    make_file("f");
    strcpy(f, in_folder("f"));
    CHECK_INT(link(f, in_folder("g")), 0);
    CHECK_INT(ninep_host_open(&h->files, folder, NULL), 0);
    h->tree = ninep_host_tree(h->files, true);
}

static void end_host(struct host *h)
{
    ninep_host_close(h->files);
    remove_folder();
}

struct opened {
    uint64_t path;
    void *file;
};

static struct opened open_name(struct host *h, const char *name, unsigned how)
{
    struct opened o = {0, NULL};
    const struct ns_server *s = &h->tree.files.files;
    CHECK_INT(s->calls->walk(s->state, 0, name, &o.path, NULL), 0);
    CHECK_INT(s->calls->open(s->state, o.path, how, &o.file, NULL), 0);
    return o;
}

static void close_opened(struct host *h, struct opened o)
{
    h->tree.files.files.calls->close(h->tree.files.files.state, o.file, o.path);
    ns_served_forget(&h->tree.files, o.path, 1);
}

enum { READ_LOCK, WRITE_LOCK, UNLOCK };

/* 0 got, 1 another has it. */
static int lock_as(struct host *h, struct opened o, const char *client, uint32_t pid, uint8_t kind)
{
    struct ninep_lock l = {.kind = kind, .pid = pid, .client = ninep_text(client)};
    return h->tree.host->lock(h->tree.files.files.state, o.file, o.path, &l, false);
}

static struct ninep_lock find_as(struct host *h, struct opened o, uint32_t pid)
{
    struct ninep_lock l = {.kind = WRITE_LOCK, .pid = pid, .client = ninep_text("a")};
    CHECK_INT(h->tree.host->lock(h->tree.files.files.state, o.file, o.path, &l, true), 0);
    return l;
}

TEST(locks_of_processes_exclude_each_other)
{
    struct host h;
    begin_host(&h);
    struct opened one = open_name(&h, "f", NS_BOTH), two = open_name(&h, "f", NS_BOTH);
    CHECK_INT(lock_as(&h, one, "a", 1, WRITE_LOCK), 0);
    CHECK_INT(lock_as(&h, two, "a", 2, WRITE_LOCK), 1);
    CHECK_INT(find_as(&h, two, 2).kind, WRITE_LOCK);
    CHECK_INT(find_as(&h, two, 2).pid, 1);
    CHECK_INT(find_as(&h, two, 1).kind, UNLOCK); /* its own is not in its way */
    CHECK_INT(lock_as(&h, one, "a", 1, UNLOCK), 0);
    CHECK_INT(lock_as(&h, two, "a", 2, WRITE_LOCK), 0);
    close_opened(&h, two);
    CHECK_INT(lock_as(&h, one, "a", 1, READ_LOCK), 0);
    close_opened(&h, one);
    end_host(&h);
}

TEST(processes_of_two_machines_with_one_number_are_two)
{
    struct host h;
    begin_host(&h);
    struct opened a = open_name(&h, "f", NS_BOTH), b = open_name(&h, "f", NS_BOTH);
    CHECK_INT(lock_as(&h, a, "a", 1, WRITE_LOCK), 0);
    CHECK_INT(lock_as(&h, b, "b", 1, WRITE_LOCK), 1);
    close_opened(&h, a);
    CHECK_INT(lock_as(&h, b, "b", 1, WRITE_LOCK), 0);
    close_opened(&h, b);
    end_host(&h);
}

TEST(a_process_locks_a_file_by_two_names)
{
    struct host h;
    begin_host(&h);
    struct opened f = open_name(&h, "f", NS_BOTH), g = open_name(&h, "g", NS_BOTH);
    CHECK_INT(lock_as(&h, f, "a", 1, WRITE_LOCK), 0);
    CHECK_INT(lock_as(&h, g, "a", 1, WRITE_LOCK), 0);
    CHECK_INT(lock_as(&h, g, "a", 2, WRITE_LOCK), 0); /* a child has it by the same open file */
    CHECK_INT(lock_as(&h, f, "a", 1, WRITE_LOCK), 1);
    close_opened(&h, g);
    CHECK_INT(lock_as(&h, f, "a", 1, WRITE_LOCK), 0);
    close_opened(&h, f);
    end_host(&h);
}

/* As flock(1) opens what it locks, and its child inherits it. */
TEST(an_open_file_is_locked_for_all_that_inherit_it)
{
    struct host h;
    begin_host(&h);
    struct opened f = open_name(&h, "f", NS_READ), other = open_name(&h, "f", NS_BOTH);
    CHECK_INT(lock_as(&h, f, "a", 1, WRITE_LOCK), 0);
    CHECK_INT(lock_as(&h, f, "a", 2, WRITE_LOCK), 0);
    CHECK_INT(lock_as(&h, other, "a", 3, READ_LOCK), 1);
    CHECK_INT(lock_as(&h, f, "a", 4, UNLOCK), 0);
    CHECK_INT(lock_as(&h, other, "a", 3, READ_LOCK), 0);
    close_opened(&h, f);
    close_opened(&h, other);
    end_host(&h);
}
