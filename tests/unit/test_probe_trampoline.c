#include "unit.h"

#include "core/base/bytes.h"
#include "core/elf/elf.h"
#include "core/probe/trampoline.h"

#include <errno.h>
#include <stdbool.h>
#include <sys/mman.h>

static uint8_t out[PROBE_MAX_TRAMPOLINE];

static int make(unsigned machine, const char *bytes, size_t len, bool thumb, uint64_t hook)
{
    struct probe_moved m = {(const uint8_t *)bytes, len, 0x10000, 0x20000, thumb};
    return probe_trampoline(machine, &m, &(struct probe_hook){hook, 7}, out);
}

TEST(probe_trampoline_of_each_processor)
{
    CHECK_INT(make(ELF_MACHINE_X86_64, "\x48\x89\xe5\x31\xc0", 5, false, 0x30000), 9 + 10);
    CHECK_INT(out[0], 0xe8);
    CHECK_INT(get_le32(out + 1), 0xfffb); /* from 20005 to 30000 */
    CHECK_INT(get_le32(out + 5), 7);
    CHECK_INT(make(ELF_MACHINE_AARCH64, "\xfd\x7b\xbf\xa9", 4, false, 0x30000), 12 + 8);
    CHECK_INT(get_le32(out), 0xf81f0ffe);     /* str x30, [sp, #-16]! */
    CHECK_INT(get_le32(out + 4), 0x94003fff); /* bl 30000, from 20004 */
    CHECK_INT(make(ELF_MACHINE_ARM, "\x10\x40\x2d\xe9", 4, false, 0x30000), 12 + 8);
    CHECK_INT(get_le32(out), 0xe52de008);     /* str lr, [sp, #-8]! */
    CHECK_INT(get_le32(out + 4), 0xeb003ffd); /* bl 30000, from 2000c */
    CHECK_INT(make(ELF_MACHINE_ARM, "\x10\xb5\x04\x46", 4, true, 0x30000), 12 + 8);
    CHECK_INT(get_le32(out), 0xed08f84d);     /* str.w lr, [sp, #-8]! */
    CHECK_INT(get_le32(out + 4), 0xfffcf00f); /* bl 30000, from 20008 */
    CHECK_INT(get_le32(out + 8), 7);
}

TEST(probe_trampoline_that_cannot_be)
{
    CHECK_INT(make(ELF_MACHINE_ARM, "\x10\xb5\x04\x46", 4, true, 0x3000000), -ERANGE);
    CHECK_INT(make(ELF_MACHINE_AARCH64, "\xfd\x7b\xbf\xa9", 4, false, 0x30000000), -ERANGE);
    CHECK_INT(make(ELF_MACHINE_X86_64, "\xe8", 1, false, 0x30000), -ENOEXEC);
    CHECK_INT(make(8, "\x90", 1, false, 0x30000), -ENOTSUP);
}

#ifdef __x86_64__

uint64_t trampoline_sites, trampoline_flags;
void trampoline_hook(void);
__asm__(".text\n"
        "trampoline_hook:\n"
        "pushfq; push %rax; push %rcx\n"
        "mov 24(%rsp), %rcx; mov (%rcx), %eax; add $4, %rcx; mov %rcx, 24(%rsp)\n"
        "add %rax, trampoline_sites(%rip)\n"
        "pop %rcx; pop %rax; popfq\n"
        "ret\n");

/* lea 1(%rdi), %rax; adc $0, %rax; ret */
TEST(probe_trampoline_runs)
{
    static const uint8_t code[] = {0x48, 0x8d, 0x47, 0x01, 0x48, 0x83, 0xd0, 0x00, 0xc3};
    uint64_t near = (uintptr_t)trampoline_hook & ~UINT64_C(0xfff);
    uint8_t *page = mmap((void *)(uintptr_t)(near + 0x10000000), 4096,
                         PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct probe_moved m = {code, 8, (uintptr_t)page, (uintptr_t)page + 256, false};
    struct probe_hook h = {(uintptr_t)trampoline_hook, 41};
    if (page == MAP_FAILED)
        SKIP("no memory for code");
    memcpy(page, code, sizeof code);
    int len = probe_trampoline(ELF_MACHINE_X86_64, &m, &h, out);
    if (len == -ERANGE)
        SKIP("no memory near the test's code");
    CHECK(len > 0);
    memcpy(page + 256, out, (size_t)len);
    page[0] = 0xe9;
    put_le32(page + 1, 256 - 5);
    long (*call)(long);
    memcpy(&call, &page, sizeof call);
    CHECK_INT(call(10), 11);
    CHECK_INT(call(20), 21);
    CHECK_INT(trampoline_sites, 82);
    munmap(page, 4096);
}

#endif
