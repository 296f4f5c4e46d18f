#!/bin/bash
# prof --heap of two of Debian's programs, without recompiling: sqlite3, which fills and reads a table, and perl, which counts words;
# compared with the bare run, with massif (--peak-inaccuracy=0 --heap-admin=0), memcheck and heaptrack, in turn, ROUNDS (5) times.
# CPU seconds and peak MB are medians. Of these, psuite alone needs neither a preloaded library nor another processor's emulation.
set -u
here=$(cd "$(dirname "$0")" && pwd)
: "${ROUNDS:=5}" "${PSUITE:=$here/../../build-release/psuite}"
. "$here/../lib/need.sh"
. "$here/../lib/costs.sh"
PSUITE=$(realpath "$PSUITE")
need valgrind heaptrack sqlite3 perl /usr/bin/time=time || exit 0
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
costs=$dir
sql='create table t(a, b); with recursive n(i) as (select 1 union all select i + 1 from n where i < 3000) insert into t select i, hex(i) from n; select count(*), max(b) from t group by a % 7'
words='my %n; $n{"word" . $_ % 4000}++ for 1 .. 20000; print scalar(keys %n), "\n"'

measured() { # measured NAME COMMAND...
  local name=$1; shift
  cost "$name.bare" "$@"
  cost "$name.massif" valgrind -q --tool=massif --peak-inaccuracy=0 --heap-admin=0 --massif-out-file="$dir/out" "$@"
  cost "$name.memcheck" valgrind -q "$@"
  cost "$name.heaptrack" heaptrack -o "$dir/heaptrack" "$@"
  cost "$name.psuite" "$PSUITE" prof --heap -q -f --record "$dir/$name.rec" -x "$@"
}
before=$(load_average)
for ((i = 0; i < ROUNDS; i++)); do
  measured sqlite3 sqlite3 :memory: "$sql"
  measured perl perl -e "$words"
done
calls() { "$PSUITE" prof --heap "$dir/$1.rec" | awk '/ calls? allocated / { sub(/ .*/, ""); print; exit }'; }
row() { # row NAME TOOL LABEL
  awk -v what="$1" -v tool="$3" -v s="$(median_cost "$1.$2" 1)" -v mb="$(median_cost "$1.$2" 2)" -v bare="$(median_cost "$1.bare" 1)" -v n="$(calls "$1")" 'BEGIN {
    printf "| %s | %s | %.2f | %.1f | %.0f |\n", what, tool, s, (s - bare) * 1e6 / n, mb }'
}
echo "Medians of $ROUNDS rounds; load average before and after: $before, $(load_average)."
echo
echo '| program | | CPU s | us a call that allocates | MB |'
echo '|---|---|---|---|---|'
for name in sqlite3 perl; do
  row $name bare "bare, $(calls $name) calls that allocate"
  row $name massif massif
  row $name memcheck memcheck
  row $name heaptrack heaptrack
  row $name psuite 'psuite prof --heap'
done
