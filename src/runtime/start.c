/* The beginning and the end: the environment, the file's name, the header, the last words. */
#include "cpu.h"
#include "runtime.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <time.h>
#include <unistd.h>

enum { MAX_NODES = 1 << 28, DIGITS = 20, MAX_ATTEMPTS = 99 };

int psprof_mode = RT_UNSTARTED;
int psprof_running;
bool psprof_forks;

void rt_mode_set(int mode)
{
    psprof_mode = mode;
    rt_hooks_set(mode);
}

static int state; /* 0 not begun, 1 beginning, 2 begun */
static char directory[PSPROF_PATH_BYTES - 64], path[PSPROF_PATH_BYTES];

static char *append_text(char *at, const char *end, const char *text)
{
    while (*text && at < end - 1)
        *at++ = *text++;
    *at = 0;
    return at;
}

static char *append_number(char *at, const char *end, uint64_t n)
{
    char digits[DIGITS + 1], *d = digits + DIGITS;
    *d = 0;
    do
        *--d = (char)('0' + n % 10);
    while (n /= 10);
    return append_text(at, end, d);
}

static void write_line(const char *line)
{
    struct rt_quiet quiet;
    rt_quiet_begin(&quiet);
    ssize_t n = write(2, line, strlen(line));
    rt_quiet_end(&quiet, n < 0 ? errno : 0);
}

void rt_warn(const char *what, const char *why)
{
    char line[PSPROF_PATH_BYTES + 128], *end = line + sizeof line, *at = line;
    at = append_text(at, end - 1, "psprof: ");
    at = append_text(at, end - 1, what);
    at = append_text(at, end - 1, ": ");
    at = append_text(at, end - 1, why);
    append_text(at, end, "\n");
    write_line(line);
}

static const struct {
    const char *word;
    int type;
} types[] = {{"elapsed", PSPROF_ELAPSED},  {"time", PSPROF_ELAPSED},  {"kernel", PSPROF_KERNEL},
             {"user", PSPROF_USER},        {"sample", PSPROF_SAMPLE}, {"count", PSPROF_COUNT},
             {"adaptive", PSPROF_ADAPTIVE}};

static int asked_type(void)
{
    const char *word = getenv("proftype");
    if (!word || !*word)
        return PSPROF_ELAPSED;
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (strcmp(word, types[i].word) == 0)
            return types[i].type;
    rt_warn("proftype",
            "not elapsed, time, kernel, user, sample, count or adaptive: using elapsed");
    return PSPROF_ELAPSED;
}

static uint32_t asked_nodes(void)
{
    const char *word = getenv("profsize");
    if (!word || !*word)
        return PSPROF_USUAL_NODES;
    char *end;
    unsigned long n = strtoul(word, &end, 10);
    if (*end || n == 0 || *word == '-') {
        rt_warn("profsize", "not a number of tree nodes: using 1048576");
        return PSPROF_USUAL_NODES;
    }
    return n < MAX_NODES ? (uint32_t)n : MAX_NODES;
}

/* Where the program started, or where profdir tells; absolute, as the program may go elsewhere. */
static void find_directory(void)
{
    const char *asked = getenv("profdir");
    if (asked && *asked == '/') {
        append_text(directory, directory + sizeof directory, asked);
        return;
    }
    if (!getcwd(directory, sizeof directory))
        append_text(directory, directory + sizeof directory, ".");
    if (!asked || !*asked)
        return;
    char *at = directory + strlen(directory), *end = directory + sizeof directory;
    at = append_text(at, end, "/");
    append_text(at, end, asked);
}

/* attempt: how many programs this process had before, or others whose number it has. */
static const char *file_name(unsigned attempt)
{
    char *end = path + sizeof path, *at = append_text(path, end, directory);
    at = append_text(at, end, "/prof.");
    at = append_number(at, end, (uint64_t)getpid());
    if (attempt)
        append_number(append_text(at, end, "-"), end, attempt);
    return path;
}

static int make_file(uint32_t nodes)
{
    int err = rt_store_open(file_name(0), nodes);
    for (unsigned attempt = 1; err == -EEXIST && attempt <= MAX_ATTEMPTS; attempt++)
        err = rt_store_open(file_name(attempt), nodes);
    return err;
}

static void read_command(struct psprof_header *h)
{
    int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? 0 : read(fd, h->command, sizeof h->command);
    if (fd >= 0)
        close(fd);
    while (n > 0 && h->command[n - 1])
        h->command[--n] = 0;
}

static void fill_header(struct psprof_header *h)
{
    h->byte_order = PSPROF_BYTE_ORDER;
    h->header_bytes = PSPROF_HEADER_BYTES;
    h->slot_bytes = PSPROF_SLOT_BYTES;
    h->machine = RT_MACHINE;
    h->pid = (uint32_t)getpid();
    h->parent_pid = (uint32_t)getppid();
    h->start_ns = rt_clock_ns(CLOCK_REALTIME);
    read_command(h);
}

static uint64_t cpu_at_start; /* CPU time of the process */

/* The magic comes last: a file without it is one that never began. None is made with the rights of
   a set-user-id program, for the user who chose its environment and directory. */
int rt_start_with(uint32_t nodes, int type)
{
    if (getauxval(AT_SECURE))
        return -EPERM;
    int err = make_file(nodes);
    if (err) {
        rt_warn(strrchr(path, '/') + 1, strerror(-err));
        return err;
    }
    struct psprof_header *h = psprof_header;
    rt_filter_watch();
    fill_header(h);
    psprof_running = rt_clock_choose(h, type);
    rt_modules_scan();
    rt_calibrate(h);
    rt_adapt_start(h);
    cpu_at_start = rt_clock_ns(CLOCK_PROCESS_CPUTIME_ID);
    RT_ORDERED();
    memcpy(h->magic, PSPROF_MAGIC, PSPROF_MAGIC_BYTES);
    return 0;
}

static bool is_wanted(void)
{
    const char *word = getenv("profstart");
    return !word || strcmp(word, "0") != 0;
}

static void begin_recording(void)
{
    rt_mode_set(RT_OFF);
    rt_fork_watch();
    find_directory();
    psprof_forks = getenv("PROFFORK") != NULL;
    if (rt_start_with(asked_nodes(), asked_type()) != 0)
        return;
    rt_mode_set(is_wanted() ? psprof_running : RT_OFF);
}

__attribute__((constructor(101))) void rt_start(void)
{
    int none = 0, kept = errno;
    if (__atomic_load_n(&state, __ATOMIC_ACQUIRE) == 2 ||
        !__atomic_compare_exchange_n(&state, &none, 1, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
        return;
    begin_recording();
    __atomic_store_n(&state, 2, __ATOMIC_RELEASE);
    errno = kept;
}

bool rt_has_started(void)
{
    return __atomic_load_n(&state, __ATOMIC_ACQUIRE) == 2;
}

/* A child that is recorded on: a file of its own, of the parent's kind. */
int rt_start_child(void)
{
    return rt_start_with(asked_nodes(), asked_type());
}

static uint64_t count_errors(void)
{
    uint64_t n = 0;
    for (const struct rt_thread *t = psprof_threads; t; t = t->next)
        n += t->slot->refused_nodes;
    return n;
}

/* As Plan 9 says it. */
static void say_errors(uint64_t n)
{
    char line[DIGITS + 16], *end = line + sizeof line, *at = append_number(line, end, n);
    append_text(at, end, " Prof errors\n");
    write_line(line);
}

__attribute__((destructor(101))) static void finish_recording(void)
{
    int kept = errno;
    struct psprof_header *h = psprof_header;
    if (h && h->pid == (uint32_t)getpid()) {
        rt_threads_end();
        h->cpu_ns = rt_clock_ns(CLOCK_PROCESS_CPUTIME_ID) - cpu_at_start;
        rt_clock_remeasure(h);
        h->end_ticks = psprof_clock ? rt_run_ticks(h) : 1;
        if (psprof_mode == psprof_running)
            rt_calibrate(h);
        uint64_t n = count_errors();
        if (n)
            say_errors(n);
    }
    errno = kept;
}
