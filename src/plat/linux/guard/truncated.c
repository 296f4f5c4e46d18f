/* A page that a mapped file has lost becomes one of zeros. */
#include "plat/guard.h"

#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

static uintptr_t page_bytes;

/* What is no lost page happens again, with the signal's default. */
static void on_bus_error(int sig, siginfo_t *info, void *context)
{
    void *page = (void *)((uintptr_t)info->si_addr & ~(page_bytes - 1));
    if (info->si_code != BUS_ADRERR ||
        mmap(page, page_bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != page)
        signal(sig, SIG_DFL);
}

/* One that is ignored stays so: a command is started with our signals. */
void guard_truncated_files(void)
{
    struct sigaction before, a = {.sa_sigaction = on_bus_error, .sa_flags = SA_SIGINFO};
    page_bytes = (uintptr_t)sysconf(_SC_PAGESIZE);
    sigemptyset(&a.sa_mask);
    if (sigaction(SIGBUS, NULL, &before) == 0 && before.sa_handler == SIG_DFL)
        sigaction(SIGBUS, &a, NULL);
}
