/* No command has breakpoints here: fail breaks ERRNO says why, else it is ENOTSUP. */
#include "plat/breaks.h"

#include "returns.h"
#include "scenario.h"

#include <errno.h>

int breaks_command(char *const argv[], const struct breaks_callbacks *callbacks,
                   struct breaks **out, struct fail *f)
{
    *out = NULL;
    int r = scenario_fail("breaks", f);
    return r < 0 ? r : fail_set(f, ENOTSUP, "breakpoints");
}

RETURNS(fail_set(f, ENOTSUP, "breakpoints"), int, breaks_run, struct breaks *b,
        struct child_end *end, struct fail *f)

int breaks_follow(const struct breaks_callbacks *callbacks, struct breaks **out, struct fail *f)
{
    return breaks_command(NULL, callbacks, out, f);
}

RETURNS(fail_set(f, ENOTSUP, "breakpoints"), int, breaks_add, struct breaks *b, int pid,
        struct fail *f)

int breaks_attach(struct breaks *b, int pid, struct fail *f)
{
    return breaks_add(b, pid, f);
}

RETURNS(false, bool, breaks_is_attached, const struct breaks_image *image)
RETURNS(, void, breaks_attend, struct breaks *b, int handle)
RETURNS(, void, breaks_leave, struct breaks *b)
RETURNS(, void, breaks_outlast, struct breaks *b)
RETURNS(0, size_t, breaks_lost, const struct breaks *b)
RETURNS(, void, breaks_free, struct breaks *b)
RETURNS(, void, breaks_set_data, struct breaks_image *image, void *data)
RETURNS(NULL, void *, breaks_data, const struct breaks_image *image)
RETURNS(-ENOTSUP, int, breaks_reserve, const struct breaks_stop *s, uint64_t start, uint64_t end,
        size_t points)
RETURNS(-ENOTSUP, int, breaks_set, struct breaks_image *image, uint64_t address)
RETURNS(false, bool, breaks_is_set, const struct breaks_image *image, uint64_t address)
RETURNS(-ENOTSUP, int, breaks_peek, const struct breaks_image *image, uint64_t address, void *to,
        size_t len)
RETURNS(-ENOTSUP, int, breaks_arguments, const struct breaks_stop *s, uint64_t out[4])
RETURNS(-ENOTSUP, int, breaks_return_address, const struct breaks_stop *s, uint64_t *address)
RETURNS(-ENOTSUP, int, breaks_result, const struct breaks_stop *s, uint64_t *value)
RETURNS(-ENOTSUP, int, breaks_stack, const struct breaks_stop *s, uint64_t *sp)
RETURNS(-ENOTSUP, int, breaks_registers, const struct breaks_stop *s, uint64_t mask, uint64_t *out)
