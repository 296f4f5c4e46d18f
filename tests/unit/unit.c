#include "unit.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST = 2048 };
static struct {
    const char *file, *name;
    void (*run)(void);
} tests[MOST];
static int count, failed_checks;
static const char *skipped_why;
static struct tally {
    int passed, failed, skipped;
} tally;
static FILE *results;

void unit_add(const char *file, const char *name, void (*run)(void))
{
    if (count == MOST)
        abort();
    tests[count].file = file;
    tests[count].name = name;
    tests[count++].run = run;
}

void unit_failed(const char *file, int line)
{
    failed_checks++;
    printf("%s:%d: failed\n", file, line);
}

void unit_skipped(const char *why)
{
    skipped_why = why;
}

int unit_rounds(int all)
{
    const char *one_of = getenv("UNIT_ONE_OF");
    int divisor = one_of ? atoi(one_of) : 1;
    return divisor > 1 && all > divisor ? all / divisor : all;
}

const char *unit_folder(void)
{
    return PSUITE_TESTS_DIR;
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

/* To standard output, and to the file for ./dev. */
static void print(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    va_start(args, format);
    if (results)
        vfprintf(results, format, args);
    va_end(args);
}

/* $RESULTS/unit_NAME: what was skipped, and the numbers. */
static FILE *results_of(const char *name)
{
    char path[1024];
    if (!getenv("RESULTS"))
        return NULL;
    snprintf(path, sizeof path, "%s/unit_%s", getenv("RESULTS"), name);
    return fopen(path, "w");
}

/* NAME of ".../test_NAME.c" */
static bool is_of(const char *file, const char *name)
{
    const char *slash = strrchr(file, '/'), *at = (slash ? slash + 1 : file) + strlen("test_");
    size_t len = strlen(name);
    return strncmp(at, name, len) == 0 && strcmp(at + len, ".c") == 0;
}

static bool is_first_of_its_file(int i)
{
    for (int k = 0; k < i; k++)
        if (strcmp(tests[k].file, tests[i].file) == 0)
            return false;
    return true;
}

static const char *counted(int failed_before)
{
    if (failed_checks > failed_before)
        return tally.failed++, "FAILED";
    if (skipped_why)
        return tally.skipped++, "skipped";
    return tally.passed++, "ok";
}

static void run_test(int i)
{
    int before = failed_checks;
    skipped_why = NULL;
    tests[i].run();
    if (!tests[i].name)
        return;
    const char *word = counted(before);
    if (*word == 's')
        print("%s %s: %s\n", word, tests[i].name, skipped_why);
    else if (*word == 'F' || getenv("V"))
        printf("%s %s\n", word, tests[i].name);
}

/* The tests of a file, all or one: whether any ran and none failed. */
static bool run_file(const char *file, const char *only)
{
    tally = (struct tally){0};
    for (int i = 0; i < count; i++) {
        const char *name = tests[i].name;
        if (strcmp(tests[i].file, file) == 0 && (!only || !name || strcmp(only, name) == 0))
            run_test(i);
    }
    print("%d passed, %d failed, %d skipped\n", tally.passed, tally.failed, tally.skipped);
    return tally.passed + tally.skipped > 0 && !tally.failed;
}

/* What one file's tests do to the process is not seen by the next's. */
static bool run_apart(const char *file)
{
    int status;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0)
        exit(!run_file(file, NULL));
    if (child > 0 && waitpid(child, &status, 0) == child && status == 0)
        return true;
    printf("FAILED %s\n", file);
    return false;
}

/* unit [NAME [TEST]]: all tests, those of test_NAME.c, or one of those. V=1 shows those that pass.
 */
int main(int argc, char **argv)
{
    int failed = 0, ran = 0;
    results = argc > 1 ? results_of(argv[1]) : NULL;
    for (int i = 0; i < count; i++) {
        const char *file = tests[i].file;
        if (!is_first_of_its_file(i) || (argc > 1 && !is_of(file, argv[1])))
            continue;
        failed += !(argc > 1 ? run_file(file, argv[2]) : run_apart(file));
        ran++;
    }
    if (results && fclose(results) != 0)
        return 1;
    return failed || !ran;
}
