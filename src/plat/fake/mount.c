/* The kernel's side of FUSE as a script:
 *
 *   fuse FILE      the requests, one after the other as the kernel would write them; when all are
 *                  answered, the root is no longer in use
 *   answers FILE   what was answered is appended there
 *
 * The command itself is child.c's; the server runs in this machine's tree. fail mount_hold EPERM
 * makes a system that does not allow it. */
#include "plat/mount.h"

#include "child_released.h"
#include "plat/apart.h"
#include "plat/file.h"
#include "returns.h"
#include "scenario.h"

#include <errno.h>
#include <string.h>

static struct buf script;
static size_t at;

static void load_script(void)
{
    const char *name = scenario_get("fuse");
    if (name)
        scenario_file(name, 1 << 24, &script, NULL);
}

int mount_hold(char *const argv[], int pass, struct child *out, struct fail *f)
{
    int r = scenario_fail("mount_hold", f);
    if (r == 0)
        r = apart_send(pass, "", 1);
    return r < 0 ? r : child_hold(argv, out, f);
}

/* No script plays the kernel's client: such a system has none. */
int mount_hold_9p(char *const argv[], int pass, struct child *out, struct fail *f)
{
    int r = scenario_fail("mount_hold_9p", f);
    return r < 0 ? r : fail_set(f, ENODEV, "mount -t 9p");
}

RETURNS(-ENOENT, int, mount_keep_namespace, const struct child *c)

int mount_receive(int pass)
{
    char byte;
    int r = apart_receive(pass, &byte, 1);
    load_script();
    return r < 0 ? r : 0;
}

RETURNS(-ENOSYS, int, mount_clone, int connection)

/* The first request waits until the command runs: counting has begun by then. */
static void await_command(void)
{
    enum { TIMEOUT_MS = 10000 };
    for (int ms = 0; ms < TIMEOUT_MS && !child_is_released(); ms++)
        crew_sleep_ms(1);
}

int64_t mount_read(int connection, void *to, size_t cap)
{
    uint32_t len;
    if (at == 0)
        await_command();
    if (at + sizeof len > script.len)
        return -ENODEV;
    memcpy(&len, script.data + at, sizeof len);
    if (len > cap || len > script.len - at || len < sizeof len)
        return -ENODEV;
    memcpy(to, script.data + at, len);
    at += len;
    return len;
}

int mount_write(int connection, const void *head, size_t head_len, const void *body,
                size_t body_len)
{
    SCOPED_BUF path = BUF_INIT;
    const char *name = scenario_get("answers");
    if (name) {
        scenario_path(name, &path);
        if (file_extend(buf_str(&path), head, head_len, NULL) == 0)
            file_extend(buf_str(&path), body, body_len, NULL);
    }
    return 0;
}

bool mount_pending(int connection)
{
    return at < script.len;
}

RETURNS(-EPERM, int, mount_backing, int connection, int fd)
RETURNS(, void, mount_backing_close, int connection, int backing)
