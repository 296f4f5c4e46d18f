/*
 * compiled: runs code that it copied into memory of its own, as a JIT compiler does, and tells its
 * names in /tmp/perf-PID.map: `compiled SECONDS'. First is a line of code thrown away since.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

/* Calls nothing and names nothing, so that it runs anywhere. */
__attribute__((section("compiled_code"), noinline, used)) static uint32_t spin(uint32_t n)
{
    volatile uint32_t x = 1;
    while (n--)
        x = x * 1664525 + 1013904223;
    return x;
}
extern char __start_compiled_code[], __stop_compiled_code[];

static void tell(const char *at, size_t len)
{
    char path[64];
    snprintf(path, sizeof path, "/tmp/perf-%d.map", (int)getpid());
    FILE *map = fopen(path, "w");
    if (!map)
        exit(1);
    fprintf(map, "%lx 1000 thrown_away\n", (unsigned long)at);
    fprintf(map, "%lx %zx _ZN8compiled4spinEj\n", (unsigned long)at, len);
    fclose(map);
}

int main(int argc, char **argv)
{
    size_t len = (size_t)(__stop_compiled_code - __start_compiled_code);
    char *at =
        mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED || len > 4096)
        return 1;
    memcpy(at, __start_compiled_code, len);
    __builtin___clear_cache(at, at + len);
    tell(at, len);
    uintptr_t thumb = (uintptr_t)spin & 1;
    uint32_t (*copy)(uint32_t) = (uint32_t(*)(uint32_t))((uintptr_t)at | thumb);
    clock_t end = clock() + (clock_t)(atof(argc > 1 ? argv[1] : "0.3") * CLOCKS_PER_SEC);
    while (clock() < end)
        copy(100000);
    return 0;
}
