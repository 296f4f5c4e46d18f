/*
 * arm_exists: whether an operation of floating point or SIMD exists. The masks of arm_forms have
 * the registers that such instructions name; what they do is in the other bits. The low 24 bits are
 * the same in A32 and T32.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Data of Advanced SIMD: bit 24 is U, as in A32. */
bool arm_simd_exists(uint32_t op);
/* Loads and stores of elements and structures. */
bool arm_elements_exist(uint32_t op);
/* Data of floating point, with a condition in A32; and without one. */
bool arm_float_exists(uint32_t op);
bool arm_float_always_exists(uint32_t op);
/* From and to general registers: one, two; loads and stores. */
bool arm_float_move_exists(uint32_t op);
bool arm_float_pair_exists(uint32_t op);
bool arm_float_memory_exists(uint32_t op);
