/* touch_pages N [AGAIN]: touches N pages of 4096 bytes, once; AGAIN processes in a row do so as our
 * children. */
#define PAGE 4096
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static int touch(size_t pages)
{
    volatile char *at =
        mmap(NULL, pages * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED || madvise((void *)at, pages * PAGE, MADV_NOHUGEPAGE) > 0)
        return 1;
    for (size_t i = 0; i < pages; i++)
        at[i * PAGE] = 1;
    return 0;
}

int main(int argc, char **argv)
{
    size_t pages = argc > 1 ? strtoul(argv[1], NULL, 10) : 1;
    if (argc < 3)
        return touch(pages);
    for (int i = atoi(argv[2]); i > 0; i--) {
        if (fork() == 0)
            _exit(touch(pages));
        wait(NULL);
    }
    return 0;
}
