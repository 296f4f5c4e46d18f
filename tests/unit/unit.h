/*
 * unit: the whole unit-test framework. A test file has TESTs and nothing else to do; unit.c brings
 * main. A failed CHECK prints where and what, and the test goes on: one run shows all that is
 * wrong.
 */
#pragma once

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* name NULL: what goes before the file's tests. */
void unit_add(const char *file, const char *name, void (*run)(void));
void unit_failed(const char *file, int line);
void unit_skipped(const char *why);
/* Of so many rounds of chance, those to be run: all, or one of $UNIT_ONE_OF, all if there are
 * fewer. */
int unit_rounds(int all);

#define TEST(name)                                                                                 \
    static void test_##name(void);                                                                 \
    __attribute__((constructor)) static void add_##name(void)                                      \
    {                                                                                              \
        unit_add(__FILE__, #name, test_##name);                                                    \
    }                                                                                              \
    static void test_##name(void)

/* What is done once before the tests of the file, written above them. */
#define BEFORE(name)                                                                               \
    static void name(void);                                                                        \
    __attribute__((constructor)) static void add_##name(void)                                      \
    {                                                                                              \
        unit_add(__FILE__, NULL, name);                                                            \
    }                                                                                              \
    static void name(void)

#define CHECK(truth)                                                                               \
    do {                                                                                           \
        if (!(truth)) {                                                                            \
            unit_failed(__FILE__, __LINE__);                                                       \
            printf("    not so: %s\n", #truth);                                                    \
        }                                                                                          \
    } while (0)

#define CHECK_INT(got, want)                                                                       \
    do {                                                                                           \
        int64_t got_ = (int64_t)(got), want_ = (int64_t)(want);                                    \
        if (got_ != want_) {                                                                       \
            unit_failed(__FILE__, __LINE__);                                                       \
            printf("    %s: got %" PRId64 ", want %" PRId64 "\n", #got, got_, want_);              \
        }                                                                                          \
    } while (0)

#define CHECK_STR(got, want)                                                                       \
    do {                                                                                           \
        const char *got_ = (got), *want_ = (want);                                                 \
        if (!got_ || strcmp(got_, want_) != 0) {                                                   \
            unit_failed(__FILE__, __LINE__);                                                       \
            printf("    %s:\n--- got\n%s\n--- want\n%s\n", #got, got_ ? got_ : "(null)", want_);   \
        }                                                                                          \
    } while (0)

/* Ends the test: it cannot be run here. ./dev test lists it with the reason, a string that lasts.
 */
#define SKIP(why)                                                                                  \
    do {                                                                                           \
        unit_skipped(why);                                                                         \
        return;                                                                                    \
    } while (0)

/* The folder tests/. */
const char *unit_folder(void);

/* A file of tests/, read whole; the caller frees. Ends the program when it is not there. */
char *unit_file(const char *path_below_tests, size_t *len);
