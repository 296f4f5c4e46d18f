#include "proc_fd.h"

#include "core/base/sort.h"
#include "core/procfs/pid_status.h"
#include "plat/sysfile.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DESCRIPTORS = 65536 };

static void add_descriptor(int pid, const char *number, struct buf *out)
{
    static const char *const modes[] = {"r", "w", "rw", "?"};
    SCOPED_BUF text = BUF_INIT, name = BUF_INIT;
    struct proc_fdinfo info;
    char path[96];
    snprintf(path, sizeof path, "/proc/%d/fdinfo/%.20s", pid, number);
    bool known = sysfile_text(path, &text, NULL) == 0 && proc_fdinfo_parse(buf_str(&text), &info);
    snprintf(path, sizeof path, "/proc/%d/fd/%.20s", pid, number);
    if (known && sysfile_link(path, &name, NULL) == 0)
        buf_printf(out, "%3s %-2s - %4s (%.16" PRIx64 " 0 00) %5d %8" PRIu64 " %s\n", number,
                   modes[info.access], "-", info.inode, 0, info.offset, buf_str(&name));
}

static int compare_numbers(const void *a, const void *b)
{
    long x = atol(*(char *const *)a), y = atol(*(char *const *)b);
    return x < y ? -1 : x > y;
}

/* In the order of their numbers. */
static int add_descriptors(int pid, const struct buf *names, struct buf *out)
{
    size_t n = 0;
    for (size_t at = 0; at < names->len; at += strlen(names->data + at) + 1)
        n++;
    char **name = malloc((n + 1) * sizeof *name), **last = name;
    if (!name)
        return -ENOMEM;
    for (size_t at = 0; at < names->len; at += strlen(names->data + at) + 1)
        *last++ = names->data + at;
    sort_array(name, n, sizeof *name, compare_numbers);
    for (size_t i = 0; i < n; i++)
        add_descriptor(pid, name[i], out);
    free(name);
    return 0;
}

int proc_fd_text(int pid, struct buf *out, struct fail *f)
{
    SCOPED_BUF names = BUF_INIT;
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/cwd", pid);
    int r = sysfile_link(path, out, f);
    snprintf(path, sizeof path, "/proc/%d/fd", pid);
    if (r == 0)
        r = sysfile_names(path, MAX_DESCRIPTORS, &names, f);
    buf_addc(out, '\n');
    if (r == 0 && add_descriptors(pid, &names, out) < 0)
        r = fail_set(f, ENOMEM, "%s", path);
    return r;
}
