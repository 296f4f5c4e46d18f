#!/bin/bash
# A profile by source line: tprof -l compared with perf record and perf report -s srcline, on one running program of templates, until
# it ends (at 4999 Hz, about 12,000 samples), in turn, ROUNDS (5) times; perf report once. Medians of the tools' own CPU time, user and
# system. `lines' is the cost of the lines: tprof -l minus tprof; perf report -s srcline minus perf report -s sym. Each tool counts
# its own samples.
set -u
here=$(cd "$(dirname "$0")" && pwd)
: "${PSUITE:?the psuite to measure}" "${ROUNDS:=5}" "${UNITS:=6}" "${WORKLOAD:=2400}" "${HZ:=4999}"
for tool in perf g++ python3; do command -v $tool >/dev/null || { echo "$tool is missing"; exit 0; }; done
dir=$(mktemp -d); trap 'stop; rm -rf "$dir"' EXIT
if [ -x "${BUILT:-}/templates" ]; then
  ln -s "$BUILT/templates" "$dir/program"
else
  "$here/templates" "$dir/src" "$UNITS"
  for cc in "$dir"/src/*.cc; do echo "$cc"; done | xargs -P2 -I{} nice g++ -O2 -g -w -c {} -o {}.o && g++ "$dir"/src/*.o -o "$dir/program" || exit
fi

target=
start() { "$dir/program" $(seq "$WORKLOAD") > /dev/null & target=$!; sleep 0.02; } # its arguments are its rounds
stop() { [ -z "$target" ] || { kill "$target"; wait "$target"; } 2>/dev/null; target=; }

# cost FILE COMMAND...: appends the CPU seconds of the command itself to FILE; its output goes to FILE.out
cost() {
  python3 - "$@" <<'P'
import os, subprocess, sys
name, command = sys.argv[1], sys.argv[2:]
with open(name + '.out', 'w') as out:
    child = subprocess.Popen(command, stdout=out, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
if status == 0:
    open(name, 'a').write('%.4f\n' % (used.ru_utime + used.ru_stime))
P
}
# sample NAME ARGUMENT...: of tprof, on the program
sample() { local name=$1; shift; start; cost "$dir/$name" "$PSUITE" tprof "$@" -F "$HZ" "$target"; stop; }
record() {
  start
  cost "$dir/record" perf record -q -e cpu-clock:u -F "$HZ" -o "$dir/perf.data" -p "$target"
  stop
}
median() { sort -n "$1" | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }
minus() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.3f", a - b }'; }
samples_of_perf() { sed -n 's/^# Samples: \([0-9]*\)\(K\{0,1\}\) .*/\1\2/p' "$1"; }

for ((i = 0; i < ROUNDS; i++)); do
  sample tprof
  sample lines -l
  record
done
cost "$dir/sym" perf report -i "$dir/perf.data" -s sym --stdio
cost "$dir/srcline" perf report -i "$dir/perf.data" -s srcline --stdio
sample json -l --json
samples=$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1])).get("samples"))' "$dir/json.out")

plain=$(median "$dir/tprof") with=$(median "$dir/lines")
record=$(median "$dir/record") sym=$(median "$dir/sym") srcline=$(median "$dir/srcline")
echo '| | samples | CPU s without lines | with lines | lines |'
echo '|---|---|---|---|---|'
echo "| tprof, tprof -l | $samples | $plain | $with | $(minus "$with" "$plain") |"
echo "| perf record + report -s sym, + report -s srcline | $(samples_of_perf "$dir/srcline.out") | $(awk -v a="$record" -v b="$sym" 'BEGIN { print a + b }') | $(awk -v a="$record" -v b="$srcline" 'BEGIN { print a + b }') | $(minus "$srcline" "$sym") |"
awk -v a="$with" -v b="$record" -v c="$srcline" -v l="$(minus "$with" "$plain")" -v s="$(minus "$srcline" "$sym")" \
  'BEGIN { printf "\ntprof -l is 1/%.0f of perf in all (bound: 1/100)", (b + c) / a; if (l > 0) printf "; its lines alone 1/%.0f of perf'"'"'s", s / l; print "." }'
