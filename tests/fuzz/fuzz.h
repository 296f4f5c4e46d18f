/*
 * fuzz: what a target defines. It must return 0 and leave nothing behind, whatever the bytes are.
 */
#ifndef PSUITE_TESTS_FUZZ_H
#define PSUITE_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

#endif
