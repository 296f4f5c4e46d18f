/* The registers that have a function's first arguments, by kprobes' names, and their type; and
 * where the function of a system call, PROBE_CALL and the call's name, has those of the call. */
#pragma once

#if defined(__x86_64__) /* calls: in a struct pt_regs of arch/x86/include/asm/ptrace.h */
#define PROBE_REGISTERS "di", "si", "dx", "cx", "r8", "r9"
#define PROBE_TYPE      "x64"
#define PROBE_CALL      "__x64_sys_"
#define PROBE_CALL_ARGS "+112(%di)", "+104(%di)", "+96(%di)", "+56(%di)", "+72(%di)", "+64(%di)"
#elif defined(__aarch64__) /* of arch/arm64/include/asm/ptrace.h */
#define PROBE_REGISTERS "x0", "x1", "x2", "x3", "x4", "x5"
#define PROBE_TYPE      "x64"
#define PROBE_CALL      "__arm64_sys_"
#define PROBE_CALL_ARGS "+0(%x0)", "+8(%x0)", "+16(%x0)", "+24(%x0)", "+32(%x0)", "+40(%x0)"
#else
#define PROBE_REGISTERS "r0", "r1", "r2", "r3"
#define PROBE_TYPE      "x32"
#define PROBE_CALL      "sys_"
#define PROBE_CALL_ARGS "%r0", "%r1", "%r2", "%r3"
#define PROBE_NO_STACKS /* Linux 6.1 and 6.12 oops in unwind_frame at the probe of a return */
#endif
