#!/bin/bash
# Reading perf.data: SAMPLES (1,000,000) generated samples are parsed and ordered by core/perf/perfdata, compared with perf report and
# perf script of the same file, in turn, ROUNDS (5) times. CPU seconds and peak MB are medians; the peak has the mapped file's touched
# pages. perf does more than reading; reading is the part that both must do.
set -u
here=$(cd "$(dirname "$0")" && pwd)
: "${ROUNDS:=5}" "${SAMPLES:=1000000}" "${PSUITE:=$here/../../build/psuite}"
tools=$(dirname "$PSUITE")/tests
command -v perf >/dev/null || { echo 'perf is missing: apt-get install linux-perf'; exit 0; }
[ -x /usr/bin/time ] || { echo 'time is missing: apt-get install time'; exit 0; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT

run() { # run OUT COMMAND...: appends `cpu mb' to OUT
  local out=$1; shift
  /usr/bin/time -o "$dir/cost" -f '%U %S %M' "$@" > /dev/null 2>&1
  awk '{ print $1 + $2, $3 / 1024 }' "$dir/cost" >> "$out"
}
median() { awk -v c="$2" '{ print $c }' "$1" | sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }
row() { # row NAME CPUS CHAIN
  "$tools/perfdatamake" "$dir/data" "$SAMPLES" 5000 "$2" "$3" || exit
  rm -f "$dir"/*.costs
  for ((i = 0; i < ROUNDS; i++)); do
    run "$dir/ours.costs" "$tools/perfdatadump" "$dir/data" -n
    run "$dir/report.costs" perf report --stdio -g none -i "$dir/data"
    [ "$3" != 0 ] || run "$dir/script.costs" perf script -F pid,time,ip -i "$dir/data"
  done
  printf '| %s | %d |' "$1" "$(($(stat -c %s "$dir/data") / 1000000))"
  for name in ours report script; do
    if [ -e "$dir/$name.costs" ]; then printf ' %.2f | %.0f |' "$(median "$dir/$name.costs" 1)" "$(median "$dir/$name.costs" 2)"
    else printf ' - | - |'; fi
  done
  echo
}
echo '| samples | file MB | perfdata s | MB | perf report s | MB | perf script s | MB |'
echo '|---|---|---|---|---|---|---|---|'
row 'flat, 2 CPUs' 2 0
row 'flat, 64 CPUs' 64 0
row 'chains of 16, 2 CPUs' 2 16
