/*
 * jitdump: the functions that a just-in-time compiler made, by the file jit-PID.dump that it writes
 * and maps for execution, so that profilers learn its path. The format is perf's
 * (tools/perf/Documentation/jitdump-specification.txt): a header of 40 bytes or more, then records,
 * each with its type, its length and a time, in the byte order of the compiler's machine:
 *
 *   0 load    a function: address, size, index, name, its code
 *   1 move    the function of that index moved to another address
 *   2 debug   its lines; 3 close; 4 how it is unwound: passed over, as what is not known
 */
#pragma once

#include "core/base/fail.h"
#include "core/symbol/jit_code.h"

/* Whether a mapped file of that path is one by its name, jit-PID.dump. */
bool jitdump_is_path(const char *path);

/* Adds the functions in bytes[0..len); names stay in the bytes. A record that is cut off
 * ends the reading: the compiler may be at work still. -EINVAL and f: no such file, or one of
 * another version; -ENOMEM. */
int jitdump_read(const uint8_t *bytes, size_t len, struct jit_code *out, struct fail *f);
