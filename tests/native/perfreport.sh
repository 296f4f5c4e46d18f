# tprof's report of a perf.data file against perf report's: the same samples, counted by symbol.
. lib/check.sh
. lib/need.sh
. lib/perf.sh
. lib/tracefs.sh
: "${WORK:=$TESTS/../build/work}"
need perf=linux-perf /usr/bin/python3=python3
if ! perf record -q -e cpu-clock -o "$scratch/perf.data" true 2>/dev/null; then
  skip 'perf report' 'no perf here'; finish
fi

# counted WHAT MOST OPTION... COMMAND: recorded by perf; every module has the samples that perf gives it, and at most MOST
# in a hundred of them go by another of several names of one address
counted() {
  local what=$1 most=$2 share; shift 2
  perf_records "$scratch/perf.data" "$@"
  python3 native/perf_counts.py "$PSUITE" "$scratch/perf.data" > "$scratch/differ" 2>&1
  text "$what: samples by module" 0 $?
  share=$(awk '/samples in equal rows/ { print 100 * ($3 - $1) / $3 }' "$scratch/differ")
  holds "$what: ${share:-100}% of the samples under another name" "${share:-100} <= $most" || cat "$scratch/differ"
}
counted 'a workload' 1 -e cpu-clock -F 4999 "$WORK/shares" 300
counted 'chains' 2 -g -e cpu-clock -F 4999 "$WORK/shares" 300
counted 'by rate, user mode' 1 -e cpu-clock:u -F 997 xz -9 -T2 -k -c /usr/lib/x86_64-linux-gnu/libc.a
counted 'packed' 1 -z -e cpu-clock -F 4999 "$WORK/shares" 300
counted 'many processes' 8 -e cpu-clock -F 4999 gcc -O2 -c -o "$scratch/x.o" -x c - <<< 'int f(int x) { return x * x; }'
counted 'python' 2 -e cpu-clock -F 2000 /usr/bin/python3 -c 'print(sum(hash(str(i)) % 7 for i in range(900000)))'
# Of processes outside our pid namespace perf has no numbers: to it all of them are the idle task.
if own_pids; then counted 'everything' 15 -a -e cpu-clock -F 997 "$WORK/shares" 500
else skip 'everything' 'this is a pid namespace, and perf counts processes outside it as idle'; fi

perf record -q -e cpu-clock -F 997 -o - "$WORK/shares" 100 2>/dev/null | "$PSUITE" tprof --json -o "$scratch/json" - > "$scratch/out" 2> "$scratch/err"
text 'a stream from perf' 'perf.data' "$(grep -o 'perf\.data' "$scratch/json" | head -1)"
finish
