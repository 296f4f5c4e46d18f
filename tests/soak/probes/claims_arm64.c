/*
 * What the design of probes relies on, on arm64 with BTI and PAC (qemu-aarch64 -cpu max): prints
 * `claim: yes' or `claim: no' per line, and fails if one does not hold.
 *
 * A direct branch leads from a guarded page to code without a landing pad, an indirect one does
 * not. A function that begins with PACIASP returns to a hook, which has signed its own address by
 * the same stack pointer behind it, and the hook to the caller by the address that was signed
 * first.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>

enum { GUARDED = 0x10 /* PROT_BTI */, PAGE = 4096 };

static int failed;
static sigjmp_buf escape;

static void claim(const char *what, int holds)
{
    printf("%s: %s\n", what, holds ? "yes" : "no");
    failed |= !holds;
}

static void on_signal(int number)
{
    siglongjmp(escape, number);
}

/* --- BTI --- */

static uint32_t *map_guarded(const uint32_t *code, size_t len)
{
    uint32_t *p = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
        return NULL;
    memcpy(p, code, len);
    return mprotect(p, PAGE, PROT_READ | PROT_EXEC | GUARDED) == 0 ? p : NULL;
}

/* At 0: bti c; b to 12. At 8: ret. At 12: add x0, x0, #10; b to 8: a trampoline without a pad. At
 * 20: bti c; adr x9, to 12; br x9. */
static const uint32_t guarded[] = {0xd503245f, 0x14000002, 0xd65f03c0, 0x91002800,
                                   0x17fffffe, 0xd503245f, 0x10ffffa9, 0xd61f0120};

/* The result of a call at an offset, or minus the signal. */
static long call_at(const uint32_t *code, unsigned offset)
{
    long (*call)(long);
    const uint32_t *at = code + offset / 4;
    int number = sigsetjmp(escape, 1);
    memcpy(&call, &at, sizeof call);
    return number ? -number : call(1);
}

/* --- PAC --- */

long signed_function(long a);
uint64_t kept_link;
__asm__(".text\n"
        ".arch armv8.3-a\n"
        "signed_function:\n"
        "paciasp\n"
        "b 2f\n" /* the patch, over what is at 3 */
        "1: stp x29, x30, [sp, #-16]!\n"
        "add x0, x0, #5\n"
        "ldp x29, x30, [sp], #16\n"
        "autiasp\n"
        "ret\n"
        "2: adrp x16, kept_link\n"
        "str x30, [x16, :lo12:kept_link]\n"
        "adr x30, 3f\n"
        "paciasp\n"
        "b 1b\n"
        "3: adrp x16, kept_link\n"
        "ldr x30, [x16, :lo12:kept_link]\n"
        "add x0, x0, #100\n"
        "autiasp\n"
        "ret\n");

int main(void)
{
    struct sigaction a = {.sa_handler = on_signal, .sa_flags = SA_NODEFER};
    sigaction(SIGILL, &a, NULL);
    const uint32_t *code = map_guarded(guarded, sizeof guarded);
    claim("BTI and PAC are there", getauxval(AT_HWCAP2) >> 17 & 1 && getauxval(AT_HWCAP) >> 30 & 1);
    claim("B leads to code without a landing pad", code && call_at(code, 0) == 11);
    claim("BR does not", code && call_at(code, 20) == -SIGILL);
    claim("a hook signs its address again", signed_function(1) == 106);
    claim("the address that it replaced was signed", kept_link >> 48);
    return failed;
}
