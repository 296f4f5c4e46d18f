# ns and bind with a server that stops answering, at each message, by silence or by a byte a second: they end, and say so.
. lib/check.sh
servers=()
trap 'kill ${servers[@]} 2>/dev/null' EXIT
# stall MESSAGE HOW: a server, whose socket is $scratch/MESSAGE.HOW
stall() {
  start_server listening "$scratch/$1.$2.says" python3 "$TESTS/lib/ninep_stall.py" "$scratch/$1.$2" "$1" "$2"; servers+=($!)
}
stall never silent
status 'a server that answers' 0 timeout 100 "$PSUITE" ns -n "unix!$scratch/never.silent" cat /f
text 'its file' text "$(cat "$scratch/out")"
status 'its directory' 0 timeout 100 "$PSUITE" ns -n "unix!$scratch/never.silent" ls /
declare -A run
for message in version attach walk stat open read; do
  for how in silent drip; do
    stall $message $how
    verb=cat name=/f; [ $message != stat ] || { verb=ls name=/f; }
    timeout 100 "$PSUITE" ns -n "unix!$scratch/$message.$how" $verb $name > "$scratch/$message.$how.out" 2> "$scratch/$message.$how.err" &
    run[$message.$how]=$!
  done
done
for each in "${!run[@]}"; do
  wait "${run[$each]}"; text "$each: it ends with an error" 1 $?
  has "$each: came so far" '^reached$' "$scratch/$each.says"
  has "$each: says why" '^ns: .*(no connection|timed out)' "$scratch/$each.err"
done
# An interrupt ends it before the limit does.
for signal in INT TERM; do
  stall2=$scratch/interrupt.$signal
  start_server listening "$stall2.says" python3 "$TESTS/lib/ninep_stall.py" "$stall2" walk silent; servers+=($!)
  # Interrupts are ignored by what a shell starts in its background
  python3 -c 'import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_DFL); os.execvp(sys.argv[1], sys.argv[1:])' \
    "$PSUITE" ns -n "unix!$stall2" cat /f > "$scratch/out" 2> "$scratch/err" & pid=$!
  until_ok grep -q reached "$stall2.says"
  kill -$signal $pid
  wait $pid; holds "SIG$signal: it has ended ($?)" "$? != 0"
  hasnt "SIG$signal: not by the limit" 'no connection' "$scratch/err"
done
finish
