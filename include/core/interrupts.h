/*
 * interrupts: how many each CPU has had, out of the text of /proc/interrupts (proc(5)):
 *              CPU0       CPU2         the CPUs that are online, a column each
 *     24:         1          0  ...    an interrupt and what it is for
 *    LOC:      5000       6000  ...    the processor's own
 *    ERR:         0                    not of a CPU: passed over, MIS too
 */
#ifndef PSUITE_CORE_INTERRUPTS_H
#define PSUITE_CORE_INTERRUPTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { INTERRUPTS_MOST_CPUS = 8192 };

struct interrupts {
    size_t cpus;
    struct interrupts_cpu {
        uint32_t cpu;
        uint64_t count;
    } * of; /* in the order of their numbers */
};

/* -EINVAL when the text begins with no line of CPUs, -ENOMEM; then there is nothing to release. A
 * line that has fewer numbers than there are CPUs is passed over. */
int interrupts_parse(const char *text, struct interrupts *out);
void interrupts_release(struct interrupts *t);

/* False: not among them. */
bool interrupts_of(const struct interrupts *t, uint32_t cpu, uint64_t *count);

#endif
