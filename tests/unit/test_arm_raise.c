/*
 * The caller of a function of libgcc that has overwritten its return address is found by the calls
 * of it in other modules: here one module like libgcc, one like libstdc++ with a stub.
 */
#include "unit.h"

#include "core/base/bytes.h"
#include "core/elf/elf.h"
#include "core/unwind/unwind.h"

#include <elf.h>
#include <stddef.h>
#include <string.h>

enum {
    RAISES = 0x100000, /* where the modules are */
    THROWS = 0x200000,
    CALLER = 0x300000, /* Thumb: it has called through r3 */
    STACK = 0x400000,
    STACK_BYTES = 0x1000,
    ENTRY = STACK + 0x800,
    CODE = 0x1000, /* in its module */
    STUB = 0x40,   /* in the code */
    SLOT = 0x2000,
};

struct image {
    Elf32_Ehdr head;
    Elf32_Phdr segment[3];
    Elf32_Shdr section[6];
    Elf32_Sym symbol[2];
    Elf32_Rel slot;
    char string[64], name[64];
    uint32_t table[2];
    uint8_t code[0x60];
};

#define AT(field) ((Elf32_Word)offsetof(struct image, field))
#define PART(field, vaddr)                                                                         \
    .sh_addr = (vaddr), .sh_offset = AT(field), .sh_size = sizeof(((struct image *)0)->field)

/* Its one symbol is _Unwind_RaiseException, the code itself, or that of a stub. */
static void make_image(struct image *i, const void *code, size_t len, bool defines)
{
    static const char names[] = "\0.dynsym\0.dynstr\0.rel.plt\0.plt\0.shstrtab";
    static const uint32_t stub[] = {0xe28fc600, 0xe28cca00, 0xe5bcf000 | (SLOT - CODE - STUB - 8)};
    *i = (struct image){
        .head = {.e_ident = ELFMAG "\1\1\1",
                 .e_type = ET_DYN,
                 .e_machine = EM_ARM,
                 .e_version = EV_CURRENT,
                 .e_phoff = AT(segment),
                 .e_shoff = AT(section),
                 .e_ehsize = sizeof(Elf32_Ehdr),
                 .e_phentsize = sizeof(Elf32_Phdr),
                 .e_phnum = 3,
                 .e_shentsize = sizeof(Elf32_Shdr),
                 .e_shnum = 6,
                 .e_shstrndx = 5},
        .segment = {{PT_LOAD, AT(code), CODE, CODE, sizeof i->code, sizeof i->code, PF_R | PF_X, 4},
                    {PT_LOAD, AT(table), 0x800, 0x800, sizeof i->table, sizeof i->table, PF_R, 4},
                    {PT_ARM_EXIDX, AT(table), 0x800, 0x800, sizeof i->table, 8, PF_R, 4}},
        .section = {{0},
                    {.sh_name = 1,
                     .sh_type = SHT_DYNSYM,
                     PART(symbol, 0),
                     .sh_link = 2,
                     .sh_entsize = sizeof(Elf32_Sym)},
                    {.sh_name = 9, .sh_type = SHT_STRTAB, PART(string, 0)},
                    {.sh_name = 17,
                     .sh_type = SHT_REL,
                     PART(slot, 0),
                     .sh_link = 1,
                     .sh_entsize = sizeof(Elf32_Rel)},
                    {.sh_name = 26,
                     .sh_type = SHT_PROGBITS,
                     .sh_addr = CODE + STUB,
                     .sh_offset = AT(code) + STUB,
                     .sh_size = sizeof stub},
                    {.sh_name = 31, .sh_type = SHT_STRTAB, PART(name, 0)}},
        .symbol = {{0},
                   {.st_name = 1,
                    .st_value = defines ? CODE | 1 : 0,
                    .st_size = defines ? 20 : 0,
                    .st_info = ELF32_ST_INFO(STB_GLOBAL, STT_FUNC),
                    .st_shndx = defines ? 4 : 0}},
        .slot = {SLOT, ELF32_R_INFO(1, R_ARM_JUMP_SLOT)},
        .string = "\0_Unwind_RaiseException",
        .table = {CODE - 0x800, 0x80a8b0b0 /* pop {r4, lr} */},
    };
    memcpy(i->name, names, sizeof names);
    memcpy(i->code, code, len);
    if (!defines)
        memcpy(i->code + STUB, stub, sizeof stub);
}

struct world {
    struct image raises, throws;
    struct cfi *cfi[2];
    uint8_t stack[STACK_BYTES];
};

static bool memory(void *arg, uint64_t addr, void *bytes, size_t len)
{
    static const uint8_t call[] = {0, 0, 0, 0, 0, 0, 0x98, 0x47}; /* blx r3 */
    const struct world *w = arg;
    const struct unwind_slice slices[] = {{RAISES + CODE, w->raises.code, sizeof w->raises.code},
                                          {THROWS + CODE, w->throws.code, sizeof w->throws.code},
                                          {CALLER - 8, call, sizeof call},
                                          {STACK, w->stack, sizeof w->stack}};
    for (size_t i = 0; i < sizeof slices / sizeof slices[0]; i++)
        if (unwind_slice_read(&slices[i], addr, bytes, len))
            return true;
    return false;
}

static bool code(void *arg, uint64_t pc, struct unwind_code *out)
{
    const struct world *w = arg;
    uint64_t base = pc & ~UINT64_C(0xfffff);
    bool raises = base == RAISES, throws = base == THROWS;
    *out = (struct unwind_code){raises ? w->cfi[0] : throws ? w->cfi[1] : NULL, base};
    return raises || throws || (pc >= CALLER - 8 && pc <= CALLER);
}

static bool next(void *arg, uint64_t addr, uint64_t *start)
{
    (void)arg;
    *start = addr < RAISES + CODE ? RAISES + CODE : THROWS + CODE;
    return addr < THROWS + CODE;
}

static void put_word(struct world *w, uint32_t at, uint32_t value)
{
    put_le32(w->stack + (at - STACK), value);
}

static void new_table(struct image *i, struct cfi **out)
{
    struct fail f;
    CHECK(cfi_new(&(struct cfi_image){(const uint8_t *)i, sizeof *i, NULL}, NULL, out, &f) == 0);
}

/* bx lr; nop; nop; blx r3; ldr.w lr, [sp, #64]; add sp, #72; bx lr */
static const uint16_t t_raises[] = {0x4770, 0xbf00, 0xbf00, 0x4798, 0xf8dd, 0xe040, 0xb012, 0x4770};

/* The third frame of the chain, and its stack pointer: the call that was found. */
static struct unwind_frame caller_of_raise(const void *throws, size_t len, bool searched)
{
    static struct world w;
    struct unwind_frame frame[8] = {{0}};
    struct unwind_regs regs = {.known = 0xffff | UINT64_C(1) << UNWIND_PC};
    struct unwind_space s = {.machine = UNWIND_ARM,
                             .memory = memory,
                             .code = code,
                             .next = searched ? next : NULL,
                             .arg = &w};
    w = (struct world){.cfi = {NULL}};
    make_image(&w.raises, t_raises, sizeof t_raises, true);
    make_image(&w.throws, throws, len, false);
    new_table(&w.raises, &w.cfi[0]);
    new_table(&w.throws, &w.cfi[1]);
    put_word(&w, ENTRY + 4, CALLER | 1);       /* push {r4, lr} of the function that called */
    put_word(&w, ENTRY - 72 + 60, ENTRY + 64); /* overwritten */
    put_word(&w, ENTRY - 72 + 64, CALLER | 1);
    put_word(&w, ENTRY - 72 + 68, CALLER | 1);
    regs.r[UNWIND_PC] = RAISES + CODE;
    regs.r[13] = ENTRY - 72;
    regs.r[14] = RAISES + CODE + 8 + 1;
    unwind(&s, &regs, frame, 8);
    cfi_free(w.cfi[0]);
    cfi_free(w.cfi[1]);
    return frame[2];
}

/* push {r4, lr}; nop; blx STUB; nop; nop */
static const uint16_t t_throws[] = {0xb510, 0xbf00, 0xf000, 0xe81c, 0xbf00, 0xbf00};
/* push {r4, lr}; nop; blx STUB; blx STUB; nop; nop */
static const uint16_t t_twice[] = {0xb510, 0xbf00, 0xf000, 0xe81c, 0xf000, 0xe81a, 0xbf00, 0xbf00};

TEST(arm_raise_the_one_call_that_fits)
{
    struct unwind_frame f = caller_of_raise(t_throws, sizeof t_throws, true);
    CHECK_INT(f.pc, THROWS + CODE + 8);
    CHECK_INT(f.sp, ENTRY);
    CHECK_INT(f.method, UNWIND_CODE);
}

TEST(arm_raise_two_calls_that_fit_or_no_other_module)
{
    CHECK(caller_of_raise(t_twice, sizeof t_twice, true).pc != THROWS + CODE + 8);
    CHECK(caller_of_raise(t_throws, sizeof t_throws, false).pc != THROWS + CODE + 8);
}
