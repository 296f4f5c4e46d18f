#!/bin/bash
# A flat report of about SAMPLES (1,000,000) samples of all CPUs during a compilation: tprof over its own recording and over perf's
# file, compared with perf report over perf's file, in turn, ROUNDS (5) times, on the same samples. CPU seconds and peak MB are medians.
# Aim: a tenth of perf report's CPU and memory; at most 24 bytes per recorded sample.
set -u
here=$(cd "$(dirname "$0")" && pwd)
: "${ROUNDS:=5}" "${SAMPLES:=1000000}" "${PSUITE:=$here/../../build-release/psuite}"
command -v perf >/dev/null || { echo 'perf is missing: apt-get install linux-perf'; exit 0; }
[ -x /usr/bin/time ] || { echo 'time is missing: apt-get install time'; exit 0; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT

cpus=$(nproc); seconds=$((SAMPLES / 25000 / cpus + 1))
perf record -q -a -F 25000 -e cpu-clock -o "$dir/data" -- timeout "$seconds" bash -c '
  compile() { while :; do g++ -O2 -g -o /dev/null -c "$0"/templates/*.cc 2>/dev/null || g++ -O2 -o /dev/null -x c++ -c - <<< "#include <regex>
int main() { return std::regex_match(\"a\", std::regex(\"a*\")); }"; done; }
  compile "$0" & compile "$0"' "$here" >/dev/null 2>&1
"$PSUITE" tprof -q --record "$dir/recording" "$dir/data" || exit

run() { # run NAME COMMAND...
  local name=$1; shift
  /usr/bin/time -o "$dir/cost" -f '%U %S %M' "$@" > /dev/null 2>&1
  awk '{ print $1 + $2, $3 / 1024 }' "$dir/cost" >> "$dir/$name.costs"
}
median() { awk -v c="$2" '{ print $c }' "$dir/$1.costs" | sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }
for ((i = 0; i < ROUNDS; i++)); do
  run recording "$PSUITE" tprof "$dir/recording"
  run perfdata "$PSUITE" tprof "$dir/data"
  run perf perf report --stdio --sort dso,sym -i "$dir/data"
done
samples=$("$PSUITE" tprof --json "$dir/recording" | grep -o '"samples":[0-9]*' | head -1 | cut -d: -f2)
echo "$samples samples; CPU seconds and peak MB, medians of $ROUNDS"
echo
echo '| | CPU s | of perf | MB | of perf | bytes a sample |'
echo '|---|---|---|---|---|---|'
cpu=$(median perf 1) mb=$(median perf 2)
row() { # row NAME COSTS FILE
  awk -v what="$1" -v c="$(median "$2" 1)" -v m="$(median "$2" 2)" -v pc="$cpu" -v pm="$mb" -v bytes="$(stat -c %s "$dir/$3")" -v n="$samples" \
    'BEGIN { printf "| %s | %.2f | %.3f | %.0f | %.2f | %.1f |\n", what, c, c / pc, m, m / pm, bytes / n }'
}
row 'tprof of its recording' recording recording
row 'tprof of perf.data' perfdata data
row 'perf report' perf data
