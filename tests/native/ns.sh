# ns on this machine: what devices say against /proc, vmstat and a load that counts itself; a profile of a process.
. lib/check.sh
. lib/cputime.sh

# column FILE N LINES: the Nth column's sum over the first or last LINES lines
cpus=$(grep -c '^cpu[0-9]' /proc/stat)
first() { head -n "$cpus" "$scratch/out" | awk -v n="$1" '{ s += $n } END { printf "%.0f", s }'; }
last() { tail -n "$cpus" "$scratch/out" | awk -v n="$1" '{ s += $n } END { printf "%.0f", s }'; }
proc() { awk -v k="$2" '$1 == k { print $2 }' "$1"; }

# --- sysstat against the kernel's own sums over the same second
"$PSUITE" ns cat '#c/absent' > "$scratch/absent"
before_ctxt=$(proc /proc/stat ctxt) before_fault=$(proc /proc/vmstat pgfault)
status 'ns: cat #c/sysstat twice' 0 "$PSUITE" ns -c 'cat #c/sysstat; sleep 3; cat #c/sysstat'
after_ctxt=$(proc /proc/stat ctxt) after_fault=$(proc /proc/vmstat pgfault)
text '#c/sysstat has one line per CPU' $((2 * cpus)) "$(wc -l < "$scratch/out")"
text '#c/sysstat has ten numbers per line' 10 "$(awk '{ print NF }' "$scratch/out" | sort -u | paste -sd' ')"
switches=$(($(last 2) - $(first 2))) faults=$(($(last 5) - $(first 5)))
holds "#c/sysstat: context switches of three seconds ($switches of $((after_ctxt - before_ctxt)) with psuite's start and end)" \
  "$switches > 0 && $switches <= $((after_ctxt - before_ctxt))"
holds "#c/sysstat: page faults of three seconds ($faults of $((after_fault - before_fault)))" "$faults >= 0 && $faults <= $((after_fault - before_fault))"
holds '#c/sysstat: switches and faults are totals since boot on the first reading, too' \
  "$(first 2) >= $before_ctxt && $(last 2) <= $after_ctxt + 1000 && $(first 5) >= $before_fault && $(last 5) <= $after_fault + 10000"
holds '#c/sysstat: interrupts increase' "$(last 3) > $(first 3)"
holds '#c/sysstat: idle and interrupt time are percentages' "$(tail -n "$cpus" "$scratch/out" | awk '$9 < 0 || $9 > 100 || $10 < 0 || $10 > 100' | wc -l) == 0"

# vmstat over the same seconds: within 2 percent and a few switches of the two themselves. On a busy machine one of them begins
# or ends later; what was switched meanwhile is known.
if command -v vmstat >/dev/null; then
  for _ in 1 2 3; do # one of them alone may be held up
    before_ctxt=$(proc /proc/stat ctxt)
    vmstat 4 2 > "$scratch/vmstat" & other=$!
    "$PSUITE" ns -c 'cat #c/sysstat; sleep 4; cat #c/sysstat' > "$scratch/out"; wait $other
    all=$(($(proc /proc/stat ctxt) - before_ctxt)) ours=$(($(last 2) - $(first 2))) theirs=$(tail -1 "$scratch/vmstat" | awk '{ print $12 * 4 }')
    outside=$((all - (ours > theirs ? ours : theirs)))
    alike="$outside > -60 - 0.02 * $theirs && ($ours - $theirs)^2 <= (0.02 * $theirs + 60 + ($outside > 0 ? $outside : 0))^2"
    ! awk "BEGIN { exit !($alike) }" || break
  done
  holds "#c/sysstat: context switches by vmstat ($theirs) and ours ($ours) of $all" "$alike"
else
  skip '#c/sysstat compared with vmstat' 'no vmstat here (procps)'
fi

# --- system calls: a load of a million
if grep -q '^sysstat 4 ' "$scratch/absent"; then
  skip '#c/sysstat counts system calls' "$(grep '^sysstat 4 ' "$scratch/absent")"
else
  for _ in 1 2 3; do # others do not always ask as much
    began=${EPOCHREALTIME/./}
    status 'ns: cat #c/sysstat before and after a million system calls' 0 "$PSUITE" ns -c 'cat #c/sysstat; run dd if=/dev/zero of=/dev/null bs=1 count=500000 status=none; cat #c/sysstat'
    busy=$(($(last 4) - $(first 4))) took=$(((${EPOCHREALTIME/./} - began) / 1000))
    "$PSUITE" ns -c 'cat #c/sysstat; sleep 2; cat #c/sysstat' > "$scratch/out"
    idle=$(($(last 4) - $(first 4)))
    counted="$busy >= 1000000 && $busy < 1.02 * 1000000 + 3 * $idle * ($took > 2000 ? $took / 2000 : 1)"
    ! awk "BEGIN { exit !($counted) }" || break
  done
  holds "#c/sysstat counts a million system calls ($busy in $took ms; others make $idle in two seconds)" "$counted"
fi
if grep -q '^sysstat 6 ' "$scratch/absent"; then
  text '#c/sysstat: a column that this machine cannot count is -1' -1 "$(awk '{ print $6 }' "$scratch/out" | sort -u)"
fi

# --- swap against /proc/meminfo
status 'ns: cat #c/swap' 0 "$PSUITE" ns cat '#c/swap'
text '#c/swap: total memory is MemTotal' "$(($(proc /proc/meminfo MemTotal:) * 1024))" "$(awk '/ memory/ { print $1 }' "$scratch/out")"
used=$(($(proc /proc/meminfo MemTotal:) - $(proc /proc/meminfo MemAvailable:)))
holds '#c/swap: kernel and user pages are MemTotal less MemAvailable, within 2 percent' \
  "$(awk -v used=$used -F'[ /]' '/pagesize/ { p = $1 / 1024 } / memory/ { all = $1 / 1024 } / kernel$/ { k = $1 } / user/ { u = $1 }
    END { d = (k + u) * p - used; print (d * d < (0.02 * all)^2) }' "$scratch/out")"

# --- interfaces against /sys
for name in $(ls /sys/class/net | head -5); do
  want=$(cat "/sys/class/net/$name/statistics/rx_packets")
  got=$("$PSUITE" ns cat "#l0/$name/stats" | awk '/^in:/ { print $2 }')
  holds "#l: received packets of $name ($got)" "$got >= $want && $got <= $(cat "/sys/class/net/$name/statistics/rx_packets")"
done

# --- a process, and its profile
# refused WHAT: skipped where sampling is not allowed or not possible; any other reason is a failure.
refused() {
  if grep -qE 'ermission denied|not permitted|not supported' "$scratch/err"; then skip "$1" "$(head -1 "$scratch/err")"
  else fail "$1" "$(head -3 "$scratch/err")"; fi
}
sh -c 'while :; do :; done' & pid=$!
until_ok grep -qx sh /proc/$pid/comm
status 'ns: cat #p/PID/status' 0 "$PSUITE" ns cat "#p/$pid/status"
holds '#p/PID/status: user time is that of /proc/PID/stat, in ms' "$(awk '{ print $4 }' "$scratch/out") <= $(awk '{ print $14 * 10 + 100 }' "/proc/$pid/stat")"
status 'ns: cat #p/PID/text' 0 "$PSUITE" ns cat "#p/$pid/text"
ok '#p/PID/text is the file of /proc/PID/exe' cmp "$scratch/out" "/proc/$pid/exe"
mkdir -p "$scratch/dir/proc/$pid"
before=$(user_ms $pid)
if "$PSUITE" ns -c "write #p/$pid/ctl profile; run bash -c '. lib/cputime.sh; worked_pid=$pid worked_ms=500; works_for'; cat #p/$pid/profile > '$scratch/dir/proc/$pid/profile'; cat #p/$pid/profile > '$scratch/twice'" 2> "$scratch/err"; then
  total=$(od -An -N4 -tu4 --endian=big "$scratch/dir/proc/$pid/profile" | tr -d ' ')
  sum=$(od -An -v -j4 -tu4 --endian=big "$scratch/dir/proc/$pid/profile" | awk '{ for (i = 1; i <= NF; i++) s += $i } END { print s }')
  had=$(($(user_ms $pid) - before))
  holds "#p/PID/profile: samples of 500 ms and more ($total of $had ms)" "$total > 100 && $total < 1.1 * $had + $(user_ms_error $had)"
  text '#p/PID/profile: the counters add up to the total' "$total" "$sum"
  status 'tprof -n reads #p/PID/profile' 0 "$PSUITE" tprof -n "$scratch/dir" "$pid" "/proc/$pid/exe"
  has 'tprof -n has the total of #p/PID/profile' "^total: $total\$" "$scratch/out"
else
  refused '#p/PID/profile of a process'
fi
# A process that it forks has the same text, one that it starts has another.
sh -c 'until [ -e "$1" ]; do sleep 0.1; done; (while :; do :; done) & while :; do "$0" 300; done' "${WORK:-$TESTS/../build/work}/burn" "$scratch/fork" & forks=$!
until_ok grep -qx sh /proc/$forks/comm
if "$PSUITE" ns -c "write #p/$forks/ctl profile; run touch $scratch/fork; sleep 3; cat #p/$forks/profile > '$scratch/forked'" 2> "$scratch/err"; then
  total=$(od -An -N4 -tu4 --endian=big "$scratch/forked" | tr -d ' ')
  outside=$(od -An -j4 -N4 -tu4 --endian=big "$scratch/forked" | tr -d ' ')
  holds "#p/PID/profile counts a forked child ($total ms)" "$total > 60"
  holds "#p/PID/profile does not count a child with another program ($outside ms outside the text)" "2 * $outside < $total"
else
  refused '#p/PID/profile of forked children'
fi
pkill -P $forks; kill $forks; wait $forks 2>/dev/null
status 'ns: write stop to #p/PID/ctl' 0 "$PSUITE" ns write "#p/$pid/ctl" stop
ok 'stop stops the process' until_ok grep -q '^State:.T' "/proc/$pid/status"
status 'ns: write start to #p/PID/ctl' 0 "$PSUITE" ns write "#p/$pid/ctl" start
status 'ns: write kill to #p/PID/ctl' 0 "$PSUITE" ns write "#p/$pid/ctl" kill
wait $pid 2>/dev/null
text 'kill ends the process' '' "$(cat "/proc/$pid/stat" 2>/dev/null)"

# --- the kernel's profile: start, a load of system calls, stop
if "$PSUITE" ns -f -c "write #K/kpctl startclr; run dd if=/dev/zero of=/dev/null bs=1 count=300000 status=none; write #K/kpctl stop; cat #K/kpdata > $scratch/kpdata" 2> "$scratch/err"; then
  status 'kprof reads #K/kpdata' 0 "$PSUITE" kprof /proc/kallsyms "$scratch/kpdata"
  has '#K/kpdata has the functions of a load of system calls' '	(ksys_|vfs_)(read|write)$' "$scratch/out"
  text 'start and stop, twice each, are accepted by #K/kpctl' 'ok' "$("$PSUITE" ns -c 'write #K/kpctl start; write #K/kpctl start; write #K/kpctl stop; write #K/kpctl stop' && echo ok)"
else
  skip '#K/kpdata' "$(head -1 "$scratch/err")"
fi

# --- /proc/trace: a process that sleeps 5 times, traced from outside to its end
. "$(dirname "$0")/../lib/tracefs.sh"
has_instance() { instance_pids 2>/dev/null | grep -cx "$1"; }
mkfifo "$scratch/traced"
( read -r _ < "$scratch/traced"; for i in 1 2 3 4 5; do sleep 0.03; done ) & pid=$!
cat > "$scratch/go_and_wait" <<S
echo > $scratch/traced
until [ ! -e /proc/$pid ] || grep -q '^State:.Z' /proc/$pid/status; do sleep 0.1; done
S
if "$PSUITE" ns -f -c "write #p/$pid/ctl trace 1; write #p/$pid/ctl event; run sh $scratch/go_and_wait; sleep 0.5; cat #p/tracing; cat #p/trace > $scratch/stream" > "$scratch/tracing" 2> "$scratch/err"; then
  text '#p/tracing has no tasks after the last process has ended' 0 "$(awk '/ tasks/ { print $1 }' "$scratch/tracing")"
  text '#p/trace has whole events of 16 bytes' 0 $(($(stat -c %s "$scratch/stream") % 16))
  status 'trace -v reads #p/trace' 0 "$PSUITE" trace -v "$scratch/stream"
  text '#p/trace has the mark of the process and its death' '1 1' "$(grep -c "^$pid .* User\$" "$scratch/out") $(grep -c "^$pid .* Dead\$" "$scratch/out")"
  text '#p/trace has the deaths of its five children' 5 "$(grep -v "^task\|^$pid " "$scratch/out" | awk '$3 == "Dead" { print $1 }' | sort -u | wc -l)"
  text '#p/trace: a process that runs was ready before' '' "$(grep -v ^task "$scratch/out" | awk '$3 == "Ready" || $3 == "Slice" { ready[$1] = 1 } $3 == "Sleep" { ready[$1] = 0 }
    $3 == "Run" && seen[$1] && !ready[$1] { print } { seen[$1] = 1 }')"
  sleep 600 & pid=$!
  "$PSUITE" ns -c "write #p/$pid/ctl trace 1; sleep 600" & held=$!
  ok 'ns has one tracing instance of its own' until_ok eval '[ "$(has_instance $held)" = 1 ]'
  text 'ns run: a command has the priority of ns while a process is traced' "$(nice)" "$("$PSUITE" ns -c "write #p/$pid/ctl trace 1; run nice")"
  kill -TERM $held; wait $held 2>/dev/null
  text 'ns removes its tracing instance when it ends by SIGTERM' 0 "$(has_instance $held)"
  status 'ns: write trace 0 to #p/PID/ctl' 0 "$PSUITE" ns -c "write #p/$pid/ctl trace 1; write #p/$pid/ctl trace 0; cat #p/tracing"
  has 'trace 0 ends the tracing' '^0 tasks$' "$scratch/out"
  status 'ns: write trace 1 to the ctl of a process that does not exist' 1 "$PSUITE" ns write "#p/4194300/ctl" 'trace 1'
  kill $pid; wait $pid 2>/dev/null

  # served: who reads waits for more, until nobody is traced
  start_server 'serving at' "$scratch/serving" "$PSUITE" export -w "unix!$scratch/s"; server=$!
  peer() { timeout 100 python3 "$TESTS/lib/ninep.py" "$scratch/s" "$@"; }
  ( until [ -e "$scratch/go" ]; do sleep 0.1; done; sleep 0.1; sleep 0.1; sleep 0.1 ) & pid=$!
  status 'export: write trace 1 to proc/PID/ctl over 9P' 0 peer write "proc/$pid/ctl" 'trace 1'
  peer cat proc/trace 4096 > "$scratch/served" & reader=$!
  sleep 0.5; ok 'export: a reader of proc/trace waits while the process runs' kill -0 $reader
  touch "$scratch/go"
  ok 'export: a reader of proc/trace ends when the process has ended' wait $reader
  "$PSUITE" trace -v "$scratch/served" > "$scratch/out"
  text 'export: proc/trace has the death of the process' 1 "$(grep -c "^$pid .* Dead\$" "$scratch/out")"
  holds 'export: proc/trace has the deaths of its children' "$(grep -v "^task\|^$pid " "$scratch/out" | awk '$3 == "Dead" { print $1 }' | sort -u | wc -l) >= 3"
  kill $server; wait $server 2>/dev/null
else
  kill $pid
  refused '#p/trace'
fi

# --- an ordinary user: absent, not 0, and why
if [ "$(id -u)" = 0 ] && [ "$(cat /proc/sys/kernel/perf_event_paranoid)" -ge 1 ] && command -v setpriv >/dev/null; then
  open=$(mktemp -d /tmp/ns.XXXXXX); trap 'rm -rf "$scratch" "$open"' EXIT
  chmod 755 "$open"; install -m 755 "$PSUITE" "$open/psuite"
  user() { setpriv --reuid=65534 --regid=65534 --clear-groups "$open/psuite" ns "$@"; }
  status 'ns: cat #c/sysstat by an ordinary user' 0 user cat '#c/sysstat'
  text '#c/sysstat: an ordinary user gets -1 system calls' -1 "$(awk '{ print $4 }' "$scratch/out" | sort -u)"
  holds '#c/sysstat: an ordinary user gets all switches in the first line' "$(awk 'NR == 1 { print $2 }' "$scratch/out") > 1000"
  status 'ns: cat #c/absent by an ordinary user' 0 user cat '#c/absent'
  has '#c/absent: the reason for an ordinary user, and the remedy' '^sysstat 4 syscall: .*; ' "$scratch/out"
else
  skip '#c/sysstat by an ordinary user' 'not root, or everybody may count'
fi
finish
