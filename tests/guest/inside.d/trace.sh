# The kernel's own tracing here: live, recorded, nothing left behind. The recording and what it says go to the desk.
# tracefs is not mounted: by psuite's own mount. Then it is, for the looks into it.
cat /proc/mounts > /tmp/mounts
ok 'a command, without a mount' sh -c "trace -e -x sh -c 'echo x | cat' 2>&1"
has 'a fork seen so' ' Fork by [0-9]+ sh$' $out
ok 'by a mount in a namespace, as before Linux 5.2' /test/mountprivate apart tracefs available_tracers
text 'nothing stays mounted' "$(cat /tmp/mounts)" "$(cat /proc/mounts)"
mount -t tracefs tracefs /sys/kernel/tracing
ok 'a command' sh -c "trace -e -x sh -c 'echo x | cat' 2>&1"
has 'a fork' ' Fork by [0-9]+ sh$' $out
ok 'everything' trace -f -s 1 --interrupts -o /tmp/trace.rec
ok 'read again' trace /tmp/trace.rec
has 'its CPUs' '^ *1 +[0-9.]+%' $out
status 'a command and its status' 4 trace --summary -x sh -c 'exit 4'
has 'by its name' '^ *[0-9]+ +sh ' $err
# What this board and the other recorded, and printed themselves.
from=/test/data/golden/trace
for board in arm64 armhf; do
  ok "recorded on $board: as it printed it" sh -c "psuite trace -v --all $from/board-$board.rec | cmp - $from/board-$board.verbose"
  ok "recorded on $board: its events" sh -c "psuite trace -e $from/board-$board.rec | cmp - $from/board-$board.events"
done
trace -s 200 -e > /tmp/marked & tracer=$!
until_ok grep -q 1 /sys/kernel/tracing/instances/psuite-$tracer/tracing_on
ok 'a mark' trace mark here it is
sleep 0.5; kill -TERM $tracer; wait $tracer
has 'stands in the trace' ' User here it is$' /tmp/marked
trace -s 200 >/dev/null & tracer=$!
until_ok test -d /sys/kernel/tracing/instances/psuite-$tracer
kill -9 $tracer; wait $tracer 2>/dev/null
ok 'after one that was killed' trace -s 0.1
text 'nothing is left' '' "$(ls /sys/kernel/tracing/instances)"
if [ -d /host ]; then
  mkdir -p /host/trace
  cp /tmp/trace.rec /host/trace/
  trace -e /tmp/trace.rec > /host/trace/events
  trace -v /tmp/trace.rec > /host/trace/verbose 2>/dev/null
  trace --json /tmp/trace.rec > /host/trace/json
  for format in html svg chrome; do trace -f -o $format:/host/trace/drawn.$format /tmp/trace.rec; done
fi
# The timeline, on the board's own console: 80x25, no UTF-8. What stands there is read out of it.
screen_has() { # screen_has WHAT PATTERN ARGUMENT...
  what=$1 pattern=$2; shift 2
  TERM=linux setsid psuite trace "$@" </dev/tty1 >/dev/tty1 2>$err & viewer=$!
  for i in $(seq 60); do
    sleep 1
    fold -w 80 /dev/vcs1 > $out
    ! grep -Eq -- "$pattern" $out || break
  done
  has "$what" "$pattern" $out
  kill -TERM $viewer; wait $viewer # a script ignores interrupts for it
}
if [ -c /dev/tty1 ] && [ -c /dev/vcs1 ]; then
  screen_has 'the timeline of a recording' '^121 cat total: [0-9.]+ms' -w $from/board-arm64.rec
  has 'its runs' '\|###=' $out
  screen_has 'the timeline, live' '^trace live 100ms: [1-9][0-9]* rows, [12] CPU' -w
  text 'which leaves nothing' '' "$(ls /sys/kernel/tracing/instances)"
else
  skip 'the timeline' 'no virtual console here'
fi
umount /sys/kernel/tracing
