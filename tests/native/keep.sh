# tprof --keep: the last seconds on request, in memory that does not grow; --period and --cpus: as much as the kernel and perf count.
. lib/check.sh
. lib/report.sh
. lib/cputime.sh
: "${WORK:=$TESTS/../build/work}"
if ! "$PSUITE" tprof -a -t 0.1 >/dev/null 2>"$scratch/err"; then
  skip 'sampling everything' "$(cat "$scratch/err")"; finish
fi
started=()
start() { "$@" & started+=($!); last=$!; }
stop() { for pid in "${started[@]}"; do kill "$pid" 2>/dev/null; wait "$pid" 2>/dev/null; done; started=(); }
trap 'stop; rm -rf "$scratch"' EXIT
recording() { status "$1" 0 "$PSUITE" tprof --json -fo "$scratch/json" "$1"; hasnt 'is whole' '^tprof: the recording' "$scratch/err"; }
# Copies: other programs of that name may run here.
cp "$WORK/burn" "$scratch/keep_one"; cp "$WORK/burn" "$scratch/keep_two"
share() { value "$scratch/json" "sum(r['samples'] for r in d['rows'] if '$1' in str(r['module'])) / max(d['samples'], 1)"; }

# --- what ran before is not in it: a program that ends, then another
cd "$scratch" || exit
"$PSUITE" tprof -a --keep 2s --record kept >report 2>said & tprof=$!
ok 'it samples' until_ok samples_now $tprof $$
./keep_one 300
sleep 4 # it is out of the two seconds
start ./keep_two 1000000
has_run() { [ "$(user_ms "$1")" -ge 400 ]; }
until_ok has_run $last
kill -USR1 $tprof
ok 'SIGUSR1 writes a file' until_ok grep -q '^tprof: kept: the last [0-9.]* s, [0-9]* samples$' said
stop
kill -TERM $tprof; wait $tprof; text "SIGTERM ends it with status 0" 0 $?
ok 'and writes another' grep -q '^tprof: kept.1: the last ' said
text 'both are private' '600 600' "$(echo $(stat -c %a kept kept.1))"
text 'and there is no third' 'kept kept.1' "$(echo kept*)"
cd "$TESTS" || exit
for f in kept kept.1; do recording "$scratch/$f"; done
recording "$scratch/kept"
holds "what ran in the last seconds is in it" "$(share keep_two) > 0.005"
holds 'what ran before is not' "$(share keep_one) == 0"

# --- memory does not grow while programs come and go
many() { while :; do "$WORK/burn" 1; done; }
start many
"$PSUITE" tprof -a -q --keep 1s --record "$scratch/many" & tprof=$!
resident() { awk '/^VmRSS/ { print $2 }' "/proc/$tprof/status"; }
# sizes TIMES: in order; what runs in a second, which is kept, is more or less beside other work
sizes() { local i; for ((i = 0; i < $1; i++)); do resident; sleep 0.2; done | sort -n; }
until_ok samples_now $tprof $$
sleep 2; first=$(sizes 10 | tail -1); sleep 4; later=$(sizes 10 | head -1)
stop
kill -TERM $tprof; wait $tprof
holds "after 4 s at most $first KB, after 8 s and more at least $later KB" "$later < 1.3 * $first + 2000"

# --- a fixed period of an event adds up to the kernel's own count
if faults=$(perf stat -x, -e page-faults:u "$WORK/touch_pages" 2000 2>&1 >/dev/null | cut -d, -f1) && [ "$faults" -gt 0 ] 2>/dev/null; then
  status 'every 10 page faults' 0 "$PSUITE" tprof -e page-faults --period 10 --json -fo "$scratch/json" --record "$scratch/faults" -x "$WORK/touch_pages" 2000
  holds "as many as perf counts ($faults)" "($(value "$scratch/json" "d['events']") - $faults) ^ 2 <= (0.02 * $faults + 30) ^ 2"
  holds 'in a tenth of the samples' "($(value "$scratch/json" "d['samples']") - $faults / 10) ^ 2 <= (0.02 * $faults + 5) ^ 2"
  sum=$(value "$scratch/json" "d['events']")
  recording "$scratch/faults"
  text 'the recording has the same sum' "$sum" "$(value "$scratch/json" "d['events']")"
else
  skip 'page faults by a period' 'no perf, or it counts none here'
fi
status 'the report' 0 "$PSUITE" tprof -e page-faults --period 10 -fo "$scratch/report" -x "$WORK/touch_pages" 2000
has 'says how often' '^perf page-faults every 10, ' "$scratch/report"
status 'by ptrace' 1 "$PSUITE" tprof -E ptrace --period 100000 -x true
has 'there is none' '^tprof: a fixed period by ptrace: Operation not supported$' "$scratch/err"

# --- chosen CPUs
read -r one two < <(sed 's/[-,]/ /g' /sys/devices/system/cpu/online)
if [ "$two" ] && taskset -c "$two" true 2>/dev/null; then
  start taskset -c "$one" "$scratch/keep_one" 1000000; of_one=$last; becomes $last "$scratch/keep_one"
  start taskset -c "$two" "$scratch/keep_two" 1000000; becomes $last "$scratch/keep_two"
  # on_cpu CPU PID: what runs there is sampled while the process works for 200 ms, however long it waits for its CPU
  on_cpu() {
    env --default-signal=INT "$PSUITE" tprof -a --cpus "$1" -t 300 --json -fo "$scratch/json" & tprof=$!
    until_ok grep -q perf_event "/proc/$tprof/maps"
    wanted=$(($(user_ms "$2") + 200)) worker=$2; until_ok has_worked
    kill -INT $tprof; wait $tprof
  }
  has_worked() { [ "$(user_ms "$worker")" -ge $wanted ]; }
  status "CPU $one" 0 on_cpu "$one" $of_one
  holds 'has what runs there' "$(share keep_one) > 0.005"
  holds 'and nothing of the other' "$(share keep_two) == 0"
  status "CPU $two" 0 on_cpu "$two" $last
  holds 'the other way round' "$(share keep_one) == 0 && $(share keep_two) > 0.005"
  stop
  # mapped on one CPU, running on the other: its functions have names
  status 'a process that moved' 0 "$PSUITE" tprof --cpus "$two" --json -fo "$scratch/json" -x taskset -c "$one" sh -c "exec taskset -c $two $scratch/keep_two 500"
  holds 'has names' "$(share keep_two) > 0.9 && $(value "$scratch/json" "sum(r['samples'] for r in d['rows'] if r['name'] == 'burn') / max(d['samples'], 1)") > 0.9"
else
  skip 'what runs on which' 'one CPU'
fi
status 'a CPU that is not there' 1 "$PSUITE" tprof -a --cpus "$one,4000" -t 0.1
text 'is named, with those that are' "tprof: CPU 4000 is not online
tprof: hint: these are: $(cat /sys/devices/system/cpu/online)" "$(cat "$scratch/err")"
finish
