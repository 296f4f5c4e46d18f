# trace --delays on this machine: a task that has to wait for its CPU, and what perf sched timehist says of the same seconds.
. "$(dirname "$0")/../lib/check.sh"
. "$(dirname "$0")/../lib/tracefs.sh"
command -v perf > /dev/null || { skip 'delays' 'no perf'; finish; }
"$PSUITE" trace -s 0.05 -o "$scratch/probe" 2> "$scratch/err" || { skip 'delays' "$(head -1 "$scratch/err")"; finish; }
perf sched record -o "$scratch/probe.data" true > "$scratch/out" 2>&1 || { skip 'delays' "perf: $(tail -1 "$scratch/out")"; finish; }

# Two programs that never sleep and one that sleeps again and again, all on one CPU.
cpu=$(taskset -cp $$ | sed 's/.*[ ,-]//')
cp "$(command -v sleep)" "$scratch/latecomer"
cp "$(readlink -f /bin/sh)" "$scratch/holder"
cat > "$scratch/load" <<EOF
taskset -c $cpu "$scratch/holder" -c 'while :; do :; done' & one=\$!
taskset -c $cpu "$scratch/holder" -c 'while :; do :; done' & two=\$!
for i in 1 2 3 4 5 6 7 8 9 10 11 12; do taskset -c $cpu "$scratch/latecomer" 0.03; done
kill \$one \$two
EOF
perf sched record -m 1024 -o "$scratch/perf.data" "$PSUITE" trace -o "$scratch/rec" -s 300 > "$scratch/perf.out" 2>&1 & perf=$!
# By perf and by trace, until the load has ended.
is_traced() { tracer=$(pgrep -P $perf psuite) && in_tracefs grep -q 1 $tracefs/instances/psuite-$tracer*/tracing_on; }
has_ended() { ! kill -0 $perf; }
traced_or_ended() { is_traced || has_ended; }
until_ok traced_or_ended
sleep 0.3
sh "$scratch/load" 2>/dev/null
sleep 0.3
[ -z "$tracer" ] || kill $tracer
wait $perf || skip 'perf' "perf sched record: status $?, $(tail -1 "$scratch/perf.out")"
perf sched timehist -i "$scratch/perf.data" > "$scratch/timehist" 2> "$scratch/timehist.err"
# Of all tasks the longest are listed; of these, all.
pids=$(sed -n 's/.* latecomer\[\([0-9]*\).*/\1/p' "$scratch/timehist" | sort -u | head -60)
status 'the delays of a recording' 0 "$PSUITE" trace --delays=0.0005 --json -d "$scratch/rec" $pids
cp "$scratch/out" "$scratch/json"
"$PSUITE" trace -e "$scratch/rec" > "$scratch/events"
python3 "$TESTS/native/trace_delays.py" latecomer "$scratch/json" "$scratch/timehist" "$scratch/events" > "$scratch/compared" 2>&1
while read -r kind what; do
  case $kind in
    ok) pass "$what" ;;
    skip) skip 'perf agrees' "$what" ;;
    *) fail "$kind $what" ;;
  esac
done < "$scratch/compared"
has 'to its end' '^(ok the end|skip)' "$scratch/compared"

# The command alone is traced, and who ran instead is known: the holders are none of its tasks.
"$scratch/holder" -c 'while :; do :; done' & one=$!
"$scratch/holder" -c 'while :; do :; done' & two=$!
taskset -cp $cpu $one > /dev/null; taskset -cp $cpu $two > /dev/null
status 'those of a command' 0 "$PSUITE" trace --delays=0.0005 --json -x taskset -c $cpu sh -c "for i in 1 2 3 4 5 6; do $scratch/latecomer 0.03; done"
kill $one $two
tail -1 "$scratch/err" > "$scratch/json"
status 'tell who ran' 0 python3 - "$scratch/json" <<'EOF'
import json, sys
delays = json.loads(open(sys.argv[1]).read())["delays"]
assert delays, "no delays"
for d in delays: assert d["name"] != "holder", d
ran = sum(r["run_ns"] for d in delays for r in d["meanwhile"] if r["name"] == "holder")
late = sum(d["late_ns"] for d in delays)
print(f"{len(delays)} delays of {late / 1e6:.1f} ms, the holders ran {100 * ran / late:.0f}%")
assert ran > 0
EOF
finish
