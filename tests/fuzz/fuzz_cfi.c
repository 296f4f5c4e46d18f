#include "fuzz.h"

#include "core/unwind/cfi.h"

#include "../lib/armelf.h"
#include "../lib/cfielf.h"

/* Every rule's registers and expressions stay inside the table. */
static bool nothing(void *arg, uint64_t addr, unsigned size, uint64_t *out)
{
    (void)arg;
    *out = addr + size;
    return addr & 1;
}

static void evaluate(struct cfi *c, cfi_rule r, uint64_t pc)
{
    uint64_t regs[CFI_REGISTERS + 1] = {0}, out;
    struct cfi_machine_state s = {.regs = regs, .known = UINT64_MAX, .read = nothing};
    regs[CFI_REGISTERS] = pc;
    if (cfi_cfa_by_expression(r))
        cfi_expression(c, cfi_cfa_offset(r), &s, NULL, &out);
    if (cfi_count(r) > CFI_REGISTERS)
        abort();
    for (unsigned i = 0; i < cfi_count(r); i++) {
        struct cfi_saved saved = cfi_saved_at(r, i);
        if (saved.reg >= CFI_REGISTERS || saved.kind == CFI_SAME_VALUE)
            abort();
        if (saved.kind == CFI_VAL_EXPR || saved.kind == CFI_EXPR)
            cfi_expression(c, saved.offset, &s, &pc, &out);
    }
}

static void ask(const uint8_t *image, size_t len)
{
    struct cfi *c;
    struct cfi_size size;
    struct cfi_image bytes = {image, len, NULL};
    if (cfi_new(&bytes, &bytes, &c, NULL) < 0)
        return;
    cfi_size(c, &size);
    for (uint64_t pc = 0; pc < 0x14000; pc += pc < 0x1200 ? 3 : 0x35) {
        cfi_rule r = cfi_find(c, pc);
        if (r != cfi_find(c, pc))
            abort();
        if (r)
            evaluate(c, r, pc);
        cfi_note_plain(c, pc);
        if (cfi_is_plain(c, pc) && !pc)
            abort();
    }
    cfi_find(c, UINT64_MAX);
    cfi_entry(c);
    cfi_free(c);
}

/* A count of entries of .ARM.exidx, and the bytes of it and .ARM.extab. */
static void ask_exidx(const uint8_t *bytes, size_t len)
{
    size_t index = len ? 8 * (size_t)bytes[0] : 0, image_len;
    struct armelf_parts p = {NULL, 0, bytes + 1, len - 1, index};
    if (!len || index > p.table_len)
        return;
    uint8_t *image = armelf_new(&p, &image_len);
    ask(image, image_len);
    free(image);
}

/* A file; or, by the first byte, a section of one machine's. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    static const unsigned machines[] = {EM_X86_64, EM_AARCH64, EM_ARM};
    if (len && bytes[0] < 6) {
        size_t image_len;
        uint8_t *image =
            cfielf_new(machines[bytes[0] % 3], bytes[0] < 3 ? ".eh_frame" : ".debug_frame",
                       bytes + 1, len - 1, &image_len);
        ask(image, image_len);
        free(image);
    } else if (len && bytes[0] == 6) {
        ask_exidx(bytes + 1, len - 1);
    } else {
        ask(bytes, len);
    }
    return 0;
}
