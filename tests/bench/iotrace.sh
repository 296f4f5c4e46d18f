#!/bin/bash
# What counting file calls by ptrace costs a command: a tar of FILES (1200) files of 70 KB, and COMPILES (15) compiles in a
# row, beside strace -c -f and strace --seccomp-bpf of the calls that read most of it. Times are medians of RUNS (5), in
# turn; REAL=1 runs all at real-time priority, so that other work on the machine is not in them.
set -u
: "${PSUITE:?the psuite to measure}" "${FILES:=1200}" "${COMPILES:=15}" "${RUNS:=5}" "${REAL:=}"
. "$(dirname "$0")/../lib/need.sh"
need strace gcc tar || exit 0
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
cd "$work" || exit
mkdir t && for ((i = 0; i < FILES; i++)); do head -c 70000 /dev/urandom >t/$i; done
printf '#include <stdio.h>\n#include <stdlib.h>\n#include <unistd.h>\nint main(void) { return !printf("x"); }\n' >c.c
some=openat,read,write,close,lseek,newfstatat,stat
ways=('' "$PSUITE iostats -b ptrace" 'strace -c -f -o strace' "strace --seccomp-bpf -e trace=$some -c -f -o strace")
timed() { local from=$EPOCHREALTIME; ${REAL:+chrt -f 5} "$@" >/dev/null 2>&1; awk "BEGIN { print $EPOCHREALTIME - $from }"; }
median() { sort -n "$1" | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }
row() { # WHAT COMMAND
  for ((run = 0; run < RUNS; run++)); do
    for w in "${!ways[@]}"; do timed ${ways[w]} sh -c "$2" >>"$1.$w"; done
  done
  awk -v what="$1" -v plain="$(median "$1.0")" -v ours="$(median "$1.1")" -v all="$(median "$1.2")" -v bpf="$(median "$1.3")" \
    'BEGIN { printf "| %s | %.2f | %.2f (%.1fx) | %.2f (%.1fx) | %.2f (%.1fx) |\n", what, plain, ours, ours / plain, all, all / plain, bpf, bpf / plain }'
}
echo "load $(cut -d' ' -f1 /proc/loadavg), $(nproc) CPUs${REAL:+, at real-time priority}"
echo '| command, s | alone | iostats -b ptrace | strace -c -f | strace --seccomp-bpf |'
echo '|---|---|---|---|---|'
row tar 'tar cf o.tar t'
row compiles "i=0; while [ \$i -lt $COMPILES ]; do gcc -O1 -c c.c; i=\$((i + 1)); done"
