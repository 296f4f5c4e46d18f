/*
 * fuzz: what a target defines. It must return 0 and leave nothing behind, whatever the bytes are.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

/* The bytes as a text of just that size, with a NUL behind; free() is the caller's. */
static inline char *fuzz_text(const uint8_t *bytes, size_t len)
{
    char *text = malloc(len + 1);
    if (!text)
        abort();
    memcpy(text, bytes, len);
    text[len] = '\0';
    return text;
}
