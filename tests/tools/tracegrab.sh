#!/bin/sh
# BUFFER_KB=512 tracegrab.sh FOLDER COMMAND...: what a kernel's ring buffers hold after a command, as pages, and what it says of their layout:
# a scenario's `trace FOLDER' of the fake platform. busybox sh is enough; root.
out=$1; shift
grep -q tracefs /proc/mounts || mount -t tracefs tracefs /sys/kernel/tracing || exit
instance=/sys/kernel/tracing/instances/grab-$$
points='sched/sched_switch sched/sched_wakeup sched/sched_wakeup_new sched/sched_migrate_task sched/sched_process_fork
  sched/sched_process_exec ftrace/print irq/irq_handler_entry irq/irq_handler_exit irq/softirq_entry irq/softirq_exit'
mkdir -p "$out" "$instance" || exit
echo 0 > $instance/tracing_on
echo mono > $instance/trace_clock
echo "${BUFFER_KB:-512}" > $instance/buffer_size_kb
cat $instance/events/header_page > "$out/header_page"
for point in $points; do
  mkdir -p "$out/${point%/*}"
  cat $instance/events/$point/format > "$out/$point"
  [ "${point%/*}" = ftrace ] || echo 1 > $instance/events/$point/enable
done
echo 1 > $instance/tracing_on
"$@"
echo 'the command ended' > $instance/trace_marker
echo 0 > $instance/tracing_on
# A read is a page; at the end it would wait.
for cpu in $instance/per_cpu/cpu*; do
  dd if=$cpu/trace_pipe_raw of="$out/${cpu##*/}.pages" bs=4096 2>/dev/null & reader=$!
  sleep 1
  kill $reader
  [ -s "$out/${cpu##*/}.pages" ] || rm "$out/${cpu##*/}.pages"
done
rmdir $instance
