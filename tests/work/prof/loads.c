/* dlopen and dlclose in turns of two plugins that lie beside the program, at the same addresses:
   what the one recorded is not the other's. `!' is profdump's mark of what was unloaded. */
#include "known.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TURNS = 6 };
static char folder[4096];

static QUIET void find_folder(void)
{
    ssize_t n = readlink("/proc/self/exe", folder, sizeof folder - 1);
    char *end = n > 0 ? strrchr(folder, '/') : NULL;
    if (!end)
        exit(1);
    *end = 0;
}

static QUIET void (*load(const char *name, void **handle))(int)
{
    char path[4200], symbol[16];
    snprintf(path, sizeof path, "%s/libprof_plugin_%s.so", folder, name);
    snprintf(symbol, sizeof symbol, "%s_work", name);
    *handle = dlopen(path, RTLD_NOW);
    void *at = *handle ? dlsym(*handle, symbol) : NULL;
    if (!at)
        exit(2);
    return (void (*)(int))at;
}

/* Whether both have stood at one address. */
static QUIET int turns(void)
{
    void (*last)(int) = NULL;
    int again = 0;
    for (int i = 0; i < TURNS; i++) {
        void *handle;
        void (*work)(int) = load(i % 2 ? "two" : "one", &handle);
        again += work == last;
        last = work;
        work(i % 2 ? 3 : 10);
        dlclose(handle);
    }
    return again;
}

int main(void)
{
    find_folder();
    int again = turns();
    known_calls("main", 1);
    known_calls("one_work!", TURNS / 2);
    known_calls("one_leaf!", TURNS / 2 * 10);
    known_calls("two_work!", TURNS / 2);
    known_calls("two_leaf!", TURNS / 2 * 3);
    known("missed", 0);
    known("same_address", (unsigned long)again);
    return 0;
}
