/*
 * facts: the results of a probe by key: the bytes it read, or the error it got. A fact that was not
 * asked for is absent. The probe adds bytes uninterpreted; the functions here interpret them.
 *
 * A `facts' owns copies of everything in it. When memory runs out, adding does nothing further and
 * facts_error returns it once.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fact {
    char *key;
    char *text; /* NULL when it failed; else bytes, one NUL behind them */
    size_t len;
    int err; /* 0 or negative errno */
};

struct facts {
    struct fact *fact; /* in the order of asking */
    size_t n, cap;
    int err;
};

#define FACTS_INIT                                                                                 \
    {                                                                                              \
        NULL, 0, 0, 0                                                                              \
    }

void facts_release(struct facts *fs);    /* empty and usable afterwards */
int facts_error(const struct facts *fs); /* 0 or -ENOMEM */

/* One trailing newline is dropped. A key added twice: the first one counts. */
void facts_add(struct facts *fs, const char *key, const void *bytes, size_t len);
void facts_addf(struct facts *fs, const char *key, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
void facts_fail(struct facts *fs, const char *key, int err); /* err: negative errno */

const struct fact *facts_find(const struct facts *fs, const char *key); /* NULL: absent */
const char *facts_text(const struct facts *fs, const char *key);        /* NULL: failed or absent */
int facts_err(const struct facts *fs,
              const char *key); /* 0 it is there, -ENODATA absent, else how it failed */

/* The text as a whole decimal number; false when it is anything else, out is then untouched. */
bool facts_i64(const struct facts *fs, const char *key, int64_t *out);
double facts_double(const struct facts *fs, const char *key, double absent);

/* Whether word is in the text between white space (a `nodev' before it does not matter). */
bool facts_word(const struct facts *fs, const char *key, const char *word);

/* What follows `NAME' at the start of a line, without the blanks around it, cut to fit. False when
 * there is no such line. */
bool facts_line(const struct facts *fs, const char *key, const char *name, char *out, size_t size);
