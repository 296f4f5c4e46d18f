/*
 * compiled: runs code that it copied into memory of its own, as a JIT compiler does, and tells its
 * names in /tmp/perf-PID.map, or, in a folder, in jit-PID.dump: `compiled SECONDS [FOLDER]'. First
 * is code thrown away since.
 */
#include <fcntl.h>
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

/* The file that perf inject --jit reads, mapped so that its path is known. */
struct dump_header {
    uint32_t magic, version, size, machine, pad, pid;
    uint64_t time, flags;
};
struct dump_load {
    uint32_t type, len;
    uint64_t time;
    uint32_t pid, tid;
    uint64_t vma, address, size, index;
};

static void dump_function(int fd, const char *name, const char *at, size_t len, uint64_t index)
{
    size_t name_len = strlen(name) + 1;
    uint32_t pid = (uint32_t)getpid();
    uint64_t address = (uintptr_t)at;
    struct dump_load load = {.len = (uint32_t)(sizeof load + name_len + len),
                             .pid = pid,
                             .tid = pid,
                             .vma = address,
                             .address = address,
                             .size = len,
                             .index = index};
    if (write(fd, &load, sizeof load) < 0 || write(fd, name, name_len) < 0 ||
        write(fd, at, len) < 0)
        exit(1);
}

static void tell_dump(const char *folder, const char *at, size_t len)
{
    char path[512];
    struct dump_header head = {
        .magic = 0x4a695444, .version = 1, .size = sizeof head, .pid = (uint32_t)getpid()};
    snprintf(path, sizeof path, "%s/jit-%d.dump", folder, (int)getpid());
    int fd = open(path, O_CREAT | O_TRUNC | O_RDWR, 0600);
    if (fd < 0 || write(fd, &head, sizeof head) < 0 ||
        mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0) == MAP_FAILED)
        exit(1);
    dump_function(fd, "thrown_away", at, 4096, 0);
    dump_function(fd, "_ZN8compiled4spinEj", at, len, 1);
    close(fd);
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
    if (argc > 2)
        tell_dump(argv[2], at, len);
    else
        tell(at, len);
    uintptr_t thumb = (uintptr_t)spin & 1;
    uint32_t (*copy)(uint32_t) = (uint32_t(*)(uint32_t))((uintptr_t)at | thumb);
    clock_t end = clock() + (clock_t)(atof(argc > 1 ? argv[1] : "0.3") * CLOCKS_PER_SEC);
    while (clock() < end)
        copy(100000);
    return 0;
}
