# ns on a board's kernel: what devices say against /proc, system calls counted, profiles begun and ended by writes.
column() { awk -v n="$1" '{ s += $n } END { printf "%.0f", s }' $2; } # column N FILE: its sum
cpus=$(grep -c '^cpu[0-9]' /proc/stat)
ok 'two readings of sysstat' psuite ns -c 'cat #c/sysstat; sleep 1; cat #c/sysstat'
text 'a line a CPU' $((2 * cpus)) "$(wc -l < $out)"
text 'ten numbers each' 10 "$(awk '{ print NF }' $out | sort -u)"
ok 'what is absent' psuite ns cat '#c/absent'
cat $out
if grep -q '^sysstat 4 ' $out; then
  skip 'system calls' "$(grep '^sysstat 4 ' $out)"
else
  psuite ns -c 'cat #c/sysstat; run dd if=/dev/zero of=/dev/null bs=1 count=25000; cat #c/sysstat' > /tmp/sysstat 2>/dev/null
  head -n "$cpus" /tmp/sysstat > /tmp/first; tail -n "$cpus" /tmp/sysstat > /tmp/last
  calls=$(($(column 4 /tmp/last) - $(column 4 /tmp/first)))
  holds "50000 system calls are counted, within 4 percent ($calls)" "$calls >= 50000 && $calls < 52000"
fi
before=$(awk '$1 == "ctxt" { print $2 }' /proc/stat)
psuite ns -c 'cat #c/sysstat; sleep 2; cat #c/sysstat' > /tmp/sysstat
after=$(awk '$1 == "ctxt" { print $2 }' /proc/stat)
switches=$(($(tail -n "$cpus" /tmp/sysstat > /tmp/last; column 2 /tmp/last) - $(head -n "$cpus" /tmp/sysstat > /tmp/first; column 2 /tmp/first)))
holds "switches ($switches of $((after - before)))" "$switches > 0 && $switches <= $((after - before))"
ok 'memory' psuite ns cat '#c/swap'
text 'all of it' "$(awk '/MemTotal/ { print $2 }' /proc/meminfo)" "$(awk '/ memory/ { printf "%.0f", $1 / 1024 }' $out)"
ok 'the rest of cons' psuite ns cat '#c/time' '#c/cputime' '#c/sysname'
ok 'interfaces' psuite ns ls '#l0'
has 'its own' '^#l0/lo$' $out
ok 'packets' psuite ns cat '#l0/lo/stats'
has 'in' '^in: [0-9]+$' $out

$work/burn 20000 & pid=$!
until_ok grep -q burn /proc/$pid/comm
ok 'a process' psuite ns cat "#p/$pid/status"
has 'by name' '^burn  .*Running' $out
psuite ns cat "#p/$pid/text" > /tmp/text
ok 'its program is the file' cmp /tmp/text $work/burn
mkdir -p /tmp/dir/proc/$pid
ok 'a profile' psuite ns -f -c "write #p/$pid/ctl profile; sleep 1; cat #p/$pid/profile > /tmp/dir/proc/$pid/profile"
ok 'tprof reads it' psuite tprof -n /tmp/dir "$pid" $work/burn
has 'with time in it' '^total: [1-9][0-9][0-9]+$' $out
ok 'kill' psuite ns write "#p/$pid/ctl" kill
wait $pid 2>/dev/null
status 'it is gone' 1 psuite ns cat "#p/$pid/status"

rm -f /tmp/begin
mkfifo /tmp/begin
( read go; for i in 1 2 3; do sleep 0.1; done ) < /tmp/begin & pid=$!
echo 'echo go > /tmp/begin' > /tmp/begin.sh
echo "i=0; until [ ! -e /proc/$pid ] || grep -q '^State:.Z' /proc/$pid/status || [ \$i -ge 300 ]; do sleep 0.2; i=\$((i + 1)); done" > /tmp/ended.sh
if psuite ns -f -c "write #p/$pid/ctl trace 1; write #p/$pid/ctl event; run sh /tmp/begin.sh; run sh /tmp/ended.sh; sleep 2; cat #p/tracing; cat #p/trace > /tmp/stream" > /tmp/tracing 2> /tmp/refused; then
  has 'a process was traced to its end' '^0 tasks$' /tmp/tracing
  ok 'trace reads the stream' psuite trace -v /tmp/stream
  text 'its mark and its death' '1 1' "$(grep -c "^$pid .* User\$" $out) $(grep -c "^$pid .* Dead\$" $out)"
  text 'and those of whom it started' 3 "$(grep -v "^task\|^$pid " $out | awk '$3 == "Dead" { print $1 }' | sort -u | wc -l)"
  mount -t tracefs tracefs /sys/kernel/tracing
  text 'no instance stays' 0 "$(ls /sys/kernel/tracing/instances | grep -c psuite)"
  umount /sys/kernel/tracing
else
  skip 'a stream of events' "$(cat /tmp/refused)"
  kill $pid
fi
wait $pid 2>/dev/null

ok 'the kernel' psuite ns -f -c 'write #K/kpctl startclr; run dd if=/dev/zero of=/dev/null bs=1 count=40000; write #K/kpctl stop; cat #K/kpdata > /tmp/ns.kpdata'
cat /proc/kallsyms > /tmp/kallsyms
ok 'kprof reads it' psuite kprof /tmp/kallsyms /tmp/ns.kpdata
has 'with functions of the load' '	(ksys_|vfs_|sys_|__se_sys_|__arm64_sys_)(read|write)' $out
