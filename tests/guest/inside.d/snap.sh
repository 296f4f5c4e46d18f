# One file of everything on the board; the page is made of it at the desk.
ok 'the whole machine' snap -f -t 2 -o /tmp/board.snap
ok 'what is in it' snap /tmp/board.snap
has 'samples of all modes' '^samples: +[1-9][0-9]* samples, [0-9]+ lost; .*kernel mode' $out
has 'the scheduler' '^scheduler: [1-9][0-9]* events of [1-9][0-9]* tasks, [0-9]+ lost$' $out
has 'statistics' '^stats: +[1-9][0-9]* samples, one in 0\.25 s$' $out
text 'to its end' '' "$(grep '^cut off' $out)"
status 'a command and its status' 4 snap -q -f -o /tmp/command.snap -x sh -c 'exit 4'
# In the foreground: what a shell starts in the background ignores SIGINT.
{
  i=0
  until snap --json /tmp/early.snap 2> /dev/null | grep -q '"samples":{.*"scheduler":{.*"stats":{' || [ $i -ge 60 ]; do sleep 1; i=$((i + 1)); done
  kill -INT "$(cat /tmp/early.pid)"
} &
sh -c 'echo $$ > /tmp/early.pid; exec psuite snap -q -f -t 200 -o /tmp/early.snap'
ok 'an interrupt ends it' snap --json /tmp/early.snap
has 'with all parts, short of 100 s' '"length_ns":[0-9]{1,11},.*"ended":true,"samples":\{.*"scheduler":\{.*"stats":\{' $out
ok 'its page on the board' snap -f -o /tmp/early.html /tmp/early.snap
if [ -d /host ]; then
  mkdir -p /host/snap
  cp /tmp/board.snap /host/snap/
  snap /tmp/board.snap > /host/snap/report
fi
rm -f /tmp/board.snap /tmp/command.snap /tmp/early.snap /tmp/early.html /tmp/early.pid
