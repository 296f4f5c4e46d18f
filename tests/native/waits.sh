# tprof -w: a program that knows what it waits; a process in which a thread never wakes; the whole machine; the kernel's
# functions; what is refused.
. lib/check.sh
: "${WORK:=$TESTS/../build/work}"
if ! "$PSUITE" tprof -w -x true >/dev/null 2>"$scratch/err"; then
  skip 'waits' "$(cat "$scratch/err")"; finish
fi
waits=$WORK/waits

# of WHY FUNCTION [FILE]: ms in folded chains through the function that end in why
of() { awk -v why="$1" -v f=";$2;" '{ amount = $NF; sub(/ [0-9]+$/, "") } index(";" $0 ";", f) && (why == "" || $0 ~ ";[(]" why "[)]$") { n += amount } END { printf "%.1f", n / 1e6 }' "${3:-$scratch/folded}"; }
# near WHAT GOT WANT: within 5% or 20 ms, whichever is more
near() { holds "$1: $2 ms, $3 by its own clock" "($2 - $3) ^ 2 <= 20 ^ 2 || ($2 - $3) ^ 2 <= (0.05 * $3) ^ 2"; }
is_near() { awk "BEGIN { exit !(($1 - $2) ^ 2 <= 20 ^ 2 || ($1 - $2) ^ 2 <= (0.05 * $2) ^ 2) }"; }
own() { awk -v f="$1" '$1 == f { print $2 }' "$scratch/out"; }

# --- each function's waits, by its own clock, and by their construction
for how in -g '-g=fp'; do
  status "waits under tprof -w $how" 0 "$PSUITE" tprof -w $how -q -fo folded:"$scratch/folded" -o "$scratch/report" --record "$scratch/recording" -x "$waits"
  [ "$how" = -g ] || continue
  # On a busy machine they last longer. Those that wait for another begin late there, and wait less: tried until each was right once.
  declare -A wait_ms=() own_ms=() asleep_ms=()
  for try in 1 2 3 4 5; do
    again=
    for f in sleeps keeps_lock wants_lock reads_pipe; do
      is_near "${wait_ms[$f]:-0}" "${own_ms[$f]:-1000}" || { wait_ms[$f]=$(of '' $f) own_ms[$f]=$(own $f); }
      is_near "${wait_ms[$f]}" "${own_ms[$f]}" || again=1
      [ "$(of asleep $f | cut -d. -f1)" -le "${asleep_ms[$f]:-0}" ] || asleep_ms[$f]=$(of asleep $f | cut -d. -f1)
    done
    [ "${asleep_ms[wants_lock]:-0}" -ge 195 ] && [ "${asleep_ms[reads_pipe]:-0}" -ge 145 ] || again=1
    [ -n "$again" ] && [ $try -lt 5 ] || break
    status "waits under tprof -w $how" 0 "$PSUITE" tprof -w $how -q -f -o folded:"$scratch/folded" -o "$scratch/report" --record "$scratch/recording" -x "$waits"
  done
  for f in sleeps keeps_lock wants_lock reads_pipe; do near "$f" "${wait_ms[$f]}" "${own_ms[$f]}"; done
  holds 'three sleeps of 100 ms' "${asleep_ms[sleeps]} >= 298"
  holds 'the lock that is kept for 200 ms' "${asleep_ms[wants_lock]} >= 195"
  holds 'the pipe of 150 ms' "${asleep_ms[reads_pipe]} >= 145"
  holds "burns runs ($(awk '{ a = $NF; sub(/ [0-9]+$/, "") } /;burns/ && !/[)]$/ { n += a } END { print n / 1e6 }' "$scratch/folded") ms) and does not sleep ($(of asleep burns) ms)" \
    "$(of asleep burns) < 20 && $(awk '{ a = $NF; sub(/ [0-9]+$/, "") } /;burns/ && !/[)]$/ { n += a } END { print n / 1e6 }' "$scratch/folded") > 240"
  "$PSUITE" tprof -g -o "$scratch/again" "$scratch/recording"
  same 'the recording says the same' "$scratch/report" "$scratch/again"
  has 'the table has a column for it' 'cumulative s      %  wait s  function$' "$scratch/report"
done

# --- without chains the innermost function has the wait; time that ran stands apart
row() { awk -F'\t' -v f="$1" '{ split($4, w, " ") } w[1] ~ "^(__|__GI_)*" f "$" { print $2 + 0; exit }' "$scratch/flat"; }
for try in 1 2 3 4 5; do # a thread that is stopped outside of a sleep has it in its own time
  status 'flat' 0 "$PSUITE" tprof -w -f -o "$scratch/flat" -x "$waits"
  sleeps=$(row '(clock_)?nanosleep') own_sleeps=$(awk '/^(sleeps|keeps_lock|writes_pipe)/ { n += $2 } END { print n }' "$scratch/out")
  ! is_near "$sleeps" "$own_sleeps" || break
done
has 'its header' '^    ms    wait      %   sym$' "$scratch/flat"
near 'all sleeps' "$sleeps" "$own_sleeps"
holds 'burns ran' "$(awk -F'\t' '$4 == "burns" { print $1 + 0 }' "$scratch/flat") > 240"

# --- a process: one thread never wakes
"$waits" idle 120 & pid=$!
two_threads() { [ "$(ls /proc/$pid/task | wc -l)" = 2 ]; }
ok 'it has begun' until_ok two_threads
begun=${EPOCHREALTIME/./}
status 'a thread that never wakes' 0 "$PSUITE" tprof -w --threads -t 1 $pid
most=$(((${EPOCHREALTIME/./} - begun) / 1000)) # the second ends when there is a CPU for its end
text 'both threads wait all the time' 2 "$(awk -v most=$most '/^thread [0-9]+ waits: / && $4 >= 980 && $4 <= most && $6 > 0.97 * $4' "$scratch/out" | wc -l)"
holds 'and where' "$(awk -F'\t' '$1 + 0 == 0 && $3 == "100.0" && $4 ~ /^(__)?read \[libc/ { print $2 + 0 }' "$scratch/out") >= 980"
status 'with chains' 0 "$PSUITE" tprof -wg -q -fo folded:"$scratch/folded" -t 1 $pid
holds "its sleeps ($(of asleep sleeps_now_and_then) ms) but for the first, whose chain is not known" "$(of asleep sleeps_now_and_then) > 400"
kill $pid; wait $pid 2>/dev/null

# --- everything, and the kernel
"$waits" idle 120 & pid=$!
status 'everything' 0 "$PSUITE" tprof -aw --by-process -t 1
has 'the process is among it' "^process $pid waits: [0-9]+ ms, [0-9]+ of it waiting$" "$scratch/out"
hasnt 'idle CPUs are not' '\(idle task\)' "$scratch/out"
kill $pid; wait $pid 2>/dev/null
status 'with the kernel' 0 "$PSUITE" tprof -w -k -g -q -fo folded:"$scratch/folded" -x "$waits"
if grep -q 'schedule;' "$scratch/folded"; then
  holds 'the kernel'\''s part stands between' "$(awk '{ a = $NF } /;sleeps;.*nanosleep.*schedule.*;\(asleep\) [0-9]+$/ { n += a } END { print n / 1e6 }' "$scratch/folded") > 280"
else
  skip 'the kernel'\''s part' 'its names are hidden here'
fi

# --- a process with more threads than there are descriptors
"$WORK/crowd" 100 > "$scratch/crowd" & pid=$!
ok 'its threads run' until_ok test -s "$scratch/crowd"
if [ "$(id -u)" = 0 ]; then
  status '100 threads, 64 descriptors' 0 bash -c "ulimit -n 64; exec $PSUITE tprof -wg -q -t 1 -fo folded:$scratch/folded -o $scratch/report $pid"
  has 'says how' ' on all CPUs \(too many threads for an event each\)' "$scratch/report"
  holds 'main ran or waited for a CPU' "$(awk '/;main/ { n += $NF } END { print n / 1e6 }' "$scratch/folded") > 500"
  status 'with children' 1 bash -c "ulimit -n 64; exec $PSUITE tprof --children -t 0.1 $pid"
  has 'it is refused, with a remedy' "^tprof: hint: it needs one descriptor per thread and CPU, .*: raise .ulimit -n', or sample this process alone as root$" "$scratch/err"
fi
kill $pid; wait $pid 2>/dev/null

# --- refused, never silently half
status 'ptrace' 1 "$PSUITE" tprof -E ptrace -w -x true
text 'sees no waits' 'tprof: waits by ptrace: Operation not supported' "$(head -1 "$scratch/err")"
has 'what would' '^tprof: hint: -w needs perf events' "$scratch/err"
if [ "$(id -u)" = 0 ] && [ "$(cat /proc/sys/kernel/perf_event_paranoid)" -ge 2 ] && command -v setpriv >/dev/null; then
  cp "$PSUITE" "$scratch/psuite"; chmod 755 "$scratch" "$scratch/psuite"
  cp "$WORK/crowd" "$scratch/crowded"; chmod 755 "$scratch/crowded"
  status 'too few descriptors for a user' 1 setpriv --reuid 65534 --clear-groups bash -c "ulimit -n 64; $scratch/crowded 100 > /dev/null & until [ \$(ls /proc/\$!/task | wc -l) -gt 100 ]; do sleep 0.05; done; $scratch/psuite tprof -t 0.1 \$!; status=\$?; kill \$!; exit \$status"
  has 'have a remedy' "^tprof: hint: it needs one descriptor per thread and CPU, but only [0-9]+ could be opened: raise .ulimit -n', or run as root, which samples all CPUs instead" "$scratch/err"
  status 'a user at paranoid 2' 1 setpriv --reuid 65534 --clear-groups "$scratch/psuite" tprof -w -x true
  has 'is told what allows it' '^tprof: hint: kernel.perf_event_paranoid is [2-9]: as root, `sysctl kernel.perf_event_paranoid=1' "$scratch/err"
else
  skip 'a user at paranoid 2' 'not root, or less paranoid'
fi
finish
