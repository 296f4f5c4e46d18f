/* Of the kinds of calls that are seldom about files, the arguments decide. The kernel keeps a
 * bitmap of the calls that always pass (5.11). */
#include "call_filter.h"

#include "plat/iotrace.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SECCOMP_FILTER_FLAG_SPEC_ALLOW
#define SECCOMP_FILTER_FLAG_SPEC_ALLOW (1UL << 2)
#endif
#ifndef SECCOMP_GET_ACTION_AVAIL
#define SECCOMP_GET_ACTION_AVAIL 2
#endif

enum { MAX_STEPS = 768 };
enum { ANONYMOUS = 0x20, DUPLICATE = 0, DUPLICATE_CLOEXEC = 1030 };

struct program {
    struct sock_filter step[MAX_STEPS];
    unsigned short steps;
};

static void add_step(struct program *p, struct sock_filter step)
{
    if (p->steps < MAX_STEPS)
        p->step[p->steps++] = step;
}

static void add_load(struct program *p, size_t offset)
{
    add_step(p, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset));
}

/* Skips so many steps unless the test holds. */
static void add_jump_unless(struct program *p, uint16_t test, uint32_t value, uint8_t skip)
{
    add_step(p, (struct sock_filter)BPF_JUMP(BPF_JMP | test | BPF_K, value, 0, skip));
}

static void add_return(struct program *p, uint32_t action)
{
    add_step(p, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, action));
}

/* The low half of an argument; all our machines are little-endian. */
static size_t argument_offset(int which)
{
    return offsetof(struct seccomp_data, args) + (size_t)which * sizeof(uint64_t);
}

static void add_mmap(struct program *p, const struct io_call *call, uint32_t number)
{
    add_jump_unless(p, BPF_JEQ, number, 4);
    add_load(p, argument_offset(call->other));
    add_jump_unless(p, BPF_JSET, ANONYMOUS, 1);
    add_return(p, SECCOMP_RET_ALLOW);
    add_return(p, SECCOMP_RET_TRACE);
}

static void add_fcntl_dup(struct program *p, const struct io_call *call, uint32_t number)
{
    add_jump_unless(p, BPF_JEQ, number, 6);
    add_load(p, argument_offset(call->other));
    add_jump_unless(p, BPF_JEQ, DUPLICATE, 1);
    add_return(p, SECCOMP_RET_TRACE);
    add_jump_unless(p, BPF_JEQ, DUPLICATE_CLOEXEC, 1);
    add_return(p, SECCOMP_RET_TRACE);
    add_return(p, SECCOMP_RET_ALLOW);
}

static void add_call(struct program *p, const struct io_call *call, enum io_arch arch)
{
    if (call->number[arch] < 0)
        return;
    uint32_t number = (uint32_t)call->number[arch];
    if (call->kind == IO_CALL_MAP) {
        add_mmap(p, call, number);
    } else if (call->kind == IO_CALL_FCNTL) {
        add_fcntl_dup(p, call, number);
    } else {
        add_jump_unless(p, BPF_JEQ, number, 1);
        add_return(p, SECCOMP_RET_TRACE);
    }
}

/* --- only of the standard descriptors --- */

enum { LAST_STANDARD = 2 };

static void add_trace_standard_fd(struct program *p, int which)
{
    add_load(p, argument_offset(which));
    add_step(p, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, LAST_STANDARD, 1, 0));
    add_return(p, SECCOMP_RET_TRACE);
}

/* Whether the row's descriptors decide; other is one, too. */
static bool has_descriptors(const struct io_call *call, bool *other)
{
    *other = (call->kind == IO_CALL_COPY || call->kind == IO_CALL_DUP) && call->other >= 0;
    return call->kind == IO_CALL_READ || call->kind == IO_CALL_WRITE ||
           call->kind == IO_CALL_COPY || call->kind == IO_CALL_CLOSE || call->kind == IO_CALL_DUP ||
           call->kind == IO_CALL_FCNTL;
}

static void add_standard_fd_call(struct program *p, const struct io_call *call, enum io_arch arch)
{
    bool other;
    bool always = call->kind == IO_CALL_CLOSE_RANGE || call->kind == IO_CALL_UNSHARE ||
                  call->kind == IO_CALL_TRACE;
    if (call->number[arch] < 0 || (!has_descriptors(call, &other) && !always))
        return;
    uint32_t number = (uint32_t)call->number[arch];
    if (always) {
        add_jump_unless(p, BPF_JEQ, number, 1);
        add_return(p, SECCOMP_RET_TRACE);
        return;
    }
    add_jump_unless(p, BPF_JEQ, number, other ? 7 : 4);
    add_trace_standard_fd(p, call->fd);
    if (other)
        add_trace_standard_fd(p, call->other);
    add_return(p, SECCOMP_RET_ALLOW);
}

/* --- only about CPUs --- */

static void add_cpus_call(struct program *p, const struct io_call *call, enum io_arch arch)
{
    if (call->kind == IO_CALL_CPUS)
        add_call(p, call, arch);
}

/* --- all rows --- */

/* Jumps over more than 255 steps take a long one. */
typedef void row_fn(struct program *p, const struct io_call *call, enum io_arch arch);

static void add_arch(struct program *p, row_fn *add_row, enum io_arch arch, uint32_t audit)
{
    size_t rows;
    const struct io_call *row = io_call_rows(&rows);
    add_load(p, offsetof(struct seccomp_data, arch));
    add_step(p, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, audit, 1, 0));
    unsigned short over = p->steps;
    add_step(p, (struct sock_filter)BPF_STMT(BPF_JMP | BPF_JA, 0));
    add_load(p, offsetof(struct seccomp_data, nr));
    for (size_t i = 0; i < rows; i++)
        add_row(p, &row[i], arch);
    add_return(p, SECCOMP_RET_ALLOW);
    p->step[over].k = (uint32_t)(p->steps - over - 1);
}

static void build_filter(struct program *p, row_fn *add_row)
{
    p->steps = 0;
    for (size_t i = 0; i < iotrace_arches; i++)
        add_arch(p, add_row, iotrace_arch[i].arch, iotrace_arch[i].audit);
    add_return(p, SECCOMP_RET_ALLOW);
}

bool call_filter_is_available(void)
{
    uint32_t action = SECCOMP_RET_TRACE;
    if (syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0)
        return true;
    /* Linux before 4.14 does not answer; an attempt with an invalid filter shows whether there is
     * any. */
    return errno == EINVAL && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, NULL) < 0 &&
           errno == EFAULT;
}

/* Our filter does not ask for slower speculation, which until 5.16 came with any. */
static int install_filter(const struct sock_fprog *program)
{
    if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW, program) == 0)
        return 0;
    if (errno == EINVAL && syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, program) == 0)
        return 0;
    return -errno;
}

static int build_and_install_filter(row_fn *add_row)
{
    static struct program p;
    build_filter(&p, add_row);
    struct sock_fprog program = {p.steps, p.step};
    int r = install_filter(&program);
    if (r == -EACCES && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0)
        r = install_filter(&program);
    return r;
}

int call_filter_files(void)
{
    return build_and_install_filter(add_call);
}

int iotrace_filter_standard(void)
{
    return build_and_install_filter(add_standard_fd_call);
}

int call_filter_cpus(void)
{
    return build_and_install_filter(add_cpus_call);
}
