#include "core/dwarf/budget.h"

#include "core/base/fail.h"
#include "packed.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

static void add_bytes(struct dwarf_left_out *l, uint64_t bytes)
{
    if (__builtin_add_overflow(l->bytes, bytes, &l->bytes))
        l->bytes = UINT64_MAX;
}

void dwarf_leave_out(struct dwarf_left_out *l, int err, uint32_t type, uint64_t bytes)
{
    if (err == -EBADMSG) {
        l->damaged++;
    } else if (err == -ENOTSUP) {
        l->type = l->unknown++ ? l->type : type;
    } else {
        l->sections++;
        add_bytes(l, bytes);
    }
}

void dwarf_left_out_add(struct dwarf_left_out *l, const struct dwarf_left_out *more)
{
    l->type = l->unknown ? l->type : more->type;
    l->unknown += more->unknown;
    l->damaged += more->damaged;
    l->sections += more->sections;
    add_bytes(l, more->bytes);
}

bool dwarf_left_out_any(const struct dwarf_left_out *l)
{
    return l->sections || l->damaged || l->unknown;
}

/* Of 22000000000 bytes: "22.0 GB". */
static void size_text(uint64_t bytes, char *out, size_t size)
{
    static const char *const units[] = {"bytes", "KB", "MB", "GB"};
    size_t unit = 0;
    double amount = (double)bytes;
    for (; amount >= 1024 && unit < 3; unit++)
        amount /= 1024;
    snprintf(out, size, "%.*f %s", unit ? 1 : 0, amount, units[unit]);
}

static int say(struct fail *f, int err, size_t count, const char *of, const char *why)
{
    fail_set(f, 0, "%zu compressed debug section%s%s %s left out: %s", count, count == 1 ? "" : "s",
             of, count == 1 ? "is" : "are", why);
    return err;
}

#define REMEDY " (objcopy --decompress-debug-sections)"

static int say_unknown(const struct dwarf_left_out *l, struct fail *f)
{
    char why[96];
    snprintf(why, sizeof why, "compression type %" PRIu32 " is not supported" REMEDY, l->type);
    return say(f, -ENOTSUP, l->unknown, "",
               l->type == DWARF_ZSTD ? "this build cannot unpack zstd" REMEDY : why);
}

int dwarf_left_out_text(const struct dwarf_left_out *l, struct fail *f)
{
    char size[32], of[40];
    size_text(l->bytes, size, sizeof size);
    snprintf(of, sizeof of, " of %s", size);
    if (l->unknown)
        return say_unknown(l, f);
    if (l->damaged)
        return say(f, -EBADMSG, l->damaged, "", "damaged");
    return say(f, -EFBIG, l->sections, of, "over the limit" REMEDY);
}
