# tracefs.sh: for tests that look into tracefs, wherever it is mounted or not, without a mount that others see.
tracefs=/sys/kernel/tracing

# in_tracefs COMMAND...: with tracefs at $tracefs, in a mount namespace of the command's own where it is not mounted there.
in_tracefs() {
  if mountpoint -q $tracefs; then "$@"
  else unshare -m sh -c 'mount -t tracefs tracefs "$0" && exec "$@"' $tracefs "$@"; fi
}

# without_tracefs COMMAND...: in a mount namespace in which neither tracefs nor debugfs is mounted.
without_tracefs() {
  unshare -m sh -c 'while read -r _ at type _; do case $type in tracefs | debugfs) echo "$at" ;; esac; done < /proc/self/mounts |
    sort -r | while read -r at; do umount -l "$at" || exit; done && exec "$@"' sh "$@"
}

# own_pids: whether the kernel's events have the numbers of processes that we have: not in a pid namespace.
own_pids() { [ "$(readlink /proc/self/ns/pid)" = 'pid:[4026531836]' ]; }

# instances: the folders below instances/, a line each
instances() { in_tracefs ls $tracefs/instances; }

# instance_pids: the processes of the instances that psuites of this PID namespace have made
instance_pids() {
  local of=
  own_pids || of=-$(stat -L -c %i /proc/self/ns/pid)
  instances | sed -nE "s/^psuite-([0-9]+)$of\$/\1/p"
}
