/*
 * What the design of probes relies on, on x86-64: prints `claim: yes' or `claim: no' per line, and
 * fails if one does not hold.
 *
 * balanced: a hook takes the return address off the stack, calls the function with its arguments in
 * memory, and returns. punned: a jump over ENDBR64 whose last byte is the next instruction's first.
 * fsbase: RDFSBASE, where the kernel says that it may be used, has the thread pointer.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>

static int failed;

static void claim(const char *what, int holds)
{
    printf("%s: %s\n", what, holds ? "yes" : "no");
    failed |= !holds;
}

/* --- balanced returns --- */

long sum_of_eight(long a, long b, long c, long d, long e, long f, long g, long h);
long hooked_sum(long a, long b, long c, long d, long e, long f, long g, long h);
uint64_t shadow[64], shadow_depth;
__asm__(".text\n"
        "sum_of_eight:\n"
        "lea (%rdi,%rsi), %rax; add %rdx, %rax; add %rcx, %rax; add %r8, %rax; add %r9, %rax\n"
        "add 8(%rsp), %rax; add 16(%rsp), %rax\n"
        "ret\n"
        "hooked_sum:\n"
        "push %rax; push %rbx\n"
        "mov shadow_depth(%rip), %rax; lea shadow(%rip), %rbx\n"
        "lea (%rbx,%rax,8), %rax\n"
        "mov 16(%rsp), %rbx; mov %rbx, (%rax)\n"
        "incq shadow_depth(%rip)\n"
        "pop %rbx; pop %rax; lea 8(%rsp), %rsp\n"
        "call sum_of_eight\n"
        "sub $8, %rsp; push %rax; push %rbx\n"
        "decq shadow_depth(%rip)\n"
        "mov shadow_depth(%rip), %rax; lea shadow(%rip), %rbx\n"
        "mov (%rbx,%rax,8), %rbx; mov %rbx, 16(%rsp)\n"
        "pop %rbx; pop %rax\n"
        "ret\n");

static int is_balanced(void)
{
    long wrong = 0;
    for (long i = 0; i < 1000000; i++)
        wrong += hooked_sum(i, 1, 2, 3, 4, 5, 6, 7) != i + 28;
    return !wrong && !shadow_depth;
}

/* --- a jump over ENDBR64 --- */

static uint8_t *map_code(uint64_t at)
{
    void *p = mmap((void *)at, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

static void put_distance(uint8_t *at, const uint8_t *target)
{
    int32_t distance = (int32_t)(target - (at + 4));
    memcpy(at, &distance, 4);
}

/* endbr64; push %rbp; lea 1(%rdi), %rax; pop %rbp; ret. The distance ends with push's 0x55. */
static int is_punned(void)
{
    static const uint8_t code[] = {0xf3, 0x0f, 0x1e, 0xfa, 0x55, 0x48,
                                   0x8d, 0x47, 0x01, 0x5d, 0xc3};
    uint8_t *function = map_code(0x10000000), *target = map_code(0x10000000 + 0x55123000);
    if (!function || !target)
        return 0;
    memcpy(function, code, sizeof code);
    memcpy(target, "\x48\x83\xc7\x0a\xe9", 5); /* add $10, %rdi; jmp to push */
    put_distance(target + 5, function + 4);
    function[0] = 0xe9;
    put_distance(function + 1, target);
    long (*call)(long);
    memcpy(&call, &function, sizeof call);
    return function[4] == 0x55 && call(30) == 41;
}

/* --- the thread pointer --- */

static int has_fsbase(void)
{
    uint64_t by_register, by_memory;
    if (!(getauxval(AT_HWCAP2) & 2))
        return 1;
    __asm__("rdfsbase %0" : "=r"(by_register));
    __asm__("mov %%fs:0, %0" : "=r"(by_memory));
    return by_register == by_memory;
}

int main(void)
{
    claim("balanced returns", is_balanced());
    claim("a jump over ENDBR64", is_punned());
    claim("RDFSBASE", has_fsbase());
    return failed;
}
