#include "value_names.h"

#include "core/base/buf.h"
#include "core/base/signal_name.h"

#include <inttypes.h>
#include <string.h>

enum { X86 = 1, ARM_32 = 2, ARM_64 = 4, ARMS = ARM_32 | ARM_64, ANY = X86 | ARMS };
enum { FD_CWD = -100, FIRST_REALTIME = 32 };

struct row {
    const char *name;
    uint32_t value, mask;
    uint8_t machines;
};

#define ALL_BITS            UINT32_MAX
#define BIT(name, bits)     BIT_ON(ANY, name, bits)
#define NUMBER(name, value) NUMBER_ON(ANY, name, value)
#define FIELD(name, value, mask)                                                                   \
    {                                                                                              \
        name, value, mask, ANY                                                                     \
    }
#define BIT_ON(machines, name, bits)                                                               \
    {                                                                                              \
        name, bits, bits, machines                                                                 \
    }
#define NUMBER_ON(machines, name, value)                                                           \
    {                                                                                              \
        name, value, ALL_BITS, machines                                                            \
    }

#define NAMES(set, ...) static const struct row rows_##set[] = {__VA_ARGS__};
#include "value_names.def"
#undef NAMES

#define NAMES(set, ...) [NAMES_##set] = {rows_##set, sizeof rows_##set / sizeof *rows_##set},
static const struct {
    const struct row *row;
    size_t rows;
} sets[NAMES_COUNT] = {
#include "value_names.def"
};
#undef NAMES

/* Of the processors with the generic table, psuite runs on 64-bit ARM alone. */
static uint8_t bit_of(enum syscall_machine machine)
{
    return machine == SYSCALLS_X86_64 || machine == SYSCALLS_I386 ? X86
           : machine == SYSCALLS_GENERIC                          ? ARM_64
           : machine == SYSCALLS_ARM                              ? ARM_32
                                                                  : 0;
}

static bool is_row_of(const struct row *r, uint64_t value, uint64_t named)
{
    if (r->mask == ALL_BITS)
        return value == r->value;
    return !(named & r->mask) && (value & r->mask) == r->value;
}

/* Each bit is named once. */
static bool add_names(enum value_names set, uint8_t machine, uint64_t value, struct buf *out)
{
    uint64_t named = 0;
    for (size_t i = 0; i < sets[set].rows; i++) {
        const struct row *r = &sets[set].row[i];
        if (!(r->machines & machine) || !is_row_of(r, value, named))
            continue;
        buf_printf(out, "%s%s", named ? "|" : "", r->name);
        named |= r->mask;
    }
    if (named && value & ~named)
        buf_printf(out, "|0x%" PRIx64, value & ~named);
    return named;
}

static bool has_bits(enum value_names set)
{
    for (size_t i = 0; i < sets[set].rows; i++)
        if (sets[set].row[i].mask != ALL_BITS)
            return true;
    return false;
}

static bool add_signal(uint64_t value, struct buf *out)
{
    const char *name = signal_name(value <= INT32_MAX ? (int)value : -1);
    bool known = strcmp(name, "unknown") != 0;
    if (known && value > FIRST_REALTIME)
        buf_printf(out, "SIGRT_%d", (int)value - FIRST_REALTIME);
    else if (value == FIRST_REALTIME)
        buf_adds(out, "SIGRTMIN");
    else if (known)
        buf_adds(out, name);
    return known;
}

static void add_fd(enum value_names set, uint64_t value, struct buf *out)
{
    if (set == NAMES_FOLDER && (int32_t)value == FD_CWD)
        buf_adds(out, "AT_FDCWD");
    else
        buf_printf(out, "%" PRId32, (int32_t)value);
}

bool value_names_text(enum value_names set, enum syscall_machine machine, uint64_t value,
                      struct buf *out)
{
    switch (set) {
    case NAMES_NONE:
    case NAMES_FCNTL_VALUE:
    case NAMES_OPTION_OF_LEVEL:
    case NAMES_COUNT:
        return false;
    case NAMES_FD:
    case NAMES_FOLDER:
        add_fd(set, value, out);
        return true;
    case NAMES_SIGNAL:
        return add_signal(value, out);
    case NAMES_OCTAL:
        buf_printf(out, value ? "0%" PRIo64 : "0", value);
        return true;
    default:
        break;
    }
    if (add_names(set, bit_of(machine), value, out))
        return true;
    if (has_bits(set) && value)
        buf_printf(out, "0x%" PRIx64, value);
    return has_bits(set) && value;
}
