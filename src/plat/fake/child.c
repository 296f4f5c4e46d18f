#include "plat/child.h"

#include "child_line.h"
#include "child_released.h"
#include "plat/clock.h"
#include "returns.h"
#include "scenario.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* finds NAME: the command that is there.
 * output FILE: what child_output reads, whatever the command.
 * pid N: the pid of a held command, default 4711. Its handle is ready at once; see child_line.h for
 * its end. */
enum { HANDLE = 901 };
static size_t started;

const char *child_line(size_t n)
{
    const char *line = scenario_nth_or_last("child", n);
    return line ? line : "";
}

void child_line_end(const char *line, struct child_end *out)
{
    uint64_t signal = scenario_number(line, "signal", 0), code = scenario_number(line, "exit", 0);
    *out = (struct child_end){
        .signalled = signal != 0,
        .core = scenario_number(line, "core", 0) != 0,
        .code = (int)(signal ? signal : code),
        .real_ns = scenario_number(line, "real_ns", 0),
        .user_ns = scenario_number(line, "user_ns", 0),
        .sys_ns = scenario_number(line, "sys_ns", 0),
        .peak_rss_bytes = scenario_number(line, "rss", 0),
        .floor_rss_bytes = scenario_number(line, "floor", 0),
        .minor_faults = scenario_number(line, "minor", 0),
        .major_faults = scenario_number(line, "major", 0),
        .voluntary_switches = scenario_number(line, "voluntary", 0),
        .involuntary_switches = scenario_number(line, "involuntary", 0),
        .blocks_in = scenario_number(line, "in", 0),
        .blocks_out = scenario_number(line, "out", 0),
    };
}

bool child_finds(const char *name)
{
    const char *known = scenario_get("finds");
    return known && strcmp(known, name) == 0;
}

int child_status(const struct child_end *end)
{
    return end->signalled ? 128 + end->code : end->code;
}

int child_hold(char *const argv[], struct child *out, struct fail *f)
{
    int r = scenario_fail("child_hold", f);
    if (r == 0)
        *out = (struct child){
            .pid = (int)scenario_value("pid", 4711), .handle = HANDLE, .name = argv[0]};
    return r;
}

int child_hold_traceable(char *const argv[], struct child *out, struct fail *f)
{
    return child_hold(argv, out, f);
}

static atomic_bool *released; /* before any fork */

__attribute__((constructor)) static void share_released(void)
{
    released =
        mmap(NULL, sizeof *released, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (released == MAP_FAILED)
        abort();
}

bool child_is_released(void)
{
    return atomic_load(released);
}

int child_release(struct child *c, struct fail *f)
{
    int r = scenario_fail("child_release", f);
    if (r == 0) {
        c->start_ns = clock_mono_ns();
        atomic_store(released, true);
    }
    return r;
}

void child_kill(struct child *c)
{
    c->handle = -1;
}

int child_handle(const struct child *c)
{
    return c->handle;
}

RETURNS(, void, child_signal, const struct child *c, int sig)

int child_output(char *const argv[], size_t max_bytes, struct buf *out, struct fail *f)
{
    const char *name = scenario_get("output");
    return name ? scenario_file(name, max_bytes, out, f) : fail_set(f, ENOENT, "%s", argv[0]);
}

int child_wait(struct child *c, struct child_end *out, struct fail *f)
{
    int r = scenario_fail("child_wait", f);
    c->handle = -1;
    if (r == 0)
        child_line_end(child_line(started++), out);
    return r;
}
