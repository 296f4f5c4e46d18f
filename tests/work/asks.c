/* asks MS: asks the kernel for MS milliseconds, one small system call after the other. */
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    clock_t end = clock() + (argc > 1 ? atol(argv[1]) : 100) * (CLOCKS_PER_SEC / 1000);
    while (clock() < end)
        for (int i = 0; i < 1000; i++)
            syscall(SYS_getppid);
    return 0;
}
