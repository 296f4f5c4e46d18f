/*
 * unwindself [-w] [-v] [SECONDS]: unwinds itself, interrupted at random instants by a timer's
 * signal, and compares with what glibc's backtrace(), which is the compiler's own unwinder, says at
 * the same instant: from the interrupted registers, and from the handler's own through the frame of
 * the signal. Its work is what unwinders stumble over: recursion, alloca, functions that align
 * their stack, callbacks out of the library, hand-written assembly, longjmp, signals within
 * signals, another stack.
 *
 * -w: the work alone, for somebody else to stop. Prints `N stops, N same, N through the signal, N
 * times further, N whole, N frames; backtrace() crashed N times`; exit status 1 when fewer than 98
 * of 100 are the same or whole, 77 on a processor without such a test.
 */
#include "core/elf/elf.h"
#include "core/sample/maps.h"
#include "core/unwind/unwind.h"
#include "plat/file.h"

#include <alloca.h>
#include <execinfo.h>
#include <inttypes.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#pragma GCC optimize("omit-frame-pointer")

enum { FRAMES = 512, MODULES = 32, RANGES = 64, SHOWN = 5 };

/* --- the processor --- */

#if defined(__x86_64__)
static const enum unwind_machine machine = UNWIND_X86_64;
static void registers_of(const ucontext_t *c, struct unwind_regs *out)
{
    static const int order[] = {REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI,
                                REG_RBP, REG_RSP, REG_R8,  REG_R9,  REG_R10, REG_R11,
                                REG_R12, REG_R13, REG_R14, REG_R15};
    for (int i = 0; i < 16; i++)
        out->r[i] = (uint64_t)c->uc_mcontext.gregs[order[i]];
    out->r[UNWIND_PC] = (uint64_t)c->uc_mcontext.gregs[REG_RIP];
    out->known = 0xffff | UINT64_C(1) << UNWIND_PC;
}
#elif defined(__aarch64__)
static const enum unwind_machine machine = UNWIND_AARCH64;
static void registers_of(const ucontext_t *c, struct unwind_regs *out)
{
    for (int i = 0; i < 31; i++)
        out->r[i] = c->uc_mcontext.regs[i];
    out->r[31] = c->uc_mcontext.sp;
    out->r[UNWIND_PC] = c->uc_mcontext.pc;
    out->known = UINT64_MAX >> (63 - UNWIND_PC);
}
#else
static const enum unwind_machine machine = UNWIND_MACHINES;
static void registers_of(const ucontext_t *c, struct unwind_regs *out)
{
    (void)c;
    *out = (struct unwind_regs){0};
}
#endif

/* --- what the unwinder asks --- */

struct module {
    char path[sizeof((struct maps_line *)0)->path];
    struct cfi *cfi;
    struct elf_module *elf;
};
static struct range {
    uint64_t start, end, bias;
    struct cfi *cfi;
    bool executable;
} ranges[RANGES];
static size_t range_count;
static struct module modules[MODULES];
static size_t module_count;

static void open_module(struct module *m, const struct maps_line *l)
{
    struct image image = {0};
    if (strcmp(l->path, "[vdso]") == 0)
        image = (struct image){.data = (const uint8_t *)(uintptr_t)getauxval(AT_SYSINFO_EHDR),
                               .len = l->end - l->start};
    else if (l->path[0] != '/' || file_map(l->path, SIZE_MAX, &image, NULL) < 0)
        return;
    struct cfi_image bytes = {image.data, image.len, NULL};
    if (elf_open(image.data, image.len, &m->elf, NULL) == 0)
        cfi_new(&bytes, NULL, &m->cfi, NULL);
}

static struct module *module_of(const struct maps_line *l)
{
    for (size_t i = 0; i < module_count; i++)
        if (strcmp(modules[i].path, l->path) == 0)
            return &modules[i];
    if (module_count == MODULES)
        exit(1);
    struct module *m = &modules[module_count++];
    snprintf(m->path, sizeof m->path, "%s", l->path);
    open_module(m, l);
    return m;
}

static void take_line(const struct maps_line *l)
{
    uint64_t vaddr = 0;
    if (range_count == RANGES || strcmp(l->path, "[vsyscall]") == 0 || !strcmp(l->path, "[vvar]"))
        return;
    struct range *r = &ranges[range_count++];
    *r = (struct range){.start = l->start, .end = l->end, .executable = l->executable};
    struct module *m = l->executable ? module_of(l) : NULL;
    bool found = false;
    for (uint64_t off = 0; m && m->elf && !found && off < l->end - l->start; off += 0x400)
        if ((found = elf_vaddr(m->elf, l->file_offset + off, &vaddr)))
            r->bias = l->start + off - vaddr;
    r->cfi = m ? m->cfi : NULL;
}

static void read_maps(void)
{
    struct buf text = BUF_INIT;
    struct maps_line l;
    if (file_read("/proc/self/maps", 1 << 20, &text, NULL) < 0)
        exit(1);
    const char *at = buf_str(&text);
    while (maps_next(&at, &l))
        take_line(&l);
    buf_release(&text);
}

static const struct range *range_at(uint64_t addr)
{
    for (size_t i = 0; i < range_count; i++)
        if (addr - ranges[i].start < ranges[i].end - ranges[i].start)
            return &ranges[i];
    return NULL;
}

static bool memory(void *arg, uint64_t addr, void *bytes, size_t len)
{
    (void)arg;
    struct iovec to = {bytes, len}, from = {(void *)(uintptr_t)addr, len};
    return process_vm_readv(getpid(), &to, 1, &from, 1, 0) == (ssize_t)len;
}

static bool code(void *arg, uint64_t pc, struct unwind_code *out)
{
    (void)arg;
    const struct range *r = range_at(pc);
    if (!r || !r->executable)
        return false;
    *out = (struct unwind_code){r->cfi, r->bias};
    return true;
}

/* --- the comparison --- */

static volatile size_t stops, same, through, further, whole, frames, shown, crashed;
static bool verbose;
static struct unwind_frame got[FRAMES];

static struct unwind_result chain_of(const ucontext_t *c)
{
    struct unwind_regs regs;
    registers_of(c, &regs);
    struct unwind_space space = {.machine = machine, .memory = memory, .code = code};
    return unwind(&space, &regs, got, FRAMES);
}

__attribute__((noinline)) static size_t index_of(void *const *pcs, size_t count, uint64_t pc)
{
    size_t i = 0;
    while (i < count && (uint64_t)(uintptr_t)pcs[i] != pc)
        i++;
    return i;
}

/* Ours from a frame on is the same as theirs; or it goes on to the outermost where theirs stops, as
 * backtrace() does at code without call frame information. */
static bool equal(const struct unwind_result *r, size_t from, void *const *theirs, size_t count)
{
    size_t i = 0;
    while (from + i < r->frames && i < count && got[from + i].pc == (uint64_t)(uintptr_t)theirs[i])
        i++;
    if (i == count && from + i < r->frames && r->end == UNWIND_WHOLE)
        further++;
    return count && i == count && (from + i == r->frames || r->end == UNWIND_WHOLE);
}

static void show(const char *what, const struct unwind_result *r, void *const *theirs, size_t count)
{
    if (!verbose || shown++ >= SHOWN)
        return;
    printf("%s: %zu frames, backtrace %zu; %s at %" PRIx64 "\n", what, r->frames, count,
           unwind_end_name(r->end), r->at);
    for (size_t i = 0; i < r->frames || i < count; i++)
        printf("  %" PRIx64 " (%d) %" PRIx64 "\n", i < r->frames ? got[i].pc : 0,
               i < r->frames ? got[i].method : 0, i < count ? (uint64_t)(uintptr_t)theirs[i] : 0);
}

/* One at a time: where all this takes long, the work still gets its turn. */
static void next_timer(void)
{
    static unsigned step;
    step = step * 1103515245 + 12345;
    setitimer(ITIMER_PROF, &(struct itimerval){{0, 0}, {0, 1000 + step % 3000}}, NULL);
}

/* backtrace() reads what it takes for frames without asking: where code has no call frame
 * information, some of it is no memory. Such a stop has nothing to be compared with. */
static sigjmp_buf gave_up;
static volatile sig_atomic_t asking;

static void on_crash(int sig)
{
    if (asking)
        siglongjmp(gave_up, 1);
    signal(sig, SIG_DFL);
    raise(sig);
}

static bool their_chain(void **pc, size_t *count)
{
    bool told = sigsetjmp(gave_up, 1) == 0;
    asking = told;
    if (told)
        *count = (size_t)backtrace(pc, FRAMES);
    asking = 0;
    return told;
}

static void compare(void *context)
{
    void *theirs[FRAMES];
    ucontext_t here;
    size_t count;
    if (!their_chain(theirs, &count)) {
        crashed++;
        return;
    }
    struct unwind_result r = chain_of(context);
    uint64_t pc = r.frames ? got[0].pc : 0;
    size_t at = index_of(theirs, count, pc);
    stops++;
    whole += r.end == UNWIND_WHOLE;
    frames += r.frames;
    if (equal(&r, 0, theirs + at, count - at))
        same++;
    else
        show("interrupted", &r, theirs + at, count - at);
    getcontext(&here);
    r = chain_of(&here);
    size_t ours = 0;
    while (ours < r.frames && got[ours].pc != pc)
        ours++;
    if (ours < r.frames && equal(&r, ours, theirs + at, count - at))
        through++;
    else
        show("handler", &r, theirs, count);
}

static void on_timer(int sig, siginfo_t *info, void *context)
{
    (void)sig;
    (void)info;
    compare(context);
    next_timer();
}

/* --- the work --- */

static volatile uint64_t sink;
static jmp_buf back;

__attribute__((noinline)) static void spin(int n)
{
    for (volatile int i = 0; i < n; i++)
        ;
}

__attribute__((noinline)) static int recurse(int n, int (*leaf)(int))
{
    volatile char room[40];
    room[n % 40] = (char)n;
    return n ? recurse(n - 1, leaf) + room[n % 40] : leaf(n);
}

__attribute__((noinline)) static int stretches(int n)
{
    char *room = alloca((size_t)(n % 7) * 100 + 16);
    memset(room, n, (size_t)(n % 7) * 100 + 16);
    spin(200);
    return n > 40 ? room[3] : stretches(n + 1) + room[5];
}

__attribute__((noinline)) static int aligned(int n)
{
    volatile _Alignas(64) char room[128];
    char *more = alloca((size_t)n % 30 + 1);
    more[0] = (char)n;
    room[n & 127] = more[0];
    spin(300);
    return n ? aligned(n - 1) + room[n & 127] : 1;
}

__attribute__((noinline)) static int large(int n)
{
    volatile char room[70000];
    room[n * 1000] = 1;
    spin(500);
    return n ? large(n - 1) + room[n * 1000] : 0;
}

static int by_number(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

__attribute__((noinline)) static int sorts(int n)
{
    int numbers[200];
    for (int i = 0; i < 200; i++)
        numbers[i] = i * 7919 % 200 + n;
    qsort(numbers, 200, sizeof *numbers, by_number);
    return numbers[7];
}

__attribute__((noinline)) static int texts(int n)
{
    static char from[20000], to[20000];
    char line[200];
    memset(from, 'x', sizeof from - 1);
    memcpy(to, from, sizeof to);
    sink += strlen(to) + (size_t)(strchr(to, 'y') != NULL);
    snprintf(line, sizeof line, "%d %f %s", n, 1.0 / (n + 3), "text");
    return line[0];
}

__attribute__((noinline)) static int jumps_deep(int n)
{
    spin(100);
    if (sink + (uint64_t)n == 0) /* never */
        return 0;
    if (n > 0)
        return jumps_deep(n - 1) + 1;
    longjmp(back, 1);
}

__attribute__((noinline)) static void jumps(void)
{
    if (setjmp(back) == 0)
        sink += (uint64_t)jumps_deep(20);
}

static void on_signal(int sig)
{
    (void)sig;
    sink += (uint64_t)recurse(5, sorts);
}

__attribute__((noinline)) static void work(void)
{
    sink += (uint64_t)recurse(30, texts) + (uint64_t)recurse(3, sorts);
    sink += (uint64_t)stretches(0) + (uint64_t)aligned(12) + (uint64_t)large(8);
    jumps();
    raise(SIGUSR1);
    raise(SIGUSR2);
}

static void handle(int sig, void (*plain)(int), void (*full)(int, siginfo_t *, void *), int flags)
{
    struct sigaction a = {.sa_flags = flags | SA_RESTART};
    if (full)
        a.sa_sigaction = full;
    else
        a.sa_handler = plain;
    sigaction(sig, &a, NULL);
}

static char other_stack[1 << 17];

static void prepare(void)
{
    void *pc[4];
    stack_t other = {.ss_sp = other_stack, .ss_size = sizeof other_stack};
    sigaltstack(&other, NULL);
    handle(SIGUSR1, on_signal, NULL, 0);
    handle(SIGSEGV, on_crash, NULL, SA_NODEFER);
    handle(SIGUSR2, on_signal, NULL, SA_ONSTACK);
    backtrace(pc, 4); /* loads its library */
}

static void measure(void)
{
    large(14); /* the stack is as large as it becomes */
    read_maps();
    handle(SIGPROF, NULL, on_timer, SA_SIGINFO);
    next_timer();
}

static void work_for(double seconds)
{
    clock_t end = clock() + (clock_t)(seconds * CLOCKS_PER_SEC);
    while (clock() < end)
        work();
}

static int report(void)
{
    setitimer(ITIMER_PROF, &(struct itimerval){{0, 0}, {0, 0}}, NULL);
    printf("%zu stops, %zu same, %zu through the signal, %zu times further, %zu whole, %zu frames; "
           "backtrace() crashed %zu times\n",
           stops, same, through, further, whole, frames, crashed);
    return stops < 20 || same * 100 < stops * 98 || through * 100 < stops * 98 ||
           whole * 100 < stops * 98;
}

int main(int argc, char **argv)
{
    bool alone = false;
    double seconds = 2;
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "-w") == 0)
            alone = true;
        else if (strcmp(argv[i], "-v") == 0)
            verbose = true;
        else
            seconds = atof(argv[i]);
    if (machine == UNWIND_MACHINES)
        return 77;
    prepare();
    if (!alone)
        measure();
    work_for(seconds);
    return alone ? 0 : report();
}
