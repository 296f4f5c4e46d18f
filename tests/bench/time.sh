#!/bin/bash
# What a run of an empty program costs under each timer, in interleaved rounds; a Markdown table.
#   PSUITE  the executable        ROUNDS (7)  RUNS a round (150)
# The cost of a run is the wall time of the whole call over its runs, so that what a timer does between the runs
# counts; GNU time and perf have no series and are called RUNS / 5 times.
set -u
here=$(cd "$(dirname "$0")" && pwd)
: "${PSUITE:=$here/../../build/psuite}" "${ROUNDS:=7}" "${RUNS:=150}"
PSUITE=$(realpath "$PSUITE")
scratch=$(mktemp -d); trap 'rm -rf "$scratch"' EXIT
true=$(type -P true)
${CC:-cc} -O2 -o "$scratch/floor" "$here/floor.c" || exit 1

loop() { local i; for ((i = 0; i < RUNS / 5; i++)); do "$@" >/dev/null 2>&1; done; }
# wall FILE N COMMAND...: appends the wall time of the command in us over N.
wall() {
  local file=$scratch/took.$1 n=$2 start end; shift 2
  start=$(date +%s%N); "$@" >/dev/null 2>&1; end=$(date +%s%N)
  echo $(((end - start) / n / 1000)) >>"$file"
}
have() { command -v "$1" >/dev/null; }

names=(floor psuite psuite-counters psuite-single shell-loop gnu-time hyperfine perf-stat)
label() {
  case $1 in
  floor) echo "vfork + exec + wait";; psuite) echo "psuite time -n";;
  psuite-counters) echo "psuite time -n -c";; psuite-single) echo "psuite time, a call a run";;
  shell-loop) echo "bash, a call a run";; gnu-time) echo "GNU time, a call a run";;
  hyperfine) echo "hyperfine -N";; perf-stat) echo "perf stat -r";;
  esac
}
for ((round = 0; round < ROUNDS; round++)); do
  wall floor "$RUNS" "$scratch/floor" "$RUNS" "$true"
  wall psuite "$RUNS" "$PSUITE" time -n "$RUNS" "$true"
  wall psuite-counters "$RUNS" "$PSUITE" time -n "$RUNS" -c "$true"
  wall psuite-single $((RUNS / 5)) loop "$PSUITE" time "$true"
  wall shell-loop $((RUNS / 5)) loop "$true"
  [ -x /usr/bin/time ] && wall gnu-time $((RUNS / 5)) loop /usr/bin/time "$true"
  have hyperfine && wall hyperfine "$RUNS" hyperfine -N --warmup 0 --runs "$RUNS" "$true"
  have perf && perf stat true 2>/dev/null && wall perf-stat $((RUNS / 5)) perf stat -r $((RUNS / 5)) "$true"
done
median() { sort -n "$scratch/took.$1" | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }
base=$(median floor)
echo "| program | us a run (median of $ROUNDS rounds) | ratio to floor |"
echo "|---|---|---|"
for name in "${names[@]}"; do
  if [ -s "$scratch/took.$name" ]; then
    m=$(median "$name")
    echo "| $(label "$name") | $m | $(awk "BEGIN { printf \"%.2f\", $m / $base }") |"
  else
    echo "| $(label "$name") | missing on this machine | |"
  fi
done
