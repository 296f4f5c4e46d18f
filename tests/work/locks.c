/* locks FILE SAME: a file by two names, a server's and its own: 0 when what is locked by the one is
 * locked by the other, and a process may unlock by any of its descriptors. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static int lock(int fd, short kind)
{
    struct flock l = {.l_type = kind, .l_whence = SEEK_SET, .l_start = 10, .l_len = 5};
    return fcntl(fd, F_SETLK, &l);
}

/* Whether another process can lock it for writing. */
static int is_free(const char *name)
{
    int status = 0;
    pid_t pid = fork();
    if (pid == 0)
        _exit(lock(open(name, O_RDWR), F_WRLCK) == 0);
    waitpid(pid, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 1;
}

static int wrong(const char *what)
{
    fprintf(stderr, "%s\n", what);
    return 1;
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    int one = open(argv[1], O_RDWR), two = open(argv[1], O_RDWR), host = open(argv[2], O_RDWR);
    if (one < 0 || two < 0 || host < 0)
        return wrong("open");
    if (lock(one, F_WRLCK) < 0 || is_free(argv[2]) || is_free(argv[1]))
        return wrong("a lock is not seen");
    if (lock(two, F_RDLCK) < 0 || is_free(argv[2]))
        return wrong("a lock by the second descriptor");
    if (lock(two, F_UNLCK) < 0 || !is_free(argv[2]) || !is_free(argv[1]))
        return wrong("an unlock by the second descriptor");
    struct flock l = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (lock(host, F_RDLCK) < 0 || lock(one, F_WRLCK) == 0)
        return wrong("a lock of the host's is not seen");
    if (fcntl(one, F_GETLK, &l) < 0 || l.l_type != F_RDLCK || l.l_start != 10 || l.l_len != 5)
        return wrong("what is in the way");
    lock(host, F_UNLCK);
    return lock(one, F_WRLCK) < 0 ? wrong("when it is gone") : 0;
}
