# psuite in a kernel built without some options. The program `without' makes their system calls fail as they do there.
. "$(dirname "$0")/../lib/check.sh"
. "$(dirname "$0")/../lib/report.sh"
: "${WORK:=$TESTS/../build/work}"
"$WORK/without" eventfd true 2>"$scratch/err" || { skip 'cut-down kernels' "$(head -1 "$scratch/err")"; finish; }
without() { local options=$1; shift; "$WORK/without" "$options" "$@"; }

# --- event handles: nothing needs them
events=eventfd,timerfd,signalfd,epoll,pidfd,close_range
status 'time' 3 without $events "$PSUITE" time sh -c 'exit 3'
status 'a sampling' 0 without $events "$PSUITE" tprof -x "$WORK/burn" 200
status 'a sampling by ptrace' 0 without $events,perf_events "$PSUITE" tprof --json -o "$scratch/json" -x "$WORK/burn" 200
text 'its method' ptrace "$(value "$scratch/json" "d['method']")"
status 'without timers' 0 without $events,perf_events,posix_timers "$PSUITE" tprof --json -fo "$scratch/json" -x "$WORK/burn" 500
holds 'has the time of the program' "$(value "$scratch/json" "d['total_ms']") > 300"
holds 'has samples' "$(value "$scratch/json" "d['samples']") > 5"
status 'stats' 0 without $events "$PSUITE" stats --csv -T 0.05 --samples 2
text 'two samples' 3 "$(wc -l < "$scratch/out")"

mkdir "$scratch/sockets"
status 'the time limit of an answer' 0 without $events "$(dirname "$PSUITE")/tests/netcheck" "$scratch/sockets"

# --- signals, which a handler takes: as where there is signalfd
# ends_by SIGNAL WORDS COMMAND...: the command's status, which gets the signal when its output, in $scratch/served, has WORDS
ends_by() {
  local signal=$1 words=$2 status; shift 2
  start_server "$words" "$scratch/served" "$@"
  kill -"$signal" $!
  until_ok has_ended $! || { kill -KILL $!; fail "$1 ends by $signal"; }
  wait $!
}
has_ended() { case $(cut -d' ' -f3 "/proc/$1/stat" 2>/dev/null) in Z | '') ;; *) false ;; esac; }
for way in signalfd handler; do
  filter=; [ $way = signalfd ] || filter="$WORK/without $events"
  ends_by TERM '"load"' $filter "$PSUITE" stats --json -l -T 0.05
  text "$way: what waits" 0 $?
  ends_by TERM serving $filter "$PSUITE" export "unix!$scratch/socket"
  text "$way: a server" 0 $?
  ok "$way: which removes its socket" test ! -e "$scratch/socket"
  ends_by TERM ready $filter "$PSUITE" iostats -b ptrace sh -c 'echo ready; while :; do sleep 0.05; done'
  text "$way: a traced command" 143 $?
  has "$way: has its report" '^calls counted by ptrace' "$scratch/served"
  status "$way: a signal to psuite reaches the command" 143 $filter "$PSUITE" tprof -x sh -c 'kill -TERM $PPID; sleep 60'
  ends_by HUP load $filter "$PSUITE" stats -l -T 0.05
  text "$way: lines" 0 $?
done

if command -v python3 >/dev/null; then
  printf '#!/bin/sh\nexec "%s" %s "%s" "$@"\n' "$WORK/without" "$events" "$(dirname "$WORK")/tests/viewdemo-linux" > "$scratch/view"
  chmod +x "$scratch/view"
  status 'a view on a terminal: its size, ^Z, signals' 0 python3 "$TESTS/view/terminals.py" "$scratch/view" "$scratch"
  hasnt 'everything is as with signalfd' '^FAILED' "$scratch/out"
  has 'it was looked at' '^ok ' "$scratch/out"
else
  skip 'a view on a terminal' 'no python3'
fi

# --- what cannot be done names the option
unix='hint: it needs sockets of this kind: kernel option CONFIG_UNIX=y$'
status 'a unix socket' 1 without unix "$PSUITE" export "unix!$scratch/socket"
has 'names CONFIG_UNIX' "^export: $unix" "$scratch/err"
status 'without a network' 1 without net "$PSUITE" export 'tcp!127.0.0.1!0'
has 'names CONFIG_NET' '^export: hint: it needs sockets: kernel options CONFIG_NET=y CONFIG_INET=y$' "$scratch/err"
status 'a command to a machine' 1 without unix "$PSUITE" stats --once --dial 'cat' somewhere
has 'names CONFIG_UNIX' 'left out: .*CONFIG_UNIX=y' "$scratch/err"
if "$PSUITE" iostats -b fuse true >/dev/null 2>&1; then
  status 'messages' 1 without unix "$PSUITE" iostats -b fuse true
  has 'name CONFIG_UNIX' "^iostats: $unix" "$scratch/err"
else
  skip 'messages without CONFIG_UNIX' 'no FUSE'
fi
status 'calls by ptrace need no sockets' 0 without net,$events "$PSUITE" iostats -b ptrace true
finish
