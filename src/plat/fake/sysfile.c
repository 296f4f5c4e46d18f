/*
 * root FOLDER: files of /proc and /sys are those below FOLDER; the nth line from the nth reading of
 * /proc/stat on, or of the file that `advance FILE' names, the last ever after. self PID: our own
 * process (default 1). Links are files that hold where they lead.
 */
#include "plat/sysfile.h"

#include "plat/file.h"
#include "plat/folder.h"
#include "returns.h"
#include "scenario.h"

#include <errno.h>
#include <string.h>

static size_t root_index;

static int below_root(const char *path, struct buf *out, struct fail *f)
{
    const char *folder = scenario_nth("root", root_index);
    if (!folder)
        return fail_set(f, ENOENT, "%s", path);
    scenario_path(folder, out);
    buf_adds(out, path);
    return 0;
}

static void advance_root(const char *path)
{
    static size_t asked;
    const char *advance = scenario_get("advance");
    if (strcmp(path, advance ? advance : "/proc/stat") == 0 && scenario_nth("root", asked))
        root_index = asked++;
}

/* The failure names the file as it is on the machine that is played. */
static int fail_with_path(int r, const char *path, struct fail *f)
{
    return r < 0 ? fail_set(f, -r, "%s", path) : r;
}

int sysfile_text(const char *path, struct buf *out, struct fail *f)
{
    SCOPED_BUF at = BUF_INIT;
    int r = scenario_fail("sysfile_text", f);
    advance_root(path);
    if (r == 0)
        r = below_root(path, &at, f);
    if (r == 0)
        r = fail_with_path(file_read(buf_str(&at), SYSFILE_MAX_BYTES, out, NULL), path, f);
    return r;
}

int sysfile_names(const char *path, size_t max_names, struct buf *out, struct fail *f)
{
    SCOPED_BUF at = BUF_INIT;
    int r = below_root(path, &at, f);
    if (r == 0)
        r = fail_with_path(folder_names(buf_str(&at), max_names, out, NULL), path, f);
    return r;
}

int sysfile_link(const char *path, struct buf *out, struct fail *f)
{
    int r = sysfile_text(path, out, f);
    if (r == 0 && out->len && out->data[out->len - 1] == '\n')
        out->data[--out->len] = '\0';
    return r;
}

int sysfile_open(const char *path, struct fail *f)
{
    SCOPED_BUF at = BUF_INIT;
    int r = below_root(path, &at, f);
    if (r == 0)
        r = fail_with_path(folder_open(buf_str(&at), true, false, false, NULL), path, f);
    return r;
}

RETURNS(4096, size_t, sysfile_page_bytes, void)

size_t sysfile_memory_bytes(void)
{
    return (size_t)1 << 30;
}

uint64_t sysfile_free_bytes(void)
{
    return (uint64_t)1 << 29;
}

int sysfile_self(void)
{
    return (int)scenario_value("self", 1);
}
