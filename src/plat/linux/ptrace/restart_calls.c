#include "restart.h"

#include <sys/syscall.h>

/* EINTR says that these have done nothing. Not close: its descriptor is gone all the same. */
static const long repeatable[] = {
    SYS_epoll_pwait,
#ifdef SYS_epoll_wait
    SYS_epoll_wait,
#endif
#ifdef SYS_epoll_pwait2
    SYS_epoll_pwait2,
#endif
#ifdef SYS_semop
    SYS_semop,
#endif
#ifdef SYS_semtimedop
    SYS_semtimedop,
#endif
#ifdef SYS_semtimedop_time64
    SYS_semtimedop_time64,
#endif
    SYS_rt_sigtimedwait,
#ifdef SYS_rt_sigtimedwait_time64
    SYS_rt_sigtimedwait_time64,
#endif
    SYS_io_getevents,
#ifdef SYS_io_uring_enter
    SYS_io_uring_enter,
#endif
    SYS_read,
    SYS_readv,
    SYS_write,
    SYS_writev,
#ifdef SYS_recv
    SYS_recv,
#endif
#ifdef SYS_send
    SYS_send,
#endif
    SYS_recvfrom,
    SYS_recvmsg,
    SYS_sendto,
    SYS_sendmsg,
    SYS_accept4,
#ifdef SYS_accept
    SYS_accept,
#endif
    SYS_connect,
};

bool restart_can_repeat_call(long call)
{
    for (size_t i = 0; i < sizeof repeatable / sizeof *repeatable; i++)
        if (repeatable[i] == call)
            return true;
    return false;
}

bool restart_is_write_call(long call)
{
#ifdef SYS_send
    if (call == SYS_send)
        return true;
#endif
    return call == SYS_write || call == SYS_sendto;
}
