/* dlopen and dlclose, again and again, maybe at the same addresses. */
#include "known.h"

#include <dlfcn.h>

int main(int argc, char **argv)
{
    for (int i = 0; i < 5; i++) {
        void *h = dlopen(argv[argc - 1], RTLD_NOW);
        void (*work)(int) = h ? (void (*)(int))dlsym(h, "plugin_work") : 0;
        if (!work)
            return 1;
        work(10);
        dlclose(h);
    }
    known_calls("main", 1);
    known_calls("plugin_work!", 5);
    known_calls("plugin_leaf!", 50);
    known("missed", 0);
    return 0;
}
