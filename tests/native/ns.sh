# ns on this machine: what devices say against /proc, vmstat and a load that counts itself; a profile of a process.
. lib/check.sh

# column FILE N LINES: the Nth column's sum over the first or last LINES lines
cpus=$(grep -c '^cpu[0-9]' /proc/stat)
first() { head -n "$cpus" "$scratch/out" | awk -v n="$1" '{ s += $n } END { printf "%.0f", s }'; }
last() { tail -n "$cpus" "$scratch/out" | awk -v n="$1" '{ s += $n } END { printf "%.0f", s }'; }
proc() { awk -v k="$2" '$1 == k { print $2 }' "$1"; }

# --- sysstat against the kernel's own sums over the same second
"$PSUITE" ns cat '#c/absent' > "$scratch/absent"
before_ctxt=$(proc /proc/stat ctxt) before_fault=$(proc /proc/vmstat pgfault)
status 'two readings' 0 "$PSUITE" ns -c 'cat #c/sysstat; sleep 3; cat #c/sysstat'
after_ctxt=$(proc /proc/stat ctxt) after_fault=$(proc /proc/vmstat pgfault)
text 'a line a CPU, twice' $((2 * cpus)) "$(wc -l < "$scratch/out")"
text 'ten numbers in each' 10 "$(awk '{ print NF }' "$scratch/out" | sort -u | paste -sd' ')"
switches=$(($(last 2) - $(first 2))) faults=$(($(last 5) - $(first 5)))
holds "switches ($switches of $((after_ctxt - before_ctxt)) with psuite's start and end)" \
  "$switches > 0 && $switches <= $((after_ctxt - before_ctxt))"
holds "faults ($faults of $((after_fault - before_fault)))" "$faults >= 0 && $faults <= $((after_fault - before_fault))"
holds 'switches and faults are totals on the first reading, too' \
  "$(first 2) >= $before_ctxt && $(last 2) <= $after_ctxt + 1000 && $(first 5) >= $before_fault && $(last 5) <= $after_fault + 10000"
holds 'interrupts go on' "$(last 3) > $(first 3)"
holds 'idle and interrupt are percents' "$(tail -n "$cpus" "$scratch/out" | awk '$9 < 0 || $9 > 100 || $10 < 0 || $10 > 100' | wc -l) == 0"

# vmstat over the same seconds, in the same moment: within 2 percent and a few switches of the two themselves
if command -v vmstat >/dev/null; then
  vmstat 4 2 > "$scratch/vmstat" & other=$!
  "$PSUITE" ns -c 'cat #c/sysstat; sleep 4; cat #c/sysstat' > "$scratch/out"; wait $other
  theirs=$(tail -1 "$scratch/vmstat" | awk '{ print $12 * 4 }') ours=$(($(last 2) - $(first 2)))
  holds "switches by vmstat ($theirs) and ours ($ours)" "($ours - $theirs)^2 <= (0.02 * $theirs + 60)^2"
else
  skip 'against vmstat' 'no vmstat here (procps)'
fi

# --- system calls: a load of a million
if grep -q '^sysstat 4 ' "$scratch/absent"; then
  skip 'system calls counted' "$(grep '^sysstat 4 ' "$scratch/absent")"
else
  status 'a million system calls' 0 "$PSUITE" ns -c 'cat #c/sysstat; run dd if=/dev/zero of=/dev/null bs=1 count=500000 status=none; cat #c/sysstat'
  busy=$(($(last 4) - $(first 4)))
  "$PSUITE" ns -c 'cat #c/sysstat; sleep 2; cat #c/sysstat' > "$scratch/out"
  idle=$(($(last 4) - $(first 4)))
  holds "are counted ($busy; others make $idle in two seconds)" "$busy >= 1000000 && $busy < 1.02 * 1000000 + 3 * $idle"
fi
if grep -q '^sysstat 6 ' "$scratch/absent"; then
  text 'what this machine cannot count reads -1' -1 "$(awk '{ print $6 }' "$scratch/out" | sort -u)"
fi

# --- swap against /proc/meminfo
status 'memory' 0 "$PSUITE" ns cat '#c/swap'
text 'all of it' "$(($(proc /proc/meminfo MemTotal:) * 1024))" "$(awk '/ memory/ { print $1 }' "$scratch/out")"
used=$(($(proc /proc/meminfo MemTotal:) - $(proc /proc/meminfo MemAvailable:)))
holds 'kernel and user are what is not available, within 2 percent of all' \
  "$(awk -v used=$used -F'[ /]' '/pagesize/ { p = $1 / 1024 } / memory/ { all = $1 / 1024 } / kernel$/ { k = $1 } / user/ { u = $1 }
    END { d = (k + u) * p - used; print (d * d < (0.02 * all)^2) }' "$scratch/out")"

# --- interfaces against /sys
for name in $(ls /sys/class/net | head -5); do
  want=$(cat "/sys/class/net/$name/statistics/rx_packets")
  got=$("$PSUITE" ns cat "#l0/$name/stats" | awk '/^in:/ { print $2 }')
  holds "packets of $name ($got)" "$got >= $want && $got < $want + 5000"
done

# --- a process, and its profile
# refused WHAT: skipped where sampling is not allowed or not possible; any other reason is a failure.
refused() {
  if grep -qE 'ermission denied|not permitted|not supported' "$scratch/err"; then skip "$1" "$(head -1 "$scratch/err")"
  else fail "$1" "$(head -3 "$scratch/err")"; fi
}
sh -c 'while :; do :; done' & pid=$!
sleep 0.3
status 'its status' 0 "$PSUITE" ns cat "#p/$pid/status"
holds 'user time of proc(5), in ms' "$(awk '{ print $4 }' "$scratch/out") <= $(awk '{ print $14 * 10 + 100 }' "/proc/$pid/stat")"
status 'its program' 0 "$PSUITE" ns cat "#p/$pid/text"
ok 'is the file' cmp "$scratch/out" "/proc/$pid/exe"
mkdir -p "$scratch/dir/proc/$pid"
if "$PSUITE" ns -c "write #p/$pid/ctl profile; sleep 1; cat #p/$pid/profile > '$scratch/dir/proc/$pid/profile'; cat #p/$pid/profile > '$scratch/twice'" 2> "$scratch/err"; then
  total=$(od -An -N4 -tu4 --endian=big "$scratch/dir/proc/$pid/profile" | tr -d ' ')
  sum=$(od -An -v -j4 -tu4 --endian=big "$scratch/dir/proc/$pid/profile" | awk '{ for (i = 1; i <= NF; i++) s += $i } END { print s }')
  holds "a second of running, more or less ($total ms)" "$total > 100 && $total < 1200"
  text 'the counters add up' "$total" "$sum"
  status 'tprof reads it' 0 "$PSUITE" tprof -n "$scratch/dir" "$pid" "/proc/$pid/exe"
  has 'the same total' "^total: $total\$" "$scratch/out"
  text 'nothing stays behind' 0 "$(ls -l /proc/*/fd 2>/dev/null | grep -c "ns.*perf_event")"
else
  refused 'a profile of a process'
fi
# A process that it forks has the same text, one that it starts has another.
sh -c 'sleep 1; (while :; do :; done) & while :; do "$0" 300; done' "${WORK:-$TESTS/../build/work}/burn" & forks=$!
if "$PSUITE" ns -c "write #p/$forks/ctl profile; sleep 3; cat #p/$forks/profile > '$scratch/forked'" 2> "$scratch/err"; then
  total=$(od -An -N4 -tu4 --endian=big "$scratch/forked" | tr -d ' ')
  outside=$(od -An -j4 -N4 -tu4 --endian=big "$scratch/forked" | tr -d ' ')
  holds "a forked child is counted ($total ms)" "$total > 60"
  holds "a child with another program is not ($outside ms outside the text)" "2 * $outside < $total"
else
  refused 'a profile of forked children'
fi
pkill -P $forks; kill $forks; wait $forks 2>/dev/null
status 'stop' 0 "$PSUITE" ns write "#p/$pid/ctl" stop
sleep 0.2; text 'stops it' T "$(awk '{ print $3 }' "/proc/$pid/stat")"
status 'start' 0 "$PSUITE" ns write "#p/$pid/ctl" start
status 'kill' 0 "$PSUITE" ns write "#p/$pid/ctl" kill
wait $pid 2>/dev/null
text 'ends it' '' "$(cat "/proc/$pid/stat" 2>/dev/null)"

# --- the kernel's profile: start, a load of system calls, stop
if "$PSUITE" ns -f -c "write #K/kpctl startclr; run dd if=/dev/zero of=/dev/null bs=1 count=300000 status=none; write #K/kpctl stop; cat #K/kpdata > $scratch/kpdata" 2> "$scratch/err"; then
  status 'kprof reads it' 0 "$PSUITE" kprof /proc/kallsyms "$scratch/kpdata"
  has 'functions of the load' '	(ksys_|vfs_)(read|write)$' "$scratch/out"
  text 'read at an odd place' 'ok' "$("$PSUITE" ns -c 'write #K/kpctl start; write #K/kpctl start; write #K/kpctl stop; write #K/kpctl stop' && echo ok)"
else
  skip 'the kernel' "$(head -1 "$scratch/err")"
fi

# --- /proc/trace: a process that sleeps 5 times, traced from outside to its end
. "$(dirname "$0")/../lib/tracefs.sh"
has_instance() { instance_pids 2>/dev/null | grep -cx "$1"; }
( sleep 0.5; for i in 1 2 3 4 5; do sleep 0.03; done ) & pid=$!
if "$PSUITE" ns -f -c "write #p/$pid/ctl trace 1; write #p/$pid/ctl event; sleep 2; cat #p/tracing; cat #p/trace > $scratch/stream" > "$scratch/tracing" 2> "$scratch/err"; then
  text 'tracing ends with the last of them' 0 "$(awk '/ tasks/ { print $1 }' "$scratch/tracing")"
  text 'whole events' 0 $(($(stat -c %s "$scratch/stream") % 16))
  status 'trace reads them' 0 "$PSUITE" trace -v "$scratch/stream"
  text 'its mark, and its death' '1 1' "$(grep -c "^$pid .* User\$" "$scratch/out") $(grep -c "^$pid .* Dead\$" "$scratch/out")"
  text 'and those of the five that it started' 5 "$(grep -v "^task\|^$pid " "$scratch/out" | awk '$3 == "Dead" { print $1 }' | sort -u | wc -l)"
  text 'who runs was ready before' '' "$(grep -v ^task "$scratch/out" | awk '$3 == "Ready" || $3 == "Slice" { ready[$1] = 1 } $3 == "Sleep" { ready[$1] = 0 }
    $3 == "Run" && seen[$1] && !ready[$1] { print } { seen[$1] = 1 }')"
  sleep 30 & pid=$!
  "$PSUITE" ns -c "write #p/$pid/ctl trace 1; sleep 20" & held=$!
  sleep 0.7
  text 'an instance of its own' 1 "$(has_instance $held)"
  text 'not before its time: what it starts has the same priority' "$(nice)" "$("$PSUITE" ns -c "write #p/$pid/ctl trace 1; run nice")"
  kill -TERM $held; wait $held 2>/dev/null
  text 'nothing stays behind' 0 "$(has_instance $held)"
  status 'trace 0' 0 "$PSUITE" ns -c "write #p/$pid/ctl trace 1; write #p/$pid/ctl trace 0; cat #p/tracing"
  has 'ends it' '^0 tasks$' "$scratch/out"
  status 'a process that is gone' 1 "$PSUITE" ns write "#p/4194300/ctl" 'trace 1'
  kill $pid; wait $pid 2>/dev/null

  # served: who reads waits for more, until nobody is traced
  start_server 'serving at' "$scratch/serving" "$PSUITE" export -w "unix!$scratch/s"; server=$!
  peer() { timeout 20 python3 "$TESTS/lib/ninep.py" "$scratch/s" "$@"; }
  ( until [ -e "$scratch/go" ]; do sleep 0.1; done; sleep 0.2; sleep 0.2 ) & pid=$!
  status 'over 9P' 0 peer write "proc/$pid/ctl" 'trace 1'
  peer cat proc/trace 4096 > "$scratch/served" & reader=$!
  sleep 0.5; ok 'the reader waits' kill -0 $reader
  touch "$scratch/go"
  ok 'until the end' wait $reader
  "$PSUITE" trace -v "$scratch/served" > "$scratch/out"
  text 'and has its death' 1 "$(grep -c "^$pid .* Dead\$" "$scratch/out")"
  holds 'and those of what it started' "$(grep -v "^task\|^$pid " "$scratch/out" | awk '$3 == "Dead" { print $1 }' | sort -u | wc -l) >= 3"
  kill $server; wait $server 2>/dev/null
else
  skip 'a stream of its events' "$(head -1 "$scratch/err")"
fi

# --- an ordinary user: absent, not 0, and why
if [ "$(id -u)" = 0 ] && [ "$(cat /proc/sys/kernel/perf_event_paranoid)" -ge 1 ] && command -v setpriv >/dev/null; then
  open=$(mktemp -d /tmp/ns.XXXXXX); trap 'rm -rf "$scratch" "$open"' EXIT
  chmod 755 "$open"; install -m 755 "$PSUITE" "$open/psuite"
  user() { setpriv --reuid=65534 --regid=65534 --clear-groups "$open/psuite" ns "$@"; }
  status 'an ordinary user' 0 user cat '#c/sysstat'
  text 'has no system calls' -1 "$(awk '{ print $4 }' "$scratch/out" | sort -u)"
  holds 'and all switches in the first line' "$(awk 'NR == 1 { print $2 }' "$scratch/out") > 1000"
  status 'is told why' 0 user cat '#c/absent'
  has 'with the remedy' '^sysstat 4 syscall: .*; ' "$scratch/out"
else
  skip 'an ordinary user' 'not root, or everybody may count'
fi
finish
