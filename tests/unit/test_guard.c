#include "unit.h"

#include "plat/guard.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static int well(void *arg)
{
    return *(int *)arg;
}

static int null(void *arg)
{
    return **(int *volatile *)arg;
}

static int aborts(void *arg)
{
    (void)arg;
    abort();
}

static int truncated(void *arg)
{
    return *(volatile char *)arg;
}

static int overflow(void *arg)
{
    volatile char deep[4096];
    deep[0] = (char)(uintptr_t)arg;
    return arg ? overflow((char *)arg + 1) + deep[0] : 0;
}

static int nested(void *arg)
{
    int *none = NULL;
    struct fail f;
    int r = guard_call(null, &none, &f);
    CHECK_INT(r, -EFAULT);
    CHECK_INT(guard_call(well, arg, NULL), 7);
    return null(&none);
}

static void ends(int (*fn)(void *), void *arg, const char *what)
{
    struct fail f = {0};
    if (!guard_is_active())
        return;
    for (int i = 0; i < 3; i++) {
        CHECK_INT(guard_call(fn, arg, &f), -EFAULT);
        CHECK_STR(f.what, what);
    }
}

TEST(guard_passes_results)
{
    int seven = 7;
    CHECK_INT(guard_call(well, &seven, NULL), 7);
}

TEST(guard_ends_crashes)
{
    int *none = NULL, seven = 7;
    ends(null, &none, "crashed with SIGSEGV");
    ends(aborts, NULL, "crashed with SIGABRT");
    ends(overflow, &seven, "crashed with SIGSEGV");
    ends(nested, &seven, "crashed with SIGSEGV");
}

TEST(guard_reads_a_truncated_mapping)
{
    char path[] = "/tmp/guard.XXXXXX";
    int fd = mkstemp(path);
    unlink(path);
    CHECK_INT(ftruncate(fd, 8192), 0);
    char *map = mmap(NULL, 8192, PROT_READ, MAP_PRIVATE, fd, 0);
    CHECK_INT(ftruncate(fd, 0), 0);
    ends(truncated, map + 4096, "crashed with SIGBUS");
    munmap(map, 8192);
    close(fd);
}

enum { PAGE = 65536 }; /* of any processor */

/* Three pages of a file of which one byte is left. */
static char *map_truncated(int *fd)
{
    char path[] = "/tmp/guard.XXXXXX";
    *fd = mkstemp(path);
    unlink(path);
    CHECK_INT(write(*fd, "names", 5), 5);
    CHECK_INT(ftruncate(*fd, 3 * PAGE), 0);
    char *map = mmap(NULL, 3 * PAGE, PROT_READ, MAP_PRIVATE, *fd, 0);
    CHECK_INT(ftruncate(*fd, 1), 0);
    return map;
}

/* An emulator of programs may not tell where it was, or begin again for ever. */
static bool tells_addresses(char *map)
{
    int status = 0;
    pid_t child = fork(), ended = 0;
    if (child == 0)
        _exit(truncated(map));
    for (int ms = 0; ms < 5000 && !ended; ms += 10) {
        usleep(10000);
        ended = waitpid(child, &status, WNOHANG);
    }
    if (!ended) {
        kill(child, SIGKILL);
        waitpid(child, &status, 0);
    }
    return WIFEXITED(status);
}

TEST(guard_reads_zeros_where_a_file_was_truncated)
{
    struct sigaction before, ignored;
    int fd;
    char *map = map_truncated(&fd);
    sigaction(SIGBUS, &(struct sigaction){.sa_handler = SIG_IGN}, &before);
    guard_truncated_files();
    sigaction(SIGBUS, &(struct sigaction){.sa_handler = SIG_DFL}, &ignored);
    CHECK(ignored.sa_handler == SIG_IGN);
    guard_truncated_files();
    if (tells_addresses(map + PAGE)) {
        CHECK_INT(truncated(map + PAGE), 0);
        CHECK_INT(truncated(map + 3 * PAGE - 1), 0);
        CHECK_INT(truncated(map), 'n');
        ends(truncated, map + 2 * PAGE - 1, "crashed with SIGBUS");
    }
    sigaction(SIGBUS, &before, NULL);
    munmap(map, 3 * PAGE);
    close(fd);
}

static void mine(int sig)
{
    (void)sig;
}

TEST(guard_restores_handlers)
{
    struct sigaction before, a = {.sa_handler = mine}, after;
    stack_t stack;
    int seven = 7;
    sigaction(SIGSEGV, &a, &before);
    guard_call(well, &seven, NULL);
    ends(aborts, NULL, "crashed with SIGABRT");
    sigaction(SIGSEGV, &before, &after);
    CHECK(after.sa_handler == mine);
    sigaltstack(NULL, &stack);
    CHECK(!guard_is_active() || stack.ss_flags & SS_DISABLE);
}
