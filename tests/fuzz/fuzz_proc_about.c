/* A process's files of /proc, and passwd. */
#include "fuzz.h"

#include "core/base/buf.h"
#include "core/procfs/pid_status.h"
#include "core/procfs/plan9_text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    char *text = fuzz_text(data, len), user[28];
    struct buf out = BUF_INIT;
    struct pid_status p;
    int32_t process, parent;
    struct proc_fdinfo d;
    uint32_t uid = 0;
    if (pid_status_parse(text, &p)) {
        struct dev_status s = {&p, "glenda", 100, 4096, 1000000};
        dev_status(&s, &out);
    }
    pid_status_uid(text, &uid);
    if (pid_status_process(text, &process, &parent) && (process <= 0 || parent < 0))
        abort();
    if (pid_status_user(text, uid, user, sizeof user) && !user[0])
        abort();
    uint32_t groups[4], gid;
    pid_status_groups(text, groups, 4);
    pid_status_member(text, "glenda", groups, 4);
    pid_status_gid(text, uid, &gid);
    pid_status_args((const char *)data, len, &out);
    if (proc_fdinfo_parse(text, &d) && d.access > 3)
        abort();
    buf_release(&out);
    free(text);
    return 0;
}
