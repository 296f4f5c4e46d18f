# startcp PID of prof(3)'s device: what a running process executes is counted as prof --coverage counts it; the process goes on
# whatever happens to the tracer, and notices nothing.
. lib/check.sh
. lib/need.sh
: "${WORK:=$TESTS/../build/work}"
[ "$(uname -m)" = x86_64 ] || { skip 'counting in a running process' 'this processor has no steps that need no breakpoints'; finish; }
need python3 readelf || finish
export LD_BIND_NOW=1
threads=2 times=100
sum() { python3 -c "import sys; t, n = map(int, sys.argv[1:]); print('done', (t + 1) * sum(i if i % 3 else 1 for i in range(n)), 5)" "$1" "$2"; }

# begin COMMAND...: runs it, with a pipe as its input that `go' writes to; its process is $pid
begin() {
  rm -f "$scratch/in" "$scratch/said"; mkfifo "$scratch/in"
  "$@" < "$scratch/in" > "$scratch/said" 2>&1 & pid=$!
  exec 8> "$scratch/in"
}
ready() { until_ok grep -q ready "$scratch/said" || fail 'it does not begin'; }
go() { (printf x >&8) 2>/dev/null || fail 'it has ended'; } # where nobody reads, SIGPIPE ends the subshell
# ends STATUS: it ends with it
ends() { exec 8>&-; wait "$pid"; text "$2: its status" "$1" $?; }
tracer() { sed -n 's/^TracerPid:	//p' "/proc/$pid/status" 2>/dev/null; }
untraced() { [ "$(tracer)" = 0 ]; }
handles_trap() { [ $((16#$(sed -n 's/^SigCgt:	//p' "/proc/$pid/status") >> 4 & 1)) = 1 ]; }
script() { (IFS=';'; cd "$scratch" && timeout 300 "$PSUITE" ns -f --records -c "$*" >"$scratch/out" 2>"$scratch/err"); }
go_and_wait="run sh -c 'printf x > in; until grep -q done said; do sleep 0.05; done'"

# --- the same counts
printf xx > "$scratch/bytes"
status 'prof --coverage' 5 timeout 300 sh -c "exec '$PSUITE' prof --coverage -q --record '$scratch/record' -x '$WORK/attached' $threads $times < '$scratch/bytes'"
begin "$WORK/attached" $threads $times; ready
ok 'a process that runs' script 'write #P/ctl module attached' "write #P/ctl startcp $pid" "$go_and_wait" 'write #P/ctl stop' \
  'ls #P' 'cat #P/00000001/histogram > counts' 'cat #P/00000001/path'
text 'one module' "#P/ctl #P/00000001 $(realpath "$WORK/attached")" "$(paste -sd' ' "$scratch/out")"
ok 'no tracer is left' untraced
ok 'nor a handler' eval '! handles_trap'
go; ends 5 'behind stop'
text 'what it has done' "$(sum $threads $times)" "$(grep done "$scratch/said")"
ok 'counts of functions are those of prof --coverage' python3 - "$scratch/record" "$scratch/counts" \
  "$(readelf -lW "$WORK/attached" | awk '$1 == "LOAD" && / R E / { print $3; exit }')" <(readelf -sW "$WORK/attached") $(((threads + 1) * times)) <<'END'
import re, sys
record, counts, start, symbols, calls = sys.argv[1:]
want = {int(w[0], 16): int(w[1]) for w in map(str.split, open(record)) if len(w) == 2 and re.fullmatch('[0-9a-f]+', w[0])}
have = {int(a) + int(start, 16): int(n) for a, n in map(str.split, open(counts))}
functions = {w[7]: (int(w[1], 16), int(w[2])) for w in map(str.split, open(symbols)) if len(w) == 8 and w[3] == 'FUNC'}
for name in 'leaf', 'work', 'handler', 'run_threads':
    at, size = functions[name]
    inside = lambda of: {a: n for a, n in of.items() if at <= a < at + size}
    assert inside(have) == inside(want), (name, inside(have), inside(want))
    assert inside(have)
assert have[functions['leaf'][0]] == int(calls), have[functions['leaf'][0]]
assert have[functions['handler'][0]] == 5
END

# --- it is stopped, and goes on; it stops itself
begin "$WORK/attached" 1 50; ready
ok 'SIGSTOP and SIGCONT' script 'write #P/ctl module attached' "write #P/ctl startcp $pid" "run kill -STOP $pid" \
  "run sh -c 'until grep ^State:.[Tt] /proc/$pid/status; do sleep 0.05; done'" "run kill -CONT $pid" "$go_and_wait" 'write #P/ctl stop'
has 'it was stopped' '^State:	[Tt]' "$scratch/out"
go; ends 5 'SIGSTOP'
begin "$WORK/attached" 1 50; ready
kill -STOP "$pid"; until_ok grep -q '^State:	T' "/proc/$pid/status"
script "write #P/ctl startcp $pid"; text 'one that is stopped is refused' 1 $?
has 'and says what helps' "^ns: hint: kill -CONT $pid" "$scratch/err"
kill -CONT "$pid"; go; until_ok grep -q done "$scratch/said"; go; ends 5 'a refused one'

# --- the end of ns, however it comes
begin "$WORK/attached" 2 3000; ready
script 'write #P/ctl module attached' "write #P/ctl startcp $pid" "run sh -c 'printf x > in; sleep 0.2'"
until_ok untraced || fail 'the end of ns: it has a tracer'
until_ok grep -q done "$scratch/said"; text 'the end of ns: what it has done' "$(sum 2 3000)" "$(grep done "$scratch/said")"
go; ends 5 'the end of ns'

# --- a SIGKILL of the tracer at random moments, once it has attached: it lives, and has done what it should
: "${KILLS:=20}"
lived=0
for i in $(seq "$KILLS"); do
  begin "$WORK/attached" 2 20000; ready
  rm -f "$scratch/attached"
  (cd "$scratch" && exec "$PSUITE" ns -c "write #P/ctl module attached;write #P/ctl startcp $pid;run sh -c ': > attached; printf x > in';sleep 60" >/dev/null 2>&1) & ns=$!
  until_ok test -e "$scratch/attached" || fail 'it is not traced' # SIGTRAP has its handler before its registers are its own again
  sleep "0.$((RANDOM % 9))$((RANDOM % 10))"
  kill -KILL "$(tracer)"
  kill "$ns"; wait "$ns" 2>/dev/null
  until_ok grep -q done "$scratch/said"
  go; exec 8>&-
  wait "$pid"; status=$?
  if [ $status = 5 ] && [ "$(grep done "$scratch/said")" = "$(sum 2 20000)" ]; then lived=$((lived + 1))
  else echo "killed: status $status, $(paste -sd' ' "$scratch/said")"; fi
done
text 'it lives when its tracer is killed' "$KILLS" "$lived"

# --- what it starts, and what it becomes
begin sh -c 'echo ready; read x; /bin/true; (exit 4); echo done; read x; exit 3'; ready
ok 'a shell with its children; all of its modules' script "write #P/ctl startcp $pid" "run sh -c 'echo x > in; until grep -q done said; do sleep 0.05; done'" 'write #P/ctl stop' 'ls #P'
holds 'several modules' "$(grep -c '#P/0' "$scratch/out") >= 2"
echo x >&8; ends 3 'a shell'
begin sh -c 'echo ready; read x; exec sh -c "echo done; read x; exit 6"'; ready
ok 'an exec' script "write #P/ctl startcp $pid" "run sh -c 'echo x > in; until grep -q done said; do sleep 0.05; done'" "run grep TracerPid /proc/$pid/status"
has 'it is left' '^TracerPid:	0$' "$scratch/out"
echo x >&8; ends 6 'another program'

# --- by a server
begin "$WORK/attached" 0 200; ready
"$PSUITE" export -w "unix!$scratch/socket" >/dev/null 2>&1 & export_pid=$!
until_ok test -S "$scratch/socket"
ok 'an export starts it' "$PSUITE" ns -n "unix!$scratch/socket" -c "write #P/ctl module attached; write #P/ctl startcp $pid"
go; until_ok grep -q done "$scratch/said"
ok 'and stops it' "$PSUITE" ns -n "unix!$scratch/socket" --records -f -c "write #P/ctl stop; cat #P/00000001/histogram > $scratch/counts"
holds 'it has counts' "$(wc -l < "$scratch/counts") > 20"
kill "$export_pid"; wait "$export_pid" 2>/dev/null
go; ends 5 'by a server'

# --- what is refused
script 'write #P/ctl startcp 2147483647'; text 'no such process' 1 $?
has 'which is said' 'No such process' "$scratch/err"
begin "$WORK/attached" 0 1; ready
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
  chmod 755 "$scratch"
  status 'of another user' 1 setpriv --reuid 65534 --clear-groups "$PSUITE" ns write '#P/ctl' "startcp $pid"
  has 'with what helps' 'hint: it belongs to user 0: run as that user or as root' "$scratch/err"
fi
go; until_ok grep -q done "$scratch/said"; go; ends 5 'none of that'
finish
