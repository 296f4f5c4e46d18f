/* Runs a fuzz target on every file of the folders given: libFuzzer's main, for builds without it.
 */
#include "fuzz.h"

#include <dirent.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

/* The file's bytes in memory of just that size, so that a read beyond them is seen. */
static bool replay_file(const char *path)
{
    FILE *in = fopen(path, "rb");
    if (!in || fseek(in, 0, SEEK_END) < 0)
        return false;
    long len = ftell(in);
    rewind(in);
    uint8_t *bytes = malloc(len > 0 ? (size_t)len : 1);
    bool read = bytes && len >= 0 && fread(bytes, 1, (size_t)len, in) == (size_t)len;
    fclose(in);
    if (read)
        LLVMFuzzerTestOneInput(bytes, (size_t)len);
    free(bytes);
    return read;
}

/* How many files it held, -1 when one could not be read. */
static int replay_folder(const char *folder)
{
    int count = 0;
    DIR *d = opendir(folder);
    if (!d)
        return -1;
    for (struct dirent *e; count >= 0 && (e = readdir(d));) {
        char path[PATH_MAX];
        if (e->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        struct stat st;
        if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
            continue;
        count = replay_file(path) ? count + 1 : -1;
    }
    closedir(d);
    return count;
}

int main(int argc, char **argv)
{
    int total = 0;
    for (int i = 1; i < argc; i++) {
        int count = replay_folder(argv[i]);
        if (count < 0) {
            perror(argv[i]);
            return 1;
        }
        total += count;
    }
    printf("%d inputs replayed\n", total);
    return total == 0;
}
