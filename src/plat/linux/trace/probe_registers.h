/* The registers that have a function's first four arguments, by kprobes' names. */
#ifndef PSUITE_PLAT_LINUX_TRACE_PROBE_REGISTERS_H
#define PSUITE_PLAT_LINUX_TRACE_PROBE_REGISTERS_H

#if defined(__x86_64__)
#define PROBE_ARGUMENTS "a1=%%di:x64 a2=%%si:x64 a3=%%dx:x64 a4=%%cx:x64"
#define PROBE_RETURNED  "r=$retval:x64"
#elif defined(__aarch64__)
#define PROBE_ARGUMENTS "a1=%%x0:x64 a2=%%x1:x64 a3=%%x2:x64 a4=%%x3:x64"
#define PROBE_RETURNED  "r=$retval:x64"
#else
#define PROBE_ARGUMENTS "a1=%%r0:x32 a2=%%r1:x32 a3=%%r2:x32 a4=%%r3:x32"
#define PROBE_RETURNED  "r=$retval:x32"
#endif

#endif
