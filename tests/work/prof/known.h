/* known: how a program says what its profile must hold; see README. */
#pragma once

#include <stdio.h>

#define QUIET __attribute__((no_instrument_function))
#define ALONE __attribute__((noinline, noclone))

static inline QUIET void known_calls(const char *name, unsigned long n)
{
    printf("calls %s %lu\n", name, n);
}

static inline QUIET void known(const char *what, unsigned long n)
{
    printf("%s %lu\n", what, n);
    fflush(stdout);
}
