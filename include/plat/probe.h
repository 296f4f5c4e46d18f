/*
 * probe: what this system is and offers, as raw facts for core/doctor.h to judge: files as they
 * read, attempts with what they gave or the error they met. Nothing stays behind: no mount, no
 * module, no process.
 *
 * Files, as their text (long ones cut):
 *   perf_event_paranoid perf_event_max_sample_rate perf_event_mlock_kb kptr_restrict
 * /proc/sys/kernel ptrace_scope          of Yama filesystems status cpuinfo     /proc; status is
 * our own kallsyms              its first lines lockdown              /sys/kernel/security config
 * /proc/config.gz, packed as it is, else /boot/config-RELEASE; config.path tells which modules.dep
 * /lib/modules/RELEASE Folders, as names with a blank between: pmus /sys/bus/event_source/devices
 *   devicetree            /proc/device-tree
 * Numbers and words:
 *   release machine       uname's
 *   uid cpus page_bytes   effective user; online; of memory
 *   nofile memlock        soft and hard limit, `unlimited' where it is; memlock in bytes
 *   clock.libc_ns clock.syscall_ns  cost of CLOCK_MONOTONIC by the C library, by system call
 * Attempts; perf.* bring the count after a short loop:
 *   perf.user perf.kernel perf.all perf.other  task or CPU clock: of us in user mode, kernel mode
 * too, all of a CPU, process 1 perf.ring             sampling us by cpu-clock into a mapped ring of
 * 8 pages perf.cycles perf.instructions  the processor's counters, user mode perf.cycles_sampling
 * an overflow interrupt of cycles ptrace userns seccomp fuse   a child of ours seized; a user
 * namespace; filters known; /dev/fuse opened tracefs               where it is mounted, directly or
 * in debugfs; then tracefs.tracers (available_tracers) tracefs.instances tracefs.kprobes (writable)
 * tracefs.sched tracefs.syscalls
 */
#ifndef PSUITE_PLAT_PROBE_H
#define PSUITE_PLAT_PROBE_H

struct facts;

/* Appends them; takes some 10 ms. 0 or -ENOMEM. */
int probe_run(struct facts *out);

#endif
