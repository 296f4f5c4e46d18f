#!/bin/bash
# The cost of a run of an empty program under each timer, as a Markdown table.
#   PSUITE  the executable        ROUNDS (9)  RUNS a round (150)
# The cost of a run is that of the complete call divided by its runs, so that a timer's work between runs counts; GNU time and a shell
# have no series and are called RUNS / 5 times.
# Compare CPU time. Wall time on a busy machine depends mostly on scheduling: the floor is measured twice, and differences within the
# range of its second row mean nothing.
set -u
here=$(cd "$(dirname "$0")" && pwd)
: "${PSUITE:=$here/../../build/psuite}" "${ROUNDS:=9}" "${RUNS:=150}"
PSUITE=$(realpath "$PSUITE")
scratch=$(mktemp -d); trap 'rm -rf "$scratch"' EXIT
true=$(type -P true)
${CC:-cc} -O2 -o "$scratch/floor" "$here/floor.c" || exit 1

loop() { local i; for ((i = 0; i < RUNS / 5; i++)); do "$@" >/dev/null 2>&1; done; }
TIMEFORMAT='%R %U %S'
# wall FILE N COMMAND...: appends the wall time and the CPU time of the command in us over N.
wall() {
  local file=$scratch/took.$1 n=$2; shift 2
  { time "$@" >/dev/null 2>&1; } 2>"$scratch/time"
  awk -v n="$n" '{ printf "%.0f %.0f\n", $1 * 1e6 / n, ($2 + $3) * 1e6 / n }' "$scratch/time" >>"$file"
}
have() { command -v "$1" >/dev/null; }

names=(floor floor-again psuite psuite-counters psuite-single shell-loop gnu-time hyperfine perf-stat)
label() {
  case $1 in
  floor) echo "vfork + exec + wait";; floor-again) echo "the same again (noise)";; psuite) echo "psuite time -n";;
  psuite-counters) echo "psuite time -n -c";; psuite-single) echo "psuite time, a call a run";;
  shell-loop) echo "bash, a call a run";; gnu-time) echo "GNU time, a call a run";;
  hyperfine) echo "hyperfine -N";; perf-stat) echo "perf stat -r";;
  esac
}
measure() {
  case $1 in
  floor) wall floor "$RUNS" "$scratch/floor" "$RUNS" "$true";;
  psuite) wall psuite "$RUNS" "$PSUITE" time -n "$RUNS" "$true";;
  psuite-counters) wall psuite-counters "$RUNS" "$PSUITE" time -n "$RUNS" -c "$true";;
  psuite-single) wall psuite-single $((RUNS / 5)) loop "$PSUITE" time "$true";;
  shell-loop) wall shell-loop $((RUNS / 5)) loop "$true";;
  gnu-time) [ ! -x /usr/bin/time ] || wall gnu-time $((RUNS / 5)) loop /usr/bin/time "$true";;
  hyperfine) ! have hyperfine || wall hyperfine "$RUNS" hyperfine -N --warmup 0 --runs "$RUNS" "$true";;
  perf-stat) ! have perf || wall perf-stat $((RUNS / 5)) perf stat -r $((RUNS / 5)) "$true";;
  floor-again) wall floor-again "$RUNS" "$scratch/floor" "$RUNS" "$true";;
  esac
}
load=$(cut -d' ' -f1 /proc/loadavg)
# Each round takes another order: what runs behind a heavy neighbour is not always the same.
for ((round = 0; round < ROUNDS; round++)); do
  for name in $(printf '%s\n' "${names[@]}" | shuf --random-source=<(yes "$round")); do measure "$name"; done
done
middle() { sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }
# median NAME FIELD: 1 wall, 2 CPU
median() { awk -v f="$2" '{ print $f }' "$scratch/took.$1" | middle; }
# The median of the ratios to the floor of the same round, and their range.
ratio() {
  paste -d' ' "$scratch/took.$1" "$scratch/took.floor" | awk -v f="$2" '{ printf "%.2f\n", $f / $(f + 2) }' |
    sort -n >"$scratch/ratios"
  echo "$(middle <"$scratch/ratios") ($(head -1 "$scratch/ratios")-$(tail -1 "$scratch/ratios"))"
}
echo "Medians of $ROUNDS rounds; ratios to the floor of the same round: median (range)."
echo "Load average before and after: $load, $(cut -d' ' -f1 /proc/loadavg)."
echo
echo "| program | CPU us a run | CPU ratio | wall us a run | wall ratio |"
echo "|---|---|---|---|---|"
for name in "${names[@]}"; do
  if [ -s "$scratch/took.$name" ]; then
    echo "| $(label "$name") | $(median "$name" 2) | $(ratio "$name" 2) | $(median "$name" 1) | $(ratio "$name" 1) |"
  else
    echo "| $(label "$name") | missing on this machine | | | |"
  fi
done
