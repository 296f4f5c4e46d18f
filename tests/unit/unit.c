#include "unit.h"

#include <stdlib.h>

enum { MOST = 512 };
static struct {
    const char *name;
    void (*run)(void);
} tests[MOST];
static int count, failed_checks;

void unit_add(const char *name, void (*run)(void))
{
    if (count == MOST)
        abort();
    tests[count].name = name;
    tests[count++].run = run;
}

void unit_failed(const char *file, int line)
{
    failed_checks++;
    printf("%s:%d: failed\n", file, line);
}

const char *unit_folder(void)
{
    const char *elsewhere = getenv("UNIT_DATA");
    return elsewhere ? elsewhere : PSUITE_TESTS_DIR;
}

char *unit_file(const char *path, size_t *len)
{
    char full[1024];
    snprintf(full, sizeof full, "%s/%s", unit_folder(), path);
    FILE *in = fopen(full, "rb");
    if (!in) {
        perror(full);
        exit(1);
    }
    fseek(in, 0, SEEK_END);
    size_t n = (size_t)ftell(in);
    rewind(in);
    char *bytes = malloc(n + 1);
    if (!bytes || fread(bytes, 1, n, in) != n)
        exit(1);
    bytes[n] = '\0';
    fclose(in);
    if (len)
        *len = n;
    return bytes;
}

int main(int argc, char **argv)
{
    int failed = 0, ran = 0;
    for (int i = 0; i < count; i++) {
        if (argc > 1 && strcmp(argv[1], tests[i].name) != 0)
            continue;
        int before = failed_checks;
        tests[i].run();
        ran++;
        failed += failed_checks > before;
        printf("%s %s\n", failed_checks > before ? "FAILED" : "ok", tests[i].name);
    }
    printf("%d passed, %d failed\n", ran - failed, failed);
    return failed || !ran;
}
