/* Names, what is bound where, and a plain folder as a server. */
#include "unit.h"

#include "core/ns/ns.h"
#include "engine/ns/folder.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static void check_split(const char *name, const char *want)
{
    struct ns_elements e;
    char joined[256] = "";
    CHECK_INT(ns_split(name, &e, NULL), 0);
    for (size_t i = 0; i < e.count; i++) {
        strcat(joined, i ? "|" : "");
        strcat(joined, e.at[i]);
    }
    CHECK_STR(joined, want);
}

TEST(ns_splits_names_into_elements)
{
    check_split("#c/sysstat", "#c|sysstat");
    check_split("/dev//kpctl/", "dev|kpctl");
    check_split("./a/../../b/.", "b");
    check_split("#c/../../x", "#c|x");
    check_split("", "");
    check_split("/..", "");
}

TEST(names_that_are_too_long)
{
    struct ns_elements e;
    struct fail f;
    char name[NS_PATH_MAX + 8];
    memset(name, 'a', sizeof name);
    name[NS_NAME_MAX] = '\0';
    CHECK_INT(ns_split(name, &e, &f), 0);
    name[NS_NAME_MAX] = 'a';
    name[NS_NAME_MAX + 1] = '\0';
    CHECK_INT(ns_split(name, &e, &f), -ENAMETOOLONG);
    CHECK_STR(ns_error(&f), "name too long");
    for (size_t i = 0; i + 1 < sizeof name; i += 2)
        memcpy(name + i, "a/", 2);
    name[2 * NS_DEPTH_MAX] = '\0';
    CHECK_INT(ns_split(name, &e, &f), 0);
    CHECK_INT(e.count, NS_DEPTH_MAX);
    name[2 * NS_DEPTH_MAX] = 'a';
    name[sizeof name - 1] = '\0';
    CHECK_INT(ns_split(name, &e, &f), -ENAMETOOLONG);
    name[NS_PATH_MAX - 1] = '\0';
    for (size_t i = 0; name[i]; i++)
        name[i] = '/';
    CHECK_INT(ns_split(name, &e, &f), 0);
}

/* --- a server of a few files: NAME reads as its own name --- */

struct toy {
    const char *const *names; /* files of its root */
    int ended;
};

static int toy_walk(void *state, uint64_t directory, const char *name, uint64_t *path,
                    struct fail *f)
{
    const struct toy *t = state;
    if (directory)
        return fail_set(f, ENOTDIR, "%s", name);
    for (size_t i = 0; t->names[i]; i++)
        if (strcmp(t->names[i], name) == 0) {
            *path = i + 1;
            return 0;
        }
    return fail_set(f, ENOENT, "%s", name);
}

static int toy_stat(void *state, uint64_t path, struct ns_stat *out, struct fail *f)
{
    const struct toy *t = state;
    (void)f;
    *out = (struct ns_stat){.path = path, .directory = !path, .mode = 0444};
    strcpy(out->name, path ? t->names[path - 1] : "/");
    return 0;
}

static int toy_entry(void *state, uint64_t directory, size_t index, struct ns_stat *out,
                     struct fail *f)
{
    const struct toy *t = state;
    (void)directory;
    return t->names[index] ? toy_stat(state, index + 1, out, f), 1 : 0;
}

static int toy_open(void *state, uint64_t path, unsigned how, void **file, struct fail *f)
{
    (void)state;
    *file = NULL;
    return path && how == NS_READ ? 0 : fail_set(f, EPERM, "toy");
}

static long toy_read(void *state, const struct ns_io *io, void *bytes, struct fail *f)
{
    const char *text = ((const struct toy *)state)->names[io->path - 1];
    size_t left = io->offset < strlen(text) ? strlen(text) - io->offset : 0;
    size_t n = left < io->len ? left : io->len;
    (void)f;
    memcpy(bytes, text + strlen(text) - left, n);
    return (long)n;
}

static void toy_end(void *state)
{
    ((struct toy *)state)->ended++;
}

static const struct ns_calls toy_calls = {.walk = toy_walk,
                                          .stat = toy_stat,
                                          .entry = toy_entry,
                                          .open = toy_open,
                                          .read = toy_read,
                                          .end = toy_end};

static struct ns_server server_of(struct toy *t)
{
    return (struct ns_server){&toy_calls, t};
}

static int list_one(void *arg, const struct ns_stat *st)
{
    strcat(arg, st->name);
    strcat(arg, st->directory ? "/ " : " ");
    return 0;
}

static const char *list_of(const struct ns *ns, const char *name)
{
    static char out[512];
    struct fail f;
    out[0] = '\0';
    return ns_list(ns, name, list_one, out, &f) == 0 ? out : ns_error(&f);
}

static const char *text_of(const struct ns *ns, const char *name)
{
    static char out[512];
    struct buf b = BUF_INIT;
    struct fail f;
    int r = ns_text(ns, name, sizeof out - 1, &b, &f);
    snprintf(out, sizeof out, "%s", r == 0 ? buf_str(&b) : ns_error(&f));
    buf_release(&b);
    return out;
}

TEST(what_is_bound_is_found)
{
    static const char *const c[] = {"sysstat", "time", NULL}, *const k[] = {"kpctl", "time", NULL};
    struct toy cons = {c, 0}, kprof = {k, 0};
    struct ns ns = NS_INIT;
    struct fail f;
    CHECK_INT(ns_bind(&ns, "#c", "", server_of(&cons), &f), 0);
    CHECK_INT(ns_bind(&ns, "/dev", "", server_of(&cons), &f), 0);
    CHECK_INT(ns_bind(&ns, "/dev", "", server_of(&kprof), &f), 0);
    CHECK_INT(ns_bind(&ns, "/n/far/off", "", server_of(&kprof), &f), 0);
    CHECK_STR(text_of(&ns, "#c/sysstat"), "sysstat");
    CHECK_STR(text_of(&ns, "dev/kpctl"), "kpctl");
    CHECK_STR(text_of(&ns, "#x/sysstat"), "file does not exist");
    CHECK_STR(text_of(&ns, "#x"), "unknown device in # filename");
    CHECK_STR(text_of(&ns, "/dev/nothing"), "file does not exist");
    CHECK_STR(text_of(&ns, "/dev/time/x"), "file does not exist");
    CHECK_STR(text_of(&ns, "/n"), "file is a directory");
    CHECK_STR(list_of(&ns, "/"), "n/ dev/ ");
    CHECK_STR(list_of(&ns, "/n"), "far/ ");
    CHECK_STR(list_of(&ns, "/n/far"), "off/ ");
    CHECK_STR(list_of(&ns, "/dev"), "sysstat time kpctl ");
    CHECK_STR(list_of(&ns, "/dev/time"), "not a directory");
    CHECK_STR(list_of(&ns, "/m"), "file does not exist");
    struct ns_stat one, other;
    CHECK_INT(ns_stat(&ns, "#c/time", &one, &f), 0);
    CHECK_INT(ns_stat(&ns, "/dev/time", &other, &f), 0);
    CHECK(one.server == other.server && one.path == other.path); /* one file, two names */
    CHECK_INT(ns_stat(&ns, "/n/far/off/time", &other, &f), 0);
    CHECK(one.server != other.server);
    CHECK_INT(ns_stat(&ns, "/n", &one, &f), 0);
    CHECK_INT(ns_stat(&ns, "/n/far", &other, &f), 0);
    CHECK(one.path != other.path);
    ns_release(&ns);
    CHECK_INT(cons.ended, 1);
    CHECK_INT(kprof.ended, 1);
}

TEST(a_longer_name_goes_before_a_shorter)
{
    static const char *const a[] = {"dev", NULL}, *const b[] = {"inner", NULL};
    struct toy root = {a, 0}, dev = {b, 0};
    struct ns ns = NS_INIT;
    struct ns_stat st;
    struct fail f;
    CHECK_INT(ns_bind(&ns, "/", "", server_of(&root), &f), 0);
    CHECK_INT(ns_bind(&ns, "/dev", "", server_of(&dev), &f), 0);
    CHECK_STR(text_of(&ns, "/dev/inner"), "inner");
    CHECK_INT(ns_stat(&ns, "/dev", &st, &f), 0);
    CHECK(st.directory);
    CHECK_STR(st.name, "dev");
    CHECK_STR(list_of(&ns, "/"), "dev ");
    ns_release(&ns);
}

TEST(files_are_used_as_they_were_opened)
{
    static const char *const a[] = {"x", NULL};
    struct toy t = {a, 0};
    struct ns ns = NS_INIT;
    struct ns_file *file = NULL;
    struct fail f;
    CHECK_INT(ns_bind(&ns, "#c", "", server_of(&t), &f), 0);
    CHECK_INT(ns_open(&ns, "#c/x", NS_WRITE, &file, &f), -EPERM);
    CHECK_STR(ns_error(&f), "permission denied");
    CHECK_INT(ns_open(&ns, "#c/x", NS_READ, &file, &f), 0);
    CHECK_INT(ns_write(file, 0, "y", 1, &f), -EBADF);
    CHECK_STR(ns_error(&f), "inappropriate use of fd");
    CHECK_INT(ns_handle(file), -1);
    ns_close(file);
    ns_close(NULL);
    ns_release(&ns);
}

TEST(ns_binds_at_most_ns_servers_max)
{
    static const char *const a[] = {NULL};
    struct toy t = {a, 0}, late = {a, 0};
    struct ns ns = NS_INIT;
    struct fail f;
    for (size_t i = 0; i < NS_SERVERS_MAX; i++)
        CHECK_INT(ns_bind(&ns, "#c", "", server_of(&t), &f), 0);
    CHECK_INT(ns_bind(&ns, "#c", "", server_of(&t), &f), -ENOSPC);
    CHECK_INT(t.ended, 0);
    CHECK_INT(ns_bind(&ns, "#c", "", server_of(&late), &f), -ENOSPC);
    CHECK_INT(late.ended, 1);
    ns_release(&ns);
    CHECK_INT(t.ended, 1);
}

TEST(ns_error_has_plan_9s_text)
{
    struct fail f;
    fail_set(&f, 0, "profile is off");
    CHECK_STR(ns_error(&f), "profile is off");
    fail_set(&f, EISDIR, "x");
    CHECK_STR(ns_error(&f), "file is a directory");
    fail_set(&f, EXDEV, "x");
    CHECK_STR(ns_error(&f), strerror(EXDEV));
}

/* --- a folder --- */

static void put(const char *folder, const char *name, const char *text)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *out = fopen(path, "w");
    CHECK(out != NULL);
    if (out) {
        fputs(text, out);
        fclose(out);
    }
}

static void below(const char *folder, const char *name, char out[512])
{
    snprintf(out, 512, "%s/%s", folder, name);
}

TEST(a_folder_in_the_place_of_devices)
{
    char folder[] = "/tmp/psuite-ns-XXXXXX", path[512];
    struct ns ns = NS_INIT;
    struct ns_stat st;
    struct ns_file *file = NULL;
    struct fail f;
    char byte[4];
    CHECK(mkdtemp(folder) != NULL);
    below(folder, "dev", path);
    CHECK_INT(mkdir(path, 0700), 0);
    put(folder, "dev/sysstat", "0 1 2\n");
    put(folder, "dev/kpctl", "");
    below(folder, "dev/pipe", path);
    CHECK_INT(mkfifo(path, 0600), 0);
    CHECK_INT(ns_bind_folder(&ns, folder, &f), 0);
    CHECK_STR(text_of(&ns, "#c/sysstat"), "0 1 2\n");
    CHECK_STR(text_of(&ns, "/dev/sysstat"), "0 1 2\n");
    CHECK_STR(text_of(&ns, "#l0/ether0/stats"), "file does not exist");
    CHECK_STR(text_of(&ns, "#c/pipe"), "bad arg in system call");
    CHECK_STR(text_of(&ns, "#c"), "file is a directory");
    CHECK_STR(text_of(&ns, "#c/sysstat/x"), "file does not exist");
    CHECK_STR(list_of(&ns, "#c"), "kpctl pipe sysstat ");
    CHECK_STR(list_of(&ns, "/"), "dev/ ");
    CHECK_INT(ns_stat(&ns, "#c/sysstat", &st, &f), 0);
    CHECK_INT(st.length, 6);
    CHECK(ns_open(&ns, "#c/pipe", NS_WRITE, &file, &f) < 0); /* nobody reads it, and nobody waits */

    CHECK_INT(ns_open(&ns, "#K/kpctl", NS_WRITE | NS_TRUNCATE, &file, &f), 0);
    CHECK_INT(ns_write(file, 0, "start", 5, &f), 5);
    ns_close(file);
    CHECK_STR(text_of(&ns, "#K/kpctl"), "start");

    CHECK_INT(ns_open(&ns, "#c/sysstat", NS_READ, &file, &f), 0);
    below(folder, "dev/sysstat", path);
    CHECK_INT(unlink(path), 0);
    CHECK_INT(ns_read(file, 4, byte, sizeof byte, &f), 2); /* what is open stays */
    CHECK_INT(ns_read(file, UINT64_MAX - 1, byte, sizeof byte, &f), 0);
    ns_close(file);
    CHECK_STR(text_of(&ns, "#c/sysstat"), "file does not exist");
    put(folder, "dev/sysstat", "\377\001 garbage");
    CHECK_STR(text_of(&ns, "#c/sysstat"), "\377\001 garbage");

    ns_release(&ns);
    for (const char *const *name =
             (const char *const[]){"dev/sysstat", "dev/kpctl", "dev/pipe", "dev", "", NULL};
         *name; name++) {
        below(folder, *name, path);
        CHECK_INT(remove(path), 0);
    }
    CHECK_INT(ns_bind_folder(&ns, folder, &f), -ENOENT);
}

TEST(a_file_that_is_too_large)
{
    struct ns ns = NS_INIT;
    struct fail f;
    struct buf out = BUF_INIT;
    CHECK_INT(ns_bind_folder(&ns, unit_folder(), &f), 0);
    CHECK_INT(ns_text(&ns, "/CMakeLists.txt", 100, &out, &f), -EFBIG);
    CHECK_STR(ns_error(&f), "read or write too large");
    buf_release(&out);
    ns_release(&ns);
}
