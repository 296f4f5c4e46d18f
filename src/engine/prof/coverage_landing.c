/*
 * Handlers of exceptions: an unwinder jumps to them, from code that is not counted. Before that,
 * the language's own function tells it where, by _Unwind_SetIP of the unwinder's interface (Itanium
 * C++ ABI: Exception Handling, 1.4), which on 32-bit ARM is a macro for _Unwind_VRS_Set
 * (EHABI32, 7.5).
 */
#include "code_places.h"
#include "coverage_parts.h"

#include "core/base/bytes.h"
#include "core/base/text.h"

enum { CORE_REGISTERS = 0, ARM_PC = 15 };

bool coverage_is_unwinder(const char *path)
{
    const char *name = path_last(path);
    return text_starts(name, "libgcc_s.so") || text_starts(name, "libunwind.so");
}

void coverage_watch_unwinder(struct coverage_counting *c, const struct breaks_stop *s,
                             const struct coverage_file *x, uint64_t bias)
{
    struct coverage_image *m = breaks_data(s->image);
    bool by_pointer = elf_machine(x->elf) == ELF_MACHINE_ARM;
    uint64_t function = code_function(x->elf, by_pointer ? "_Unwind_VRS_Set" : "_Unwind_SetIP");
    if (!function || breaks_reserve(s, bias + x->start, bias + x->end, 1) < 0 ||
        breaks_set(s->image, bias + function) < 0) {
        c->unset++;
        return;
    }
    m->landing = (struct coverage_landing){bias + function, by_pointer};
}

static bool read_word(const struct breaks_stop *s, uint64_t at, uint64_t *out)
{
    uint8_t b[4];
    if (breaks_peek(s->image, at, b, sizeof b) < 0)
        return false;
    *out = get_le32(b);
    return true;
}

/* (context, kind of register, register, representation, its value's address: on the stack). */
static bool find_by_pointer(const struct breaks_stop *s, const uint64_t argument[4], uint64_t *out)
{
    uint64_t sp, pointer;
    return argument[1] == CORE_REGISTERS && argument[2] == ARM_PC && breaks_stack(s, &sp) == 0 &&
           read_word(s, sp, &pointer) && read_word(s, pointer, out);
}

void coverage_land(struct coverage_counting *c, const struct breaks_stop *s)
{
    const struct coverage_image *m = breaks_data(s->image);
    uint64_t argument[4], handler;
    if (breaks_arguments(s, argument) < 0)
        return;
    handler = argument[1];
    if (m->landing.by_pointer && !find_by_pointer(s, argument, &handler))
        return;
    if (coverage_place_at(m, handler))
        c->unset += breaks_set(s->image, handler) < 0;
}
