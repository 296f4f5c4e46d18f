# File calls counted by ptrace on a board's kernel: a workload that knows its calls; ends, daemons, kill -9.
count() { awk -v m="$1" '$1 == m { n = $2 } END { print n + 0 }' $err; }
iowork_one_of=10
[ -z "${WHOLE:-}" ] || iowork_one_of=1
for program in $work/iowork $work/iowork-a32; do
  [ -x "$program" ] || continue
  rm -rf /tmp/w; mkdir /tmp/w
  status "${program##*/}" 0 /test/iotracedump "$program" /tmp/w /tmp/expected "$iowork_one_of"
  got=$(
    for m in open create read write clunk remove stat wstat walk; do echo "$m $(count $m)"; done
    awk '$1 == "read" && /sec$/ { r = $2 } $1 == "write" && /sec$/ { print "bytes", r, $2 }' $err
    awk '$6 ~ "^/tmp/w/" { sub("^/tmp/w/", "", $6); r = "file"; for (i = 1; i <= NF; i++) r = r " " $i; print r }' $err)
  text "${program##*/}: its calls, exactly" "$(sed 's/ *$//; /^$/d' /tmp/expected | sort)" "$(echo "$got" | sort)"
done
has 'behind a filter' 'ptrace, seccomp' $err
status 'its exit status' 3 /test/iotracedump sh -c 'exit 3'
status 'a signal' 143 /test/iotracedump sh -c 'kill -TERM $$'
status 'no such command' 127 /test/iotracedump /nowhere
status 'a daemon is left behind' 5 /test/iotracedump sh -c '(sleep 1; cat /test/inside.sh >/tmp/late.new; mv /tmp/late.new /tmp/late) </dev/null >/dev/null 2>&1 & exit 5'
i=0; while [ ! -e /tmp/late ] && [ $i -lt 300 ]; do sleep 0.2; i=$((i + 1)); done
ok 'its calls work' cmp /test/inside.sh /tmp/late
echo 1 >/tmp/line
rm -f /tmp/began /tmp/killed /tmp/done
/test/iotracedump sh -c 'echo >/tmp/began; while [ ! -e /tmp/killed ]; do read x </tmp/line; done; i=0; while [ $i -lt 100 ]; do read x </tmp/line; i=$((i + 1)); done; echo done >/tmp/done' 2>/dev/null &
front=$!
until_ok test -e /tmp/began
kill -9 $front 2>/dev/null; wait $front 2>/dev/null
text 'killed while it works' '' "$(cat /tmp/done 2>/dev/null)"
: >/tmp/killed
i=0; while [ ! -s /tmp/done ] && [ $i -lt 300 ]; do sleep 0.2; i=$((i + 1)); done
text 'kill -9 of the one that was started harms no command' done "$(cat /tmp/done)"
rm -f /tmp/rounds
sh -c 'while :; do read x </tmp/line; echo >>/tmp/rounds; sleep 0.05; done' & server=$!
/test/iotracedump -p $server 2>$err & watcher=$!
goes_on() { [ $(wc -l < /tmp/rounds) -ge $rounds ]; }
until_ok grep -q '^TracerPid:.[^0]' /proc/$server/status
rounds=$(($(wc -l < /tmp/rounds) + 10)); until_ok goes_on
kill -TERM $watcher; wait $watcher
has 'attached' '^ +[1-9][0-9]* .* /tmp/line$' $err
has 'by all calls' 'ptrace, all calls' $err
ok 'it lives on' kill -0 $server
kill $server
