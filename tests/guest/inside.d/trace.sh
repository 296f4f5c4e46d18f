# The kernel's own tracing here: live, recorded, nothing left behind. The recording and what it says go to the desk.
mkdir -p /sys/kernel/tracing
grep -q tracefs /proc/mounts || mount -t tracefs tracefs /sys/kernel/tracing
ok 'a command' trace -e -x sh -c 'echo x | cat'
has 'a fork' ' Fork by [0-9]+ sh$' $out
ok 'everything' trace -f -s 1 --interrupts -o /tmp/trace.rec
ok 'read again' trace /tmp/trace.rec
has 'its CPUs' '^ *1 +[0-9.]+%' $out
status 'a command and its status' 4 trace --summary -x sh -c 'exit 4'
has 'by its name' '^ *[0-9]+ +sh ' $err
trace -s 5 -e > /tmp/marked & tracer=$!
for i in 1 2 3 4 5 6 7 8; do grep -q 1 /sys/kernel/tracing/instances/psuite-$tracer/tracing_on 2>/dev/null || sleep 0.5; done
ok 'a mark' trace mark here it is
wait $tracer
has 'stands in the trace' ' User here it is$' /tmp/marked
trace -s 30 >/dev/null & tracer=$!
sleep 1
kill -9 $tracer
sleep 0.2
ok 'after one that was killed' trace -s 0.1
text 'nothing is left' '' "$(ls /sys/kernel/tracing/instances)"
if [ -d /host ]; then
  mkdir -p /host/trace
  cp /tmp/trace.rec /host/trace/
  trace -e /tmp/trace.rec > /host/trace/events
  trace --json /tmp/trace.rec > /host/trace/json
  for format in html svg chrome; do trace -f -o $format:/host/trace/drawn.$format /tmp/trace.rec; done
fi
