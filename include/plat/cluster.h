/*
 * cluster: the kinds of CPUs of this machine. CPUs are of one kind when their capacity
 * (cpu_capacity), their model (MIDR_EL1, or the part in /proc/cpuinfo) and their PMU are the same:
 * the clusters of a big.LITTLE processor.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct cluster {
    char cpus[32]; /* "0-3", "0-1,4": cut to fit */
    uint32_t cpu;  /* the first of them */
    uint32_t type; /* perf's type of their PMU; 0: the machine has no several PMUs of CPUs */
    char pmu[32];  /* its name; empty as type is 0 */
};

/* Those with a CPU on which this process may run, at most max: how many. Where the system does not
 * list its CPUs, one cluster of CPU 0. */
size_t cluster_list(struct cluster *out, size_t max);
