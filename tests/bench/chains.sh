#!/bin/bash
# Complete call chains at 997 Hz: tprof -g, which unwinds while it samples, compared with perf record --call-graph dwarf followed by
# perf script, and with the bare program, in turn, ROUNDS (5) times. All programs are Debian's own, without frame pointers. Medians:
#   slow-down   the program's CPU time over that of a bare run (the shell's times)
#   extra CPU s total CPU time beyond the bare program's: the program's slow-down, the recording, the unwinding
#   MB          of the recording
# Aims: a slow-down of at most perf's, half of perf's extra CPU, a hundredth of its bytes.
set -u
here=$(cd "$(dirname "$0")" && pwd)
: "${ROUNDS:=5}" "${PSUITE:=$here/../../build-release/psuite}"
command -v perf >/dev/null || { echo 'perf is missing: apt-get install linux-perf'; exit 0; }
[ -x /usr/bin/time ] || { echo 'time is missing: apt-get install time'; exit 0; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT

cpu() { # cpu NAME COMMAND...: user and system time of all of it
  local name=$1; shift
  /usr/bin/time -o "$dir/cost" -f '%U %S' "$@" > /dev/null 2>&1
  awk '{ print $1 + $2 }' "$dir/cost" >> "$dir/$name"
}
own() { # the program's own account: its times, told by the shell that runs it
  local name=$1; shift
  "$@" 2> "$dir/told" > /dev/null
  awk '/^own / { print $2 + $3 }' "$dir/told" >> "$dir/$name.own"
}
median() { sort -n "$dir/$1" | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }
told='TIMEFORMAT="own %U %S"; time "$@"'
row() { # row NAME COMMAND...
  local what=$1; shift
  rm -f "$dir"/{bare,ours,perf,bare.own,ours.own,perf.own}
  for ((i = 0; i < ROUNDS; i++)); do
    cpu bare "$@"; own bare bash -c "$told" bash "$@"
    rm -f "$dir/recording"
    cpu ours "$PSUITE" tprof -g -q --record "$dir/recording" -x "$@"
    own ours "$PSUITE" tprof -g -q -f --record "$dir/recording2" -x bash -c "$told" bash "$@"
    cpu perf bash -c 'perf record -q --call-graph dwarf -F 997 -e cpu-clock:u -o "$0" -- "$@" 2>/dev/null; perf script -i "$0" 2>/dev/null' "$dir/data" "$@"
    own perf perf record -q --call-graph dwarf -F 997 -e cpu-clock:u -o "$dir/data2" -- bash -c "$told" bash "$@"
  done
  awk -v what="$what" -v b="$(median bare)" -v o="$(median ours)" -v p="$(median perf)" -v bo="$(median bare.own)" -v oo="$(median ours.own)" \
    -v po="$(median perf.own)" -v ob="$(stat -c %s "$dir/recording")" -v pb="$(stat -c %s "$dir/data")" 'BEGIN {
    printf "| %s | %.3f | %.3f | %.2f | %.2f | %.2f | %.2f | %.1f | %.4f |\n", what, oo / bo, po / bo, o - b, p - b, (o - b) / (p - b), ob / 1e6, pb / 1e6, ob / pb }'
}
echo '| | slow-down: tprof -g | perf | extra CPU s: tprof -g | perf | ratio | MB: tprof | perf | ratio |'
echo '|---|---|---|---|---|---|---|---|---|'
row python3 /usr/bin/python3 -c 'print(sum(hash(str(i)) % 7 for i in range(4000000)))'
row xz xz -6 -T1 -k -c /usr/lib/x86_64-linux-gnu/libc.a
export SOURCE=$here/../..
row 'gcc, C' bash -c 'for f in sample/recording_read report/flat_report sample/sampled unwind/cfi_entry dwarf/lines; do
  gcc -O2 -w -D_GNU_SOURCE -I"$SOURCE/include" -I"$SOURCE/src" -o /dev/null -c "$SOURCE/src/core/$f.c"; done'
row 'gcc, C++' bash -c 'for i in 1 2; do gcc -O2 -w -o /dev/null -c -x c++ - <<< "#include <regex>
int main() { return std::regex_match(\"a\", std::regex(\"a*\")); }"; done'
