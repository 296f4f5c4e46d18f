#include "core/elf/module.h"

#include "core/base/bytes.h"

/* jmp *slot(%rip), with xchg ax,ax behind it in stubs of 8 bytes. Those of 16 have endbr64, bnd or
 * a move before it or a push behind it. (The section's sh_entsize does not always tell.) */
static bool x86_64_stub(const struct elf_code *c, size_t *at, struct elf_stub *out)
{
    for (size_t i = *at; i + 6 <= c->len; i++) {
        if (c->bytes[i] != 0xff || c->bytes[i + 1] != 0x25)
            continue;
        bool small = i % 8 == 0 && c->len - i >= 8 && get_le32(c->bytes + i + 4) >> 16 == 0x9066;
        size_t size = small ? 8 : 16, start = i - i % size;
        out->addr = c->addr + start;
        out->size = c->len - start < size ? c->len - start : size;
        out->slot = c->addr + i + 6 + (uint64_t)(int32_t)get_le32(c->bytes + i + 2);
        *at = i + 1;
        return true;
    }
    return false;
}

static uint32_t read_insn(const struct elf_code *c, size_t at)
{
    if (at > c->len || c->len - at < 4)
        return 0;
    return get_u32(c->bytes + at, c->big_endian);
}

static uint64_t adrp_page(uint32_t op, uint64_t pc)
{
    uint64_t pages = (op >> 29 & 3) | (op >> 5 & 0x7ffff) << 2;
    if (pages & 1 << 20)
        pages -= 1 << 21;
    return (pc & ~(uint64_t)0xfff) + (pages << 12);
}

/* [bti c] adrp x16, page; ldr x17, [x16, #low]; add x16, x16, #low; [autia1716]; br x17 [nop] */
static bool aarch64_stub(const struct elf_code *c, size_t *at, struct elf_stub *out)
{
    const uint32_t bti_c = 0xd503245f, br_x17 = 0xd61f0220, nop = 0xd503201f;
    for (size_t i = *at; i + 8 <= c->len; i += 4) {
        uint32_t adrp = read_insn(c, i), ldr = read_insn(c, i + 4);
        if ((adrp & 0x9f00001f) != 0x90000010 || (ldr & 0xffc003ff) != 0xf9400211)
            continue;
        size_t start = i >= 4 && read_insn(c, i - 4) == bti_c ? i - 4 : i, end = i + 8;
        while (end < i + 20 && read_insn(c, end) != br_x17)
            end += 4;
        end += read_insn(c, end + 4) == nop ? 8 : 4;
        *out = (struct elf_stub){c->addr + start, end - start,
                                 adrp_page(adrp, c->addr + i) + (ldr >> 10 & 0xfff) * 8};
        *at = i + 8;
        return true;
    }
    return false;
}

static uint32_t arm_immediate(uint32_t op)
{
    uint32_t value = op & 0xff, turn = op >> 7 & 30;
    return turn ? value >> turn | value << (32 - turn) : value;
}

/* [bx pc; nop] add ip, pc, #a; add ip, ip, #b (once or twice); ldr pc, [ip, #c]! */
static bool arm_stub(const struct elf_code *c, size_t *at, struct elf_stub *out)
{
    const uint32_t bx_pc_nop = 0x46c04778, bx_pc_loop = 0xe7fd4778;
    for (size_t i = *at; i + 8 <= c->len; i += 4) {
        if ((read_insn(c, i) & 0xfffff000) != 0xe28fc000)
            continue;
        uint32_t slot = (uint32_t)c->addr + (uint32_t)i + 8 + arm_immediate(read_insn(c, i));
        size_t end = i + 4;
        for (; end < i + 12 && (read_insn(c, end) & 0xfffff000) == 0xe28cc000; end += 4)
            slot += arm_immediate(read_insn(c, end));
        if ((read_insn(c, end) & 0xfffff000) != 0xe5bcf000)
            continue;
        uint32_t before = i >= 4 ? read_insn(c, i - 4) : 0;
        size_t start = before == bx_pc_nop || before == bx_pc_loop ? i - 4 : i;
        slot += read_insn(c, end) & 0xfff;
        *out = (struct elf_stub){c->addr + start, end + 4 - start, slot};
        *at = end + 4;
        return true;
    }
    return false;
}

bool elf_next_stub(const struct elf_code *c, size_t *at, struct elf_stub *out)
{
    switch (c->machine) {
    case EM_X86_64:
        return x86_64_stub(c, at, out);
    case EM_AARCH64:
        return aarch64_stub(c, at, out);
    case EM_ARM:
        return arm_stub(c, at, out);
    default:
        return false;
    }
}
