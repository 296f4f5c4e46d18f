/*
 * chain_kinds KIND MS: uses the processor for MS milliseconds at the end of a call chain of a kind
 * that is hard to unwind; built without frame pointers. All end in leaf.
 *
 *   handler   in a signal's handler, which interrupted code in the middle of a function
 *   alloca    above a function that moves its stack by as much as it is told
 *   deep      below 2000 calls of one function, further out than a slice of the stack reaches
 *   shallow   below 20 calls of it
 *   dozen     below 12 calls with frames of 1 KB, all of it written
 *   forty     below 40 of them
 *   wide      below a frame of 200 KB, of which little is ever written
 *   brief     in a function that is called anew all the time and has such a frame
 *   compiled  in code that stands in memory alone, as a JIT compiler's, and keeps a frame pointer
 *   mute      in such code that does not
 */
#include <alloca.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>

#define NO_INLINE __attribute__((noinline, noclone))

static volatile unsigned sink;
static clock_t end;

NO_INLINE unsigned leaf(unsigned seed)
{
    for (int i = 0; i < 100000; i++)
        sink = sink * 1103515245u + seed;
    return sink;
}

/* --- handler --- */

static volatile sig_atomic_t handled;

NO_INLINE void handler(int sig)
{
    while (clock() < end)
        leaf((unsigned)sig);
    handled = 1;
}

NO_INLINE unsigned interrupted(void)
{
    unsigned n = 0;
    while (!handled)
        n++;
    return n;
}

NO_INLINE unsigned of_handler(void)
{
    struct itimerval soon = {.it_value = {0, 20000}}; /* long enough to come to interrupted first */
    signal(SIGVTALRM, handler);
    setitimer(ITIMER_VIRTUAL, &soon, NULL);
    return interrupted() + 1;
}

/* --- alloca --- */

NO_INLINE unsigned moves(size_t bytes)
{
    volatile char *room = alloca(bytes);
    memset((char *)room, 1, bytes); /* of a page never touched the kernel copies nothing */
    return leaf((unsigned)bytes) + (unsigned)room[bytes - 1];
}

NO_INLINE unsigned of_alloca(void)
{
    unsigned sum = 0;
    for (size_t bytes = 16; clock() < end; bytes = bytes % 8000 + 112)
        sum += moves(bytes);
    return sum;
}

/* --- deep, shallow --- */

NO_INLINE unsigned deeper(unsigned calls)
{
    volatile unsigned kept[16] = {calls};
    return (calls ? deeper(calls - 1) : leaf(calls)) + kept[0];
}

static unsigned below(unsigned calls)
{
    unsigned sum = 0;
    while (clock() < end)
        sum += deeper(calls);
    return sum;
}

NO_INLINE unsigned of_deep(void)
{
    return below(2000) + 1;
}

NO_INLINE unsigned of_shallow(void)
{
    return below(20) + 1;
}

/* --- dozen, forty --- */

NO_INLINE unsigned filled(unsigned calls)
{
    volatile unsigned char kept[1024];
    for (size_t i = 0; i < sizeof kept; i++)
        kept[i] = (unsigned char)calls;
    return (calls > 1 ? filled(calls - 1) : leaf(calls)) + kept[calls];
}

static unsigned below_filled(unsigned calls)
{
    unsigned sum = 0;
    while (clock() < end)
        sum += filled(calls);
    return sum;
}

NO_INLINE unsigned of_dozen(void)
{
    return below_filled(12) + 1;
}

NO_INLINE unsigned of_forty(void)
{
    return below_filled(40) + 1;
}

/* --- wide, brief --- */

enum { WIDE = 200000 };

NO_INLINE unsigned wide(void)
{
    volatile unsigned char kept[WIDE];
    unsigned sum = 0;
    kept[0] = kept[WIDE - 1] = 1;
    while (clock() < end)
        sum += leaf(kept[0]);
    return sum + kept[WIDE - 1];
}

NO_INLINE unsigned of_wide(void)
{
    return wide() + 1;
}

NO_INLINE unsigned brief(unsigned seed)
{
    volatile unsigned char kept[WIDE];
    kept[0] = kept[WIDE - 1] = (unsigned char)seed;
    unsigned sum = leaf(kept[0]);
    return sum + kept[WIDE - 1];
}

/* Where the other has its return address, and its buffer's end, this one's buffer is. */
NO_INLINE unsigned covers(unsigned seed)
{
    volatile unsigned char kept[WIDE + 4096];
    for (size_t i = 0; i < sizeof kept; i++)
        kept[i] = (unsigned char)seed;
    return leaf(kept[0]) + kept[WIDE];
}

NO_INLINE unsigned of_brief(void)
{
    unsigned sum = 0;
    while (clock() < end)
        sum += brief(1) + covers(2);
    return sum + 1;
}

/* --- compiled, mute --- */

typedef unsigned calls(unsigned seed, unsigned (*what)(unsigned));

/* Calls what(seed), with a frame pointer and without. */
#if defined __x86_64__
static const uint8_t keeps_one[] = {0x55, 0x48, 0x89, 0xe5, 0xff, 0xd6, 0x5d, 0xc3};
static const uint8_t keeps_none[] = {0x48, 0x83, 0xec, 0x18, 0xff, 0xd6,
                                     0x48, 0x83, 0xc4, 0x18, 0xc3};
#elif defined __aarch64__
static const uint32_t keeps_one[] = {0xa9bf7bfd, 0x910003fd, 0xd63f0020, 0xa8c17bfd, 0xd65f03c0};
static const uint32_t keeps_none[] = {0xf81e0ffe, 0xd63f0020, 0xf84207fe, 0xd65f03c0};
#else /* Thumb: push {r7, lr}; mov r7, sp; blx r1; pop {r7, pc} */
static const uint16_t keeps_one[] = {0xb580, 0x466f, 0x4788, 0xbd80};
static const uint16_t keeps_none[] = {0xb500, 0xb083, 0x4788, 0xb003, 0xbd00};
#endif

static calls *compile(const void *code, size_t len)
{
    char *at =
        mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED)
        exit(1);
    memcpy(at, code, len);
    __builtin___clear_cache(at, at + len);
#ifdef __arm__
    at += 1;
#endif
    return (calls *)(uintptr_t)at;
}

static unsigned in_compiled(calls *code)
{
    unsigned sum = 0;
    while (clock() < end)
        sum += code(sum, leaf);
    return sum;
}

NO_INLINE unsigned of_compiled(void)
{
    return in_compiled(compile(keeps_one, sizeof keeps_one)) + 1;
}

NO_INLINE unsigned of_mute(void)
{
    return in_compiled(compile(keeps_none, sizeof keeps_none)) + 1;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        unsigned (*run)(void);
    } kind[] = {{"handler", of_handler},   {"alloca", of_alloca}, {"deep", of_deep},
                {"shallow", of_shallow},   {"dozen", of_dozen},   {"forty", of_forty},
                {"compiled", of_compiled}, {"mute", of_mute},     {"wide", of_wide},
                {"brief", of_brief}};
    end = clock() + (argc > 2 ? atol(argv[2]) : 100) * (CLOCKS_PER_SEC / 1000);
    for (size_t i = 0; argc > 1 && i < sizeof kind / sizeof *kind; i++)
        if (strcmp(kind[i].name, argv[1]) == 0)
            return kind[i].run() == 0;
    return 2;
}
