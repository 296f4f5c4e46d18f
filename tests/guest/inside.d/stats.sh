# stats on a board's kernel: all graphs told, a counted load within 2 percent, a recording, little memory.
ok 'all that can be told' psuite stats --once
cat $out
has 'the load' '^load +[0-9.]+k? +[0-9]+  running and runnable tasks' $out
has 'memory' '^mem +[0-9.]+[kMG]B ' $out
column() { awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i } END { print $at }' $2; }
if psuite stats --once -s -T 0.2 | grep -q '^syscall .* -  '; then
  skip 'system calls' "$(psuite stats --once -s -T 0.2 | tail -1)"
else
  # One interval around the whole of a load of 50,000, less what else there is. It begins with the first sample, which
  # is late on a busy machine: the load begins behind that.
  interval() { awk -F, 'NR == 2 { from = $1 } END { printf "%.3f", $1 - from }' $1; }
  psuite stats --csv -s -T 2 --samples 2 > /tmp/quiet
  rm -f /tmp/busy
  (until_ok grep -q '^[0-9]' /tmp/busy; exec dd if=/dev/zero of=/dev/null bs=1 count=25000 2>/dev/null) & load=$!
  psuite stats --csv -cs -T 10 --samples 2 > /tmp/busy
  quiet=$(column syscall /tmp/quiet) calls=$(column syscall /tmp/busy) span=$(interval /tmp/busy)
  if kill -0 $load 2>/dev/null; then
    skip '50000 system calls in an interval' 'this machine is too slow for them'
    kill $load
  else
    holds "50000 system calls in $span s ($calls a second, $quiet without)" \
      "($calls - $quiet) * $span > 48500 && ($calls - $quiet) * $span < 51500"
  fi
fi
vm=$(awk '$1 == "ctxt" { print $2 }' /proc/stat)
psuite stats --csv -c -T 2 --samples 2 > /tmp/switches
vm=$(($(awk '$1 == "ctxt" { print $2 }' /proc/stat) - vm))
switches=$(column context /tmp/switches)
holds "switches ($switches a second; $vm in 2 s and around)" "$switches > 0 && $switches * 2 <= $vm"
ok 'a recording' psuite stats --record /tmp/rec --force -T 0.2 --samples 5
ok 'told again' psuite stats --replay /tmp/rec --csv -lm
holds 'five samples and a head' "$(wc -l < $out) == 6"
psuite stats --json -T 0.5 > /tmp/lines & pid=$!
has_lines() { [ $(wc -l < /tmp/lines) -ge 5 ]; }
until_ok has_lines
rss=$(awk '/^VmHWM/ { print $2 }' /proc/$pid/status)
kill $pid
holds "peak RSS of $rss KB" "$rss > 0 && $rss < 4096"
