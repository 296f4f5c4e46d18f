#include "failed_call.h"

#include "plat/iotrace.h"
#include "plat/proc.h"

#include <errno.h>

enum { MAX_PATH = 4096 }; /* the kernel's PATH_MAX */

/* The directory, for a name that begins there; nothing when it is not known. */
static void add_directory(struct buf *out, int tid, const struct io_called *c)
{
    char at[MAX_PATH];
    size_t len = iotrace_path(NULL, tid, io_called_directory(c), at, sizeof at);
    if (len <= sizeof at)
        buf_add(out, at, len);
}

static void add_path(struct buf *out, int tid, const struct io_called *c)
{
    char name[MAX_PATH];
    int len = iotrace_string(tid, io_called_path_addr(c), name, sizeof name);
    if (len < 0) {
        buf_adds(out, len == -ENAMETOOLONG ? "(a name that is too long)" : "(not in memory)");
        return;
    }
    if (name[0] != '/')
        add_directory(out, tid, c);
    if (name[0] && name[0] != '/' && out->len && out->data[out->len - 1] != '/')
        buf_addc(out, '/');
    buf_add(out, name, (size_t)len);
}

static void add_program(struct buf *out, int tid)
{
    proc_text(tid, "comm", out, NULL);
    if (out->len && out->data[out->len - 1] == '\n')
        out->data[--out->len] = 0;
}

void failed_call_add(struct io_failed *failed, int tid, const struct io_called *c)
{
    struct buf path = BUF_INIT, program = BUF_INIT;
    if (!io_called_path_addr(c))
        return;
    add_path(&path, tid, c);
    add_program(&program, tid);
    io_failed_add(failed, &(struct io_failure){.call = c->call->name,
                                               .error = (int)-c->result,
                                               .program = buf_str(&program),
                                               .path = buf_str(&path)});
    buf_release(&path);
    buf_release(&program);
}
