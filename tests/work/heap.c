/* heap [TURNS [child]]: blocks of each kind of call, resized, of threads and of a child: a thread
 * allocates two blocks each turn. It exits with 3. */
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
void *volatile keep;
__attribute__((noinline)) void *leaf(size_t n)
{
    return malloc(n);
}
__attribute__((noinline)) void resize(void)
{
    char *p = NULL;
    for (int i = 1; i <= 10; i++)
        p = realloc(p, (size_t)i * 1000);
    free(p);
}
__attribute__((noinline, noclone)) static void drop(void *volatile p)
{
    free(p);
}
volatile size_t huge = PTRDIFF_MAX;
__attribute__((noinline)) void kinds(void)
{
    void *p;
    drop(calloc(10, 30));
    drop(memalign(64, 100));
    drop(aligned_alloc(64, 128));
    drop(valloc(200));
    drop(reallocarray(NULL, 5, 8));
    if (posix_memalign(&p, 64, 5000) == 0)
        drop(p);
    if (posix_memalign(&p, 3, 7000) == 0 || (p = malloc(huge)) || (p = calloc(huge, 3)))
        drop(p);
    drop(malloc(0));
}
static int turns;
static void *work(void *arg)
{
    for (int i = 0; i < turns; i++)
        free(realloc(leaf(10), 20));
    return arg;
}
int main(int argc, char **argv)
{
    pthread_t t[4];
    turns = argc > 1 ? atoi(argv[1]) : 1000;
    for (int i = 0; i < 4; i++)
        pthread_create(&t[i], NULL, work, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], NULL);
    resize();
    kinds();
    keep = leaf(12345);
    if (argc > 2 && fork() == 0) {
        free(keep);
        keep = leaf(777);
        _exit(0);
    }
    wait(NULL);
    return argv[0] ? 3 : 0;
}
