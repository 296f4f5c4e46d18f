#include "core/coverage/code.h"

#include "core/base/bytes.h"
#include "core/elf/elf.h"
#include "core/insn/arm64.h"
#include "core/insn/arm_code.h"
#include "core/insn/x86.h"

static bool is_string_opcode(uint8_t opcode)
{
    return (opcode >= 0x6c && opcode <= 0x6f) || (opcode >= 0xa4 && opcode <= 0xa7) ||
           (opcode >= 0xaa && opcode <= 0xaf);
}

static bool has_repeat_prefix(const uint8_t *code, uint8_t prefixes)
{
    for (size_t i = 0; i < prefixes; i++)
        if (code[i] == 0xf2 || code[i] == 0xf3)
            return true;
    return false;
}

static bool is_call(enum insn_kind kind)
{
    return kind == INSN_CALL || kind == INSN_CALL_INDIRECT;
}

static bool read_x86(const uint8_t *code, size_t len, struct coverage_insn *out)
{
    struct x86_insn i;
    out->len = 1;
    if (!x86_insn_read(code, len, &i))
        return false;
    out->len = i.len;
    out->call = is_call(i.kind);
    out->repeats =
        i.map == X86_MAP_ONE && is_string_opcode(i.opcode) && has_repeat_prefix(code, i.prefixes);
    out->system_call = i.map == X86_MAP_0F && (i.opcode == 0x05 || i.opcode == 0x34);
    return true;
}

static bool read_arm64(const uint8_t *code, size_t len, struct coverage_insn *out)
{
    struct arm64_insn i;
    out->len = 4;
    if (len < 4)
        return false;
    uint32_t word = get_le32(code);
    arm64_insn_read(word, &i);
    out->call = is_call(i.kind);
    out->system_call = (word & 0xffe0001f) == 0xd4000001;
    return true;
}

static bool read_arm(const uint8_t *code, size_t len, bool thumb, struct coverage_insn *out)
{
    struct arm_code i;
    out->len = thumb ? 2 : 4;
    if (len < out->len)
        return false;
    uint32_t second = len >= 4 ? get_le16(code + 2) : 0;
    if (thumb)
        thumb_code_read(get_le16(code), (uint16_t)second, &i);
    else
        arm_code_read(get_le32(code), &i);
    out->len = (uint8_t)i.len;
    out->call = i.kind == ARM_CALL;
    out->system_call = i.kind == ARM_SYSTEM_CALL;
    return i.kind != ARM_UNKNOWN;
}

bool coverage_insn_read(const struct elf_module *m, uint64_t vaddr, struct coverage_insn *out)
{
    uint64_t avail = 0;
    bool arm = elf_machine(m) == ELF_MACHINE_ARM, thumb = arm && vaddr & 1;
    const uint8_t *code = elf_memory_at(m, vaddr - thumb, &avail);
    size_t len = avail < X86_INSN_MAX ? (size_t)avail : X86_INSN_MAX;
    *out = (struct coverage_insn){.len = 1};
    if (!code)
        return false;
    if (arm)
        return read_arm(code, len, thumb, out);
    return elf_machine(m) == ELF_MACHINE_AARCH64 ? read_arm64(code, len, out)
                                                 : read_x86(code, len, out);
}

uint64_t coverage_insn_address(const struct elf_module *m, uint64_t vaddr)
{
    return elf_machine(m) == ELF_MACHINE_ARM ? vaddr & ~UINT64_C(1) : vaddr;
}

bool coverage_can_read(const struct elf_module *m)
{
    unsigned machine = elf_machine(m);
    return ((machine == ELF_MACHINE_X86_64 || machine == ELF_MACHINE_AARCH64) &&
            elf_bits(m) == 64) ||
           (machine == ELF_MACHINE_ARM && !elf_big_endian(m));
}
