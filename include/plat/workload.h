/*
 * workload: programs whose result is known, for `doctor --selftest'. psuite's executable contains
 * them, and workload_main is their main function:
 *
 *     NAME AMOUNT     does AMOUNT of the work once
 *     NAME -          prints `ready PID'; then reads lines `AMOUNT', does the work of each, and
 *                     prints `done' and the numbers below, until standard input ends
 *
 *     loop       AMOUNT iterations of WORKLOAD_LOOP_INSTRUCTIONS instructions. A third argument is
 *                the CPU on which it runs
 *     shares     AMOUNT ms of the thread's CPU time, in slices of 10 ms, of which 70 % are spent in
 *                the code WORKLOAD_A, 20 % in WORKLOAD_B, 10 % in WORKLOAD_C. Numbers: the CPU time
 *                in ns
 *     chain      AMOUNT ms of the thread's CPU time, nearly all of it in a call chain of
 *                WORKLOAD_CHAIN_FRAMES frames of the code WORKLOAD_CHAIN. The C library calls the
 *                11th of them, as the comparison of a sort; the 21st handles a signal
 *     burn       WORKLOAD_BLOCKS blocks of AMOUNT units of work. Numbers: the CPU time of a block
 *                in ns, which a tenth of them stay below; and the median
 *     faults     touches AMOUNT pages of new memory: a minor fault each
 *     touch      the same, in pages that are given back in between: it takes little memory.
 *                All on one CPU
 *     switches   sleeps AMOUNT times for 1 ms: a voluntary switch each
 *     sleep, lock, pipe
 *                a thread waits AMOUNT times for 20 ms: for the time, for a lock, for a pipe.
 *                Numbers: for how long it did not run, between which two times of the monotonic
 *                clock, in ns
 *     io         AMOUNT reads of WORKLOAD_READ_BYTES from /dev/zero, and writes of
 *                WORKLOAD_WRITE_BYTES to /dev/null. Numbers of /proc/self/io: bytes read and
 *                written, calls of read and write
 *     timer      AMOUNT sleeps of 1 ms to a fixed time, at most 1000. Numbers: how many ended too
 *                early; by how much the others were late, in ns: the median and the maximum
 *
 * Each ends after WORKLOAD_MAX_SECONDS for an AMOUNT, whatever happens.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum {
    WORKLOAD_LOOP_INSTRUCTIONS = 66,
    WORKLOAD_LOOP_CYCLES = 64, /* at least: so many additions, each of which needs the one before */
    WORKLOAD_CHAIN_FRAMES = 30,
    WORKLOAD_BLOCKS = 60,
    WORKLOAD_READ_BYTES = 4096,
    WORKLOAD_WRITE_BYTES = 512,
    WORKLOAD_MAX_SECONDS = 15,
    WORKLOAD_NUMBERS = 4 /* at most */
};

/* argv: NAME AMOUNT [CPU]. The exit status. */
int workload_main(int argc, char **argv);

/* A path by which this executable can be run again. */
extern const char workload_program[];

enum workload_code { WORKLOAD_A, WORKLOAD_B, WORKLOAD_C, WORKLOAD_CHAIN, WORKLOAD_CODES };

/* Where that code is in the executable: offsets in the file. False when that is not known. */
struct workload_range {
    uint64_t start, end;
};
bool workload_code(enum workload_code which, struct workload_range *out);
