/* raw_pages DIR CPUS: the least that a reader of a tracing instance does: 20 times a second all
 * pages of the CPUs' buffers are read, and thrown away. Until it is killed. (One that waits in read
 * is woken by each event, its own among them.) */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { CPUS_MOST = 256, ROUND_US = 50000 };

int main(int argc, char **argv)
{
    static char page[1 << 16];
    int cpus = argc == 3 ? atoi(argv[2]) : 0, fd[CPUS_MOST];
    for (int i = 0; i < cpus && i < CPUS_MOST; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/per_cpu/cpu%d/trace_pipe_raw", argv[1], i);
        fd[i] = open(path, O_RDONLY | O_NONBLOCK);
        if (fd[i] < 0) {
            perror(path);
            return 1;
        }
    }
    for (; cpus > 0; usleep(ROUND_US))
        for (int i = 0; i < cpus && i < CPUS_MOST; i++)
            while (read(fd[i], page, sizeof page) > 0)
                ;
    return 2;
}
