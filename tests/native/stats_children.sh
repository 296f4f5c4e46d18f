# stats: the commands that lead to machines end with it, however it ends, and what they have started with them.
. lib/check.sh
mark=4$$.25
# A machine that answers, by a command that has started another, and does not end by itself
export PSUITE_DIAL="sh -c 'sleep $mark & \"$PSUITE\" export -; sleep $mark; :' %h"
left() { pgrep -fc "^sleep $mark\$"; }
guards() { pgrep -fc "sh -c .*sleep $mark"; }
clean_up() { pkill -9 -f "^sleep $mark\$"; }
trap clean_up EXIT
# begin: $pid is stats with two machines, and ignores neither SIGINT nor SIGQUIT. Both have answered: from then on it runs until it is ended.
# One that does not answer in the first five seconds, as on a busy machine, is left out: then all is started again.
both_answer() { grep -q 'one' "$scratch/out" && grep -q 'two' "$scratch/out"; }
both_left() { [ "$(left)" -ge 2 ]; }
begun_or_not() { both_answer || grep -q 'left out' "$scratch/err" || ! kill -0 $pid; }
start() {
  : > "$scratch/out"
  python3 -c 'import os, signal, sys; [signal.signal(s, signal.SIG_DFL) for s in (signal.SIGINT, signal.SIGQUIT)]; os.execvp(sys.argv[1], sys.argv[1:])' \
    "$PSUITE" stats --csv -l -T 0.2 one two > "$scratch/out" 2> "$scratch/err" & pid=$!
  until_ok begun_or_not
  both_answer
}
begin() {
  local _
  for _ in {1..10}; do
    ! start || break
    kill -9 $pid; wait $pid 2> /dev/null
    clean_up
  done
  until_ok both_left # a shell has forked before it is sleep
  holds "$1: what is started" "$(left) >= 2"
}
# gone: what was just forked has the name of psuite: nothing is left when nothing was seen several times.
quiet() {
  now="$(left) $(guards)"
  if [ "$now" = '0 0' ]; then quiet=$((quiet + 1)); else quiet=0; fi
  [ $quiet -ge 3 ]
}
gone() {
  quiet=0
  until_ok quiet
  text "$1: nothing is left" '0 0' "$now"
  clean_up
}
for signal in KILL TERM INT HUP SEGV QUIT; do
  begin "SIG$signal"
  kill -$signal $pid; wait $pid 2> /dev/null
  gone "SIG$signal"
done
# One that is killed as it starts: the parent may be gone before the child can ask to be told
for ms in 000 001 002 004 008 016 032 064; do
  "$PSUITE" stats --csv -l -T 0.2 one two > "$scratch/out" 2> "$scratch/err" & pid=$!
  sleep 0.$ms; kill -KILL $pid; wait $pid 2> /dev/null
  gone "killed after $ms ms"
done
# It is stopped, and then killed
begin 'stopped'
kill -STOP $pid; kill -KILL $pid; wait $pid 2> /dev/null
gone 'stopped'
# One of several processes of a group that ends by itself: its status and last words are told
PSUITE_DIAL="sh -c 'echo alas >&2; exit 7' %h" status 'a command that ends' 1 timeout 60 "$PSUITE" stats --once -l -T 0.2 one
has 'its words' 'alas' "$scratch/err"
PSUITE_DIAL="sh -c 'exit 7' %h" status 'without words' 1 timeout 60 "$PSUITE" stats --once -l -T 0.2 one
has 'its status' 'ended with status 7' "$scratch/err"
PSUITE_DIAL='kill -9 $$ # %h' status 'one that is killed' 1 timeout 60 "$PSUITE" stats --once -l -T 0.2 one
has 'its signal' 'ended with status 137' "$scratch/err"
finish
