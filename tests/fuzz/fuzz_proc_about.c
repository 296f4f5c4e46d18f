/* A process's files of /proc, and passwd. */
#include "fuzz.h"

#include "core/base/buf.h"
#include "core/procfs/pid_status.h"
#include "core/procfs/plan9_text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    char *text = fuzz_text(data, len), user[28];
    struct buf out = BUF_INIT;
    struct proc_about p;
    struct proc_fdinfo d;
    uint32_t uid = 0;
    if (proc_about_parse(text, &p)) {
        struct dev_status s = {&p, "glenda", 100, 4096, 1000000};
        dev_status(&s, &out);
    }
    proc_about_uid(text, &uid);
    if (proc_about_user(text, uid, user, sizeof user) && !user[0])
        abort();
    uint32_t groups[4], gid;
    proc_about_groups(text, groups, 4);
    proc_about_member(text, "glenda", groups, 4);
    proc_about_gid(text, uid, &gid);
    proc_about_args((const char *)data, len, &out);
    if (proc_fdinfo_parse(text, &d) && d.access > 3)
        abort();
    buf_release(&out);
    free(text);
    return 0;
}
