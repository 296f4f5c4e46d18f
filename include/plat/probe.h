/*
 * probe: what this system is and offers, as raw facts for core/doctor/doctor.h to judge: files as
 * they read, attempts with what they gave or the error they met. Nothing stays behind: no mount, no
 * module, no process.
 *
 * Files, as their text (long ones cut):
 *   perf_event_paranoid, perf_event_max_sample_rate, perf_event_mlock_kb, kptr_restrict
 *                         of /proc/sys/kernel
 *   ptrace_scope          of Yama
 *   filesystems, cpuinfo  of /proc
 *   status                of /proc/self
 *   kallsyms              its first lines
 *   lockdown              of /sys/kernel/security, or of securityfs that psuite mounts for itself
 *   config                /proc/config.gz, packed as it is, else /boot/config-RELEASE
 *   config.path           which of them
 *   modules.dep           of /lib/modules/RELEASE
 * Folders, as names with a blank between:
 *   pmus                  /sys/bus/event_source/devices
 *   devicetree            /proc/device-tree
 * Numbers and words:
 *   release, machine      uname's
 *   uid, cpus, page_bytes effective user; online; of memory
 *   nofile, memlock       soft and hard limit, `unlimited' where it is; memlock in bytes
 *   clock.libc_ns, clock.syscall_ns
 *                         cost of CLOCK_MONOTONIC by the C library, by system call
 * Attempts; perf.* bring the count after a short loop:
 *   perf.user             task clock: of us in user mode
 *   perf.kernel           in kernel mode, too
 *   perf.all              CPU clock: all of a CPU
 *   perf.other            task clock: of process 1
 *   perf.ring             sampling us by cpu-clock into a mapped ring of 8 pages
 *   perf.cycles, perf.instructions
 *                         the processor's counters, user mode
 *   perf.tlb_misses       of loads, likewise
 *   perf.cycles_sampling  an overflow interrupt of cycles
 *   procfs, sysfs         /proc/self and /sys/kernel are there
 *   unix, inet            a socket of that family
 *   ptrace                a child of ours seized
 *   userns                a user namespace
 *   seccomp               filters known
 *   fuse                  /dev/fuse opened; `private': there is none, but we may open the kernel's
 *   tracefs               where it is mounted, directly or in debugfs, or `private': psuite mounts
 *                         it for itself; then
 *   tracefs.tracers       available_tracers
 *   tracefs.instances, tracefs.kprobes, tracefs.sched, tracefs.syscalls
 *                         an instance can be made; kprobe_events can be written; those events are
 *                         there
 */
#pragma once

struct facts;

/* Appends them; takes some 10 ms. 0 or -ENOMEM. */
int probe_run(struct facts *out);
