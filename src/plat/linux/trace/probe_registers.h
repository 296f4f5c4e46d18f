/* The registers that have a function's first arguments, by kprobes' names, and their type. */
#ifndef PSUITE_PLAT_LINUX_TRACE_PROBE_REGISTERS_H
#define PSUITE_PLAT_LINUX_TRACE_PROBE_REGISTERS_H

#if defined(__x86_64__)
#define PROBE_REGISTERS "di", "si", "dx", "cx", "r8", "r9"
#define PROBE_TYPE      "x64"
#elif defined(__aarch64__)
#define PROBE_REGISTERS "x0", "x1", "x2", "x3", "x4", "x5"
#define PROBE_TYPE      "x64"
#else
#define PROBE_REGISTERS "r0", "r1", "r2", "r3"
#define PROBE_TYPE      "x32"
#define PROBE_NO_STACKS /* Linux 6.1 oopses in unwind_frame when it follows a probe's registers */
#endif

#endif
