#!/bin/bash
# The slow-down of a command under each backend of iostats and under similar tools, relative to the bare run of the same round;
# medians of ROUNDS (5) rounds, in which all take turns.
#   PSUITE  the executable
# tar: 250 MB in 3,500 files through a pipe; small: 5,000 files of 1 KB; git: a clone of a local repository of some 2,000 files;
# cc: COMPILES (40) compiles in a row. `bare again' repeats the bare run and shows the noise.
# bindfs serves only the folder of the files, bound over itself in a mount namespace; bindfs_root serves all but /proc /sys /dev /run
# with several threads, as iostats does, including programs and libraries. At a high request rate iostats keeps CPUs from sleeping.
# fuse also counts the calls of standard input and output, for which a command is traced; fuse_files does not (--no-standard).
# strace -c -f stops at all calls; bpf is its --seccomp-bpf with the calls that iostats counts. bpftrace counts calls in the kernel,
# without times. CPU is the time of command, tool and server together. RSS is the highest of psuite's own processes. WORKS and WAYS
# select workloads and backends.
set -u
: "${PSUITE:?the psuite to measure}" "${ROUNDS:=5}" "${WORKS:=tar small git cc}"
: "${WAYS:=bare again fuse fuse_files ptrace strace bpf bindfs bindfs_many bindfs_root bpftrace}"
export COMPILES=${COMPILES:-40}
. "$(dirname "$0")/../lib/need.sh"
need bindfs strace git gcc tar /usr/include/linux/fuse.h=linux-libc-dev || exit 0
need bpftrace || true
[ "$(id -u)" = 0 ] || { echo 'fuse and bindfs for all files need root'; exit 0; }
bpftrace -e 'BEGIN { exit(); }' >/dev/null 2>&1 || WAYS=${WAYS/bpftrace/}
dir=$(mktemp -d); trap 'rm -rf --one-file-system "$dir"' EXIT
mkdir "$dir/tree" "$dir/out"
cd "$dir/tree" || exit

# --- the work
head -c 2000000 /dev/urandom > "$dir/bytes"
for ((i = 0; i < 3500; i++)); do [ $((i % 100)) -gt 0 ] || mkdir -p files/$i; head -c $((i % 70 * 2000 + 1500)) "$dir/bytes" > files/$((i / 100 * 100))/$i; done
for ((i = 0; i < 5000; i++)); do [ $((i % 100)) -gt 0 ] || mkdir -p few/$i; head -c 1024 "$dir/bytes" > few/$((i / 100 * 100))/$i; done
mkdir source && cp -r /usr/include/linux source/ && (cd source && git init -q . && git add . && git -c user.name=n -c user.email=e commit -qm 1) && git clone -q --bare source repository && rm -rf source
printf '#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <unistd.h>\nint main(void) { return !printf("x"); }\n' > c.c
tar_() { tar cf - files | cat > /dev/null; }
small_() { tar cf - few | cat > /dev/null; }
git_() { rm -rf clone; git clone -q --no-local repository clone; }
cc_() { local i; for ((i = 0; i < COMPILES; i++)); do gcc -O1 -c c.c; done; }
export -f tar_ small_ git_ cc_

# --- the ways
over_itself() { # over_itself BINDFS-OPTIONS WORK
  unshare -m bash -c 'mount --make-rprivate / && bindfs $1 --no-allow-other . . && cd "$PWD" && "$2"; status=$?; cd /; umount "$OLDPWD"; exit $status' - "$1" "$2"
}
bare() { bash -c "$1"; }
again() { bash -c "$1"; }
fuse() { "$PSUITE" iostats -b fuse bash -c "$1"; }
fuse_files() { "$PSUITE" iostats -b fuse --no-standard bash -c "$1"; }
ptrace() { "$PSUITE" iostats -b ptrace bash -c "$1"; }
strace_() { strace -c -f -o "$dir/strace" bash -c "$1"; }
bpf() { strace --seccomp-bpf -c -f -e trace=%file,read,write,pread64,pwrite64,readv,writev,close,fstat,getdents64,ftruncate,fsync,sendfile,copy_file_range -o "$dir/strace" bash -c "$1"; }
bindfs_() { over_itself '' "$1"; }
bindfs_many() { over_itself --multithreaded "$1"; }
bindfs_root() {
  mkdir -p "$dir/root"
  unshare -m bash -c 'mount --make-rprivate / && bindfs --multithreaded / "$1" || exit
    for own in proc sys dev run; do mount --rbind /$own "$1/$own"; done
    chroot "$1" bash -c "cd \"$PWD\" && $2"; status=$?
    umount -l "$1"; exit $status' - "$dir/root" "$1"
}
bpftrace_() { bpftrace -q -e 'tracepoint:raw_syscalls:sys_enter { @[args->id] = count(); }' -c "/bin/bash -c $1" ; }

# --- measuring: wall time, and CPU time where a group of processes has an account
account=/sys/fs/cgroup/cpuacct/psuite-bench-$$
mkdir "$account" 2>/dev/null && echo $$ > "$account/cgroup.procs" || account=
cpu_ns() { [ -z "$account" ] && echo 0 || cat "$account/cpuacct.usage"; }
clean() { [ -z "$account" ] || { echo $$ > "${account%/*}/cgroup.procs"; sleep 0.2; rmdir "$account"; } 2>/dev/null; cd /; rm -rf --one-file-system "$dir"; }
trap clean EXIT
measured() { # measured WAY WORK: seconds of the wall, of CPU
  local function=$1 from cpu
  declare -F "$1" >/dev/null || function=$1_
  cpu=$(cpu_ns) from=$EPOCHREALTIME
  "$function" "$2_" >/dev/null 2>"$dir/said" || { echo "$1: $2 failed: $(tail -1 "$dir/said")" >&2; echo '- -'; return; }
  echo "$EPOCHREALTIME $from $(cpu_ns) $cpu" | awk '{ print $1 - $2, ($3 - $4) / 1e9 }'
}
for ((round = 0; round < ROUNDS; round++)); do
  for work in $WORKS; do for way in $WAYS; do measured $way $work >> "$dir/out/$way.$work"; done; done
done
ratio() { # ratio COLUMN WAY WORK
  paste -d' ' "$dir/out/$2.$3" "$dir/out/bare.$3" | awk -v c="$1" '$c != "-" && $(c + 2) > 0 { print $c / $(c + 2) }' | sort -n | awk '{ v[NR] = $1 } END { if (NR) printf "%.2f", v[int((NR + 1) / 2)]; else print "-" }'
}
table() { # table COLUMN TITLE
  echo "| $2 | ${WORKS// / | } |"; echo "|---|$(printf -- '---|%.0s' $WORKS)"
  for way in $WAYS; do printf '| %s |' "${way//_/ }"; for work in $WORKS; do printf ' %s |' "$(ratio "$1" $way $work)"; done; echo; done
}
echo "load $(cut -d' ' -f1-3 /proc/loadavg), $(nproc) CPUs, medians of $ROUNDS rounds"; echo
table 1 'slow-down'; echo
[ -z "$account" ] || { table 2 'CPU time'; echo; }

# --- memory: of both our processes by fuse, and of the tracer
peak() { # peak WAY WORK
  "$1" "$2_" >/dev/null 2>&1 & local run=$! most=0 now
  while kill -0 $run 2>/dev/null; do
    now=$(for pid in $(pgrep -f "^$PSUITE iostats"); do awk '/^VmHWM/ { print $2 }' /proc/$pid/status 2>/dev/null; done | sort -n | tail -1)
    [ "${now:-0}" -le $most ] || most=$now
    sleep 0.05
  done
  wait $run; awk "BEGIN { printf \"%.1f\", $most / 1024 }"
}
echo "| peak RSS, MB | ${WORKS// / | } |"; echo "|---|$(printf -- '---|%.0s' $WORKS)"
for way in fuse ptrace; do printf '| %s |' $way; for work in $WORKS; do printf ' %s |' "$(peak $way $work)"; done; echo; done
