/* iomessages FOLDER EXPECTED [9p]: calls on files of all kinds, and what a server of these files is
 * to have counted, in messages: to EXPECTED go `MESSAGE COUNT' and then the report's rows of the
 * files, sorted by `LC_ALL=C sort'. Linked statically, and to be compared with a run without
 * FOLDER, as the exec asks for files as well. 9p: as Linux' client of it asks, once more behind
 * what came short. */
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 4, CHILDREN = 3 };
enum { CREATE, OPEN, READ, WRITE, CLUNK, REMOVE, STAT, WSTAT, MESSAGES };
static const char *const message[] = {"create", "open",   "read", "write",
                                      "clunk",  "remove", "stat", "wstat"};
static long count[MESSAGES];
static FILE *expected;
static bool by_9p;
static char buffer[1 << 20];

static long must(long r, const char *what)
{
    if (r < 0) {
        perror(what);
        exit(1);
    }
    return r;
}

static void row(const char *name, long opens, long reads, long long in, long writes, long long out)
{
    char cwd[4096];
    fprintf(expected, "%5ld %8ld %8lld %8ld %8lld %s/%s\n", opens, reads, in, writes, out,
            getcwd(cwd, sizeof cwd), name);
    count[READ] += reads;
    count[WRITE] += writes;
}

static int make(const char *name)
{
    count[CREATE]++;
    count[CLUNK]++;
    return (int)must(open(name, O_RDWR | O_CREAT | O_EXCL, 0644), name);
}

static int again(const char *name, int flags)
{
    count[OPEN]++;
    count[CLUNK]++;
    return (int)must(open(name, flags), name);
}

static void put(int fd, size_t len, int times)
{
    while (times--)
        must(write(fd, buffer, len), "write");
}

static long messages_of(long got, size_t wanted)
{
    return by_9p && got > 0 && (size_t)got < wanted ? 2 : 1;
}

static long drain(int fd, size_t len)
{
    long calls = 0, n;
    do {
        n = must(read(fd, buffer, len), "read");
        calls += messages_of(n, len);
    } while (n);
    return calls;
}

static void renamed(void)
{
    int fd = make("old");
    put(fd, 1000, 10);
    close(fd);
    row("old", 1, 0, 0, 10, 10000);
    must(rename("old", "new"), "rename");
    count[WSTAT]++;
    fd = again("new", O_RDONLY);
    long reads = drain(fd, 4096);
    close(fd);
    fd = again("new", O_RDONLY); /* no I/O: no open of the report */
    close(fd);
    row("new", 1, reads, 10000, 0, 0);
}

static void deleted(void)
{
    struct stat s;
    int fd = make("deleted");
    put(fd, 100, 1);
    must(unlink("deleted"), "unlink");
    count[REMOVE]++;
    must(pread(fd, buffer, 100, 0), "pread");
    must(fstat(fd, &s), "fstat");
    must(fchmod(fd, 0600), "fchmod");
    must(ftruncate(fd, 50), "ftruncate");
    if (s.st_nlink != 0 || s.st_size != 100)
        exit(1);
    count[STAT]++;
    count[WSTAT] += 2;
    close(fd);
    row("deleted", 1, 1, 100, 1, 100);
}

static void sparse(void)
{
    struct stat s;
    int fd = make("sparse");
    must(pwrite(fd, "x", 1, 5LL << 30), "pwrite");
    if (must(pread(fd, buffer, 4096, 1LL << 30), "pread") != 4096 || buffer[0] || buffer[4095])
        exit(1);
    long end = messages_of(must(pread(fd, buffer, 10, 5LL << 30), "pread"), 10);
    if (buffer[0] != 'x')
        exit(1);
    must(stat("sparse", &s), "stat");
    if (s.st_size != (5LL << 30) + 1 || s.st_blocks > 1000)
        exit(1);
    count[STAT]++;
    close(fd);
    row("sparse", 1, 1 + end, 4097, 1, 1);
}

static void named(const char *name, const char *shown)
{
    int fd = make(name);
    put(fd, 7, 2);
    must(fsync(fd), "fsync");
    count[WSTAT]++;
    close(fd);
    row(shown, 1, 0, 0, 2, 14);
}

static void large(void)
{
    memset(buffer, 'a', sizeof buffer);
    int fd = make("large");
    put(fd, 1000000, 3);
    must(lseek(fd, 0, SEEK_SET), "lseek");
    long reads = drain(fd, 500000);
    close(fd);
    row("large", 1, reads, 3000000, 3, 3000000);
}

static void *in_thread(void *arg)
{
    int fd = *(int *)arg;
    put(fd, 10, 100);
    return NULL;
}

static void threads(void)
{
    pthread_t t[THREADS];
    int fd[THREADS];
    for (int i = 0; i < THREADS; i++) {
        char name[16];
        snprintf(name, sizeof name, "thread%d", i);
        fd[i] = make(name);
        must(-pthread_create(&t[i], NULL, in_thread, &fd[i]), "thread");
        row(name, 1, 0, 0, 100, 1000);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(t[i], NULL);
        close(fd[i]);
    }
}

static void children(void)
{
    char name[16];
    fflush(expected);
    for (int i = 0; i < CHILDREN; i++) {
        snprintf(name, sizeof name, "child%d", i);
        pid_t pid = (pid_t)must(fork(), "fork");
        if (pid == 0) {
            put(make(name), 7, 5);
            _exit(0);
        }
        waitpid(pid, NULL, 0);
        count[CREATE]++;
        count[CLUNK]++;
        row(name, 1, 0, 0, 5, 35);
    }
}

static void directories(void)
{
    struct stat s;
    must(mkdir("dir", 0755), "mkdir");
    must(symlink("new", "link"), "symlink");
    must(link("new", "dir/hard"), "link");
    count[CREATE] += 3;
    must(chmod("dir", 0711), "chmod");
    must(truncate("new", 5), "truncate");
    count[WSTAT] += 2;
    for (int i = 0; i < 10; i++)
        must(i & 1 ? stat("dir", &s) : stat("link", &s), "stat");
    count[STAT] += 10;
    must(unlink("dir/hard"), "unlink");
    must(rmdir("dir"), "rmdir");
    count[REMOVE] += 2;
}

int main(int argc, char **argv)
{
    char name[256];
    if (argc < 3)
        return 0;
    by_9p = argc > 3;
    expected = fopen(argv[2], "w");
    if (!expected)
        return 1;
    must(chdir(argv[1]), argv[1]);
    renamed();
    deleted();
    sparse();
    memset(name, 'n', 255);
    name[255] = '\0';
    named(name, name);
    named("two\nlines", "two\\012lines");
    large();
    threads();
    children();
    directories();
    for (int i = 0; i < MESSAGES; i++)
        fprintf(expected, "%s %ld\n", message[i], count[i]);
    return fclose(expected) ? 1 : 0;
}
