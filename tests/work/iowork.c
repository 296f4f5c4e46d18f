/* iowork FOLDER EXPECTED [ONE_OF]: file calls of all kinds, counted as they are made; what a tracer
 * should have counted goes to EXPECTED: `MESSAGE COUNT', `bytes READ WRITTEN' and, a file each,
 * `file OPENS READS BYTES WRITES BYTES NAME'. Of what is done often, one of ONE_OF times. Linked
 * statically: the loader's calls would be in. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { OPEN, CREATE, READ, WRITE, CLUNK, REMOVE, STAT, WSTAT, WALK, MESSAGES };
static const char *const message[] = {"open",   "create", "read",  "write", "clunk",
                                      "remove", "stat",   "wstat", "walk"};

enum { FILES = 16, THREADS = 4, EACH = 100, RECORD = 4096 };
struct file {
    char name[300];
    long opens, reads, writes;
    long long read_bytes, written_bytes;
};
struct counts { /* shared with the children */
    long message[MESSAGES];
    long long read_bytes, written_bytes;
    struct file file[FILES];
    int files;
};
static struct counts *c;
static int one_of = 1;

static void *check(void *p)
{
    if (!p || p == MAP_FAILED)
        exit(1);
    return p;
}

static void must(long r, const char *what)
{
    if (r < 0) {
        perror(what);
        exit(1);
    }
}

static struct file *file(const char *name)
{
    for (int i = 0; i < c->files; i++)
        if (strcmp(c->file[i].name, name) == 0)
            return &c->file[i];
    if (c->files == FILES)
        exit(1);
    struct file *f = &c->file[c->files++];
    snprintf(f->name, sizeof f->name, "%s", name);
    return f;
}

static int opens(const char *name, int flags)
{
    int fd = open(name, flags, 0644);
    __atomic_fetch_add(&c->message[flags & O_CREAT ? CREATE : OPEN], 1, __ATOMIC_RELAXED);
    return fd;
}

static void closes(int fd)
{
    must(close(fd), "close");
    __atomic_fetch_add(&c->message[CLUNK], 1, __ATOMIC_RELAXED);
}

static void wrote(struct file *f, long n)
{
    must(n, "write");
    __atomic_fetch_add(&c->message[WRITE], 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&c->written_bytes, n, __ATOMIC_RELAXED);
    __atomic_fetch_add(&f->writes, 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&f->written_bytes, n, __ATOMIC_RELAXED);
}

static void did_read(struct file *f, long n)
{
    must(n, "read");
    __atomic_fetch_add(&c->message[READ], 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&c->read_bytes, n, __ATOMIC_RELAXED);
    __atomic_fetch_add(&f->reads, 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&f->read_bytes, n, __ATOMIC_RELAXED);
}

static char bytes[RECORD];

static void plain(void)
{
    struct file *f = file("plain");
    struct iovec two[2] = {{bytes, 100}, {bytes, 23}};
    int fd = opens("plain", O_CREAT | O_RDWR | O_TRUNC);
    must(fd, "plain");
    for (int i = 0; i < 1000 / one_of; i++)
        wrote(f, write(fd, bytes, sizeof bytes));
    wrote(f, pwrite(fd, bytes, 7, 3));
    wrote(f, writev(fd, two, 2));
    wrote(f, pwritev(fd, two, 2, 5));
    must(lseek(fd, 0, SEEK_SET), "lseek");
    for (int i = 0; i < 500 / one_of; i++)
        did_read(f, read(fd, bytes, sizeof bytes));
    did_read(f, pread(fd, bytes, 11, 1));
    did_read(f, readv(fd, two, 2));
    did_read(f, pread(fd, bytes, 10, 1LL << 40)); /* behind its end */
    closes(fd);
    f->opens++;
}

static void names(void)
{
    char longest[256];
    memset(longest, 'n', 255);
    longest[255] = 0;
    const char *const name[] = {longest, "two\nlines", "with space"};
    for (int i = 0; i < 3; i++) {
        struct file *f = file(name[i]);
        int fd = opens(name[i], O_CREAT | O_WRONLY);
        must(fd, "names");
        wrote(f, write(fd, bytes, 10 + i));
        closes(fd);
        f->opens++;
    }
}

static void sparse(void)
{
    struct file *f = file("sparse");
    int fd = opens("sparse", O_CREAT | O_RDWR);
    must(ftruncate(fd, 5LL << 30), "ftruncate");
    c->message[WSTAT]++;
    wrote(f, pwrite(fd, "end", 3, (5LL << 30) - 3));
    did_read(f, pread(fd, bytes, 100, (5LL << 30) - 50));
    closes(fd);
    f->opens++;
}

static void renamed_and_deleted(void)
{
    struct file *f = file("before");
    int fd = opens("before", O_CREAT | O_RDWR);
    must(rename("before", "after"), "rename");
    c->message[WSTAT]++;
    wrote(f, write(fd, bytes, 50));
    must(unlink("after"), "unlink");
    c->message[REMOVE]++;
    wrote(f, write(fd, bytes, 60));
    int copy = dup(fd), other = fcntl(fd, F_DUPFD_CLOEXEC, 50), third = dup2(fd, 60);
    wrote(f, write(copy, bytes, 1));
    wrote(f, write(other, bytes, 2));
    wrote(f, write(third, bytes, 3));
    closes(fd);
    closes(other);
    closes(third);
    wrote(f, write(copy, bytes, 4));
    closes(copy);
    f->opens++; /* one, with four descriptors */
}

static void without_descriptors(void)
{
    struct stat s;
    struct statx x;
    must(mkdir("folder", 0755), "mkdir");
    must(symlink("folder", "link"), "symlink");
    must(link("plain", "hard"), "link");
    c->message[CREATE] += 3;
    must(stat("folder", &s), "stat");
    must(lstat("link", &s), "lstat");
    must(statx(AT_FDCWD, "plain", 0, STATX_BASIC_STATS, &x), "statx");
    stat("absent", &s);
    c->message[STAT] += 4;
    must(access("plain", R_OK), "access");
    must(chdir("folder"), "chdir");
    must(chdir(".."), "chdir");
    c->message[WALK] += 3;
    must(chmod("plain", 0600), "chmod");
    must(truncate("hard", 100), "truncate");
    must(utimensat(AT_FDCWD, "plain", NULL, 0), "utimensat");
    c->message[WSTAT] += 3;
    must(rmdir("folder"), "rmdir");
    must(unlink("link"), "unlink");
    must(unlink("hard"), "unlink");
    c->message[REMOVE] += 3;
    opens("absent", O_RDONLY);
}

static void between_files(void)
{
    struct file *from = file("from"), *to = file("to");
    int a = opens("from", O_CREAT | O_RDWR), b = opens("to", O_CREAT | O_RDWR);
    off_t start = 0;
    wrote(from, write(a, bytes, 1000));
    long n = sendfile(b, a, &start, 600);
    did_read(from, n);
    wrote(to, n);
    loff_t in = 0, out = 0;
    n = copy_file_range(a, &in, b, &out, 300, 0);
    if (n < 0) { /* counts as both, but moves nothing */
        c->message[READ]++;
        c->message[WRITE]++;
    } else {
        did_read(from, n);
        wrote(to, n);
    }
    closes(a);
    closes(b);
    from->opens++;
    to->opens++;
}

static void no_files(void)
{
    int p[2], s[2];
    must(pipe(p), "pipe");
    must(write(p[1], bytes, 100), "pipe");
    must(read(p[0], bytes, 100), "pipe");
    must(socketpair(AF_UNIX, SOCK_STREAM, 0, s), "socketpair");
    must(write(s[0], bytes, 50), "socket");
    must(read(s[1], bytes, 50), "socket");
    close(p[0]), close(p[1]), close(s[0]), close(s[1]);
}

static void *thread(void *arg)
{
    struct file *f = file("threads");
    int fd = *(int *)arg;
    for (int i = 0; i < EACH / one_of; i++)
        wrote(f, write(fd, bytes, 16));
    return NULL;
}

static void threads(void)
{
    pthread_t id[THREADS];
    file("threads")->opens++;
    int fd = opens("threads", O_CREAT | O_WRONLY | O_APPEND);
    for (int i = 0; i < THREADS; i++)
        must(-pthread_create(&id[i], NULL, thread, &fd), "thread");
    for (int i = 0; i < THREADS; i++)
        pthread_join(id[i], NULL);
    closes(fd);
}

/* They read what they inherited, and what they open themselves. */
static void children(void)
{
    struct file *f = file("plain");
    int fd = opens("plain", O_RDONLY);
    for (int i = 0; i < 5; i++) {
        pid_t pid = fork();
        must(pid, "fork");
        if (pid == 0) {
            did_read(f, pread(fd, bytes, 10, 0));
            int own = opens("plain", O_RDONLY);
            did_read(f, pread(own, bytes, 20, 0));
            _exit(0); /* closes it */
        }
        waitpid(pid, NULL, 0);
        f->opens++;
    }
    closes(fd);
    f->opens++;
}

static void tell(const char *path)
{
    char text[RECORD];
    int n = 0;
    int fd = opens(path, O_CREAT | O_WRONLY | O_TRUNC);
    must(fd, path);
    c->message[WRITE]++;
    c->written_bytes += sizeof text;
    memset(text, ' ', sizeof text);
    for (int i = 0; i < MESSAGES; i++)
        n += sprintf(text + n, "%s %ld\n", message[i], c->message[i] + (i == CLUNK));
    n += sprintf(text + n, "bytes %lld %lld\n", c->read_bytes, c->written_bytes);
    for (int i = 0; i < c->files; i++) {
        const struct file *f = &c->file[i];
        n += sprintf(text + n, "file %ld %ld %lld %ld %lld %s\n", f->opens, f->reads, f->read_bytes,
                     f->writes, f->written_bytes,
                     strcmp(f->name, "two\nlines") == 0 ? "two\\012lines" : f->name);
    }
    text[sizeof text - 1] = '\n';
    text[n] = ' ';
    must(write(fd, text, sizeof text), path);
    closes(fd);
}

int main(int argc, char **argv)
{
    c = check(mmap(NULL, sizeof *c, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    if (argc > 3)
        one_of = atoi(argv[3]);
    if (argc < 3 || one_of < 1 || one_of > EACH)
        return 2;
    must(chdir(argv[1]), argv[1]);
    c->message[WALK]++;
    plain();
    names();
    sparse();
    renamed_and_deleted();
    without_descriptors();
    between_files();
    no_files();
    threads();
    children();
    tell(argv[2]);
    return 0;
}
