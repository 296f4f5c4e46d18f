#!/bin/bash
# snap: a recording of this machine: its parts have one clock, its page shows what is in it; what an ordinary user gets.
. "$(dirname "$0")/../lib/check.sh"
. "$(dirname "$0")/../lib/tracefs.sh"
own=$TESTS/native/snap
cd "$scratch" || exit
[ "$(id -u)" = 0 ] || { skip 'recording the whole machine' 'it needs root'; finish; }
lines() { # lines FILE: what a script found
  while read -r kind what; do
    case $kind in
      ok) pass "$what" ;;
      FAILED) fail "$what" ;;
    esac
  done < "$1"
  has 'to its end' '^end' "$1"
}

# --- a burst of work at a known time
status 'a command' 0 "$PSUITE" snap -q -o burst.snap -x python3 "$own/burst.py" times
text 'for its owner alone' 600 "$(stat -c %a burst.snap)"
status 'what is in it' 0 "$PSUITE" snap --json burst.snap
has 'all parts' '"samples":\{.*"scheduler":\{.*"stats":\{' out
has 'the command' '"command":"python3 ' out
has 'to its end' '"ended":true' out
python3 -c 'import sys; sys.path.insert(0, sys.argv[1]); import known
f = known.streams("burst.snap"); open("sched.rec", "wb").write(f[3]); open("samples.rec", "wb").write(f[2])' "$own"
status 'its events' 0 sh -c "'$PSUITE' trace -e --json sched.rec > events"
own_pids && has_numbers=1 ||
  { has_numbers=0; skip "the burst, by the scheduler" "this is a pid namespace, whose processes have other numbers in the kernel's events"; }
PYTHONDONTWRITEBYTECODE=1 status 'the clocks' 0 python3 "$own/clocks.py" burst.snap times events $has_numbers
lines out
known() { # known PART: how many there are in burst.snap
  "$PSUITE" snap --json burst.snap | python3 -c 'import json, sys; p = json.load(sys.stdin)[sys.argv[1]]; print(p.get("count", p.get("events")))' "$1"
}
has 'its own parts by name' '"psuite-trace"' events
"$PSUITE" tprof --json samples.rec 2> err > out
has 'as many samples as tprof reads' "\"samples\":$(known samples)[,}]" out

# --- ended early, refused, failed
has_begun() { "$PSUITE" snap --json "$1" 2> /dev/null | grep -q '"samples":{.*"scheduler":{.*"stats":{'; }
env --default-signal=INT "$PSUITE" snap -t 200 -o early.snap > out 2> err & pid=$! # a script's background job ignores ^C
until_ok has_begun early.snap
kill -INT $pid; wait $pid
text 'an interrupt' 0 $?
status 'its file' 0 "$PSUITE" snap --json early.snap
has 'is whole, and short of 100 s' '"length_ns":[0-9]{1,11},.*"ended":true' out
status 'the status of a command' 3 "$PSUITE" snap -q -f -o status.snap -x sh -c 'exit 3'
status 'no such command' 127 "$PSUITE" snap -q -o none.snap -x ./nothing
ok 'leaves no file' test ! -e none.snap
status 'through a pipe' 0 sh -c "'$PSUITE' snap -q -t 0.3 -o - > pipe.snap"
status 'the same file' 0 "$PSUITE" snap pipe.snap
"$PSUITE" snap -q -t 600 -o killed.snap & pid=$!
until_ok has_begun killed.snap
kill -KILL $pid; wait $pid 2> /dev/null
status 'one that was killed' 0 "$PSUITE" snap killed.snap
has 'says so' '^cut off: ' out
goes_on() { pgrep -f -- '--record -' | while read -r p; do readlink "/proc/$p/exe"; done | grep -xF "$(readlink -f "$PSUITE")"; }
has_ended() { ! goes_on > /dev/null; }
ok 'nothing of it goes on' until_ok has_ended

# --- an ordinary user
mkdir user
chmod 755 .
chmod 777 user
cp "$PSUITE" user/psuite
status 'an ordinary user' 0 setpriv --reuid=65534 --regid=65534 --clear-groups sh -c \
  'cd user && ./psuite snap -f -o own.snap -x sh -c "i=0; while [ \$i -lt 300000 ]; do i=\$((i+1)); done"'
has 'is told what is missing' '^snap: scheduler: trace: ' err
has 'and the remedy' '^snap: (scheduler|samples): .*hint: ' err
text 'once, though it was tried twice' '' "$(sort err | uniq -d)"
status 'what there is' 0 "$PSUITE" snap --json user/own.snap
has 'statistics' '"stats":\{' out
if [ "$(cat /proc/sys/kernel/perf_event_paranoid)" -le 2 ]; then
  has 'samples of the command' '"sampled":"[a-z ,]*(command|user mode)' out
fi
status 'its page' 0 "$PSUITE" snap -o own.html user/own.snap

# --- the page
status 'the page of the burst' 0 "$PSUITE" snap -o burst.html burst.snap
size=$(stat -c %s burst.html) count=$(known samples) events=$(known scheduler)
holds "$size bytes, fewer than 40 a sample and event, and 300 KB" "$size < 300000 + 40 * ($count + $events)"
echo "figures: $count samples, $events events, recording $(stat -c %s burst.snap) bytes, page $size bytes"
if command -v chromium >/dev/null; then
  PYTHONDONTWRITEBYTECODE=1 status 'selections' 0 timeout 300 python3 "$own/page.py" "$scratch/burst.snap" "$scratch/burst.html"
  lines out
else
  skip 'selections' 'no chromium'
fi
finish
