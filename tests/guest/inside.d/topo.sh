# topo: trees of calls from a real kernel, against the kernel's own text of the same buffer, which is frozen while psuite is stopped.
topo_mounted=
[ -e /sys/kernel/tracing/trace ] || { mount -t tracefs tracefs /sys/kernel/tracing && topo_mounted=1; }
if ! grep -qw function_graph /sys/kernel/tracing/available_tracers && [ ! -w /sys/kernel/tracing/kprobe_events ]; then
  status 'a kernel without function_graph and kprobes' 1 topo vfs_read
  has 'is reported' 'topo: this kernel has no tracer function_graph' $err
  skip 'trees of calls of the kernel' 'this kernel has no tracer function_graph'
else
  tracing=/sys/kernel/tracing
  settings() { # settings: what of tracefs collecting could leave behind
    for file in set_graph_function max_graph_depth tracing_thresh options/sleep-time trace_clock tracing_on current_tracer set_event set_ftrace_notrace_pid; do
      echo "$file: $(cat $tracing/$file)"
    done
    sed 's/.*expanded: //' $tracing/buffer_size_kb | awk '{ print "buffers: " int($1 / 16) }' # what the next user gets; the kernel rounds up
    cat $tracing/kprobe_events
    ls $tracing/instances
  }
  settings > /tmp/settings
  # The instance that has the tracer, if the kernel allows it there; else tracefs itself. An instance in which a file is open
  # cannot be removed: none is looked at before the function is set.
  traced_in() { for dir in $tracing/instances/psuite-* $tracing; do [ ! -e $dir/current_tracer ] || ! grep -q function_graph $dir/current_tracer || echo $dir; done; }
  traces() { ! grep -q '^#' $tracing/set_graph_function && [ -n "$(traced_in)" ]; }
  probed_in() { for dir in $tracing/instances/psuite-*; do [ ! -e $dir/trace ] || echo $dir; done; }
  probes() { grep -q 1 $tracing/instances/psuite-*/events/psuite_*/enable 2>/dev/null; }
  # The kernel's text to `MIN MAX CALLS DEPTHS NAME' of each function in the runs of START by the thread PID. Durations are cut to
  # eight characters, so a total lies between two numbers.
  cat > /tmp/text.awk <<'A'
    function low(text, part, n) { n = split(text, part, "."); return part[1] * 1000 + (n > 1 ? substr(part[2] "000", 1, 3) : 0) }
    function spread(text, part, n) { n = split(text, part, "."); return n < 2 ? 999 : length(part[2]) == 3 ? 0 : length(part[2]) == 2 ? 9 : 99 }
    # A call of a run that goes on; the callees of one are together no longer than it, or an interrupt came while it was noted.
    function note(name, text) {
      n++; names[n] = name; lows[n] = low(text); wides[n] = spread(text); depths[n] = inside
      if (below[inside + 1] > lows[n] + wides[n]) bad = 1
      below[inside + 1] = 0
      below[inside] += lows[n]
    }
    function merge(i) {
      for (i = 1; i <= n && !bad; i++) { total[names[i]] += lows[i]; wide[names[i]] += wides[i]; calls[names[i]]++; depth[names[i]] += depths[i] }
      runs[bad]++
      n = bad = 0
      delete below
    }
    /^ *#/ || split($0, column, "|") < 3 { next }
    { task = column[1]; sub(/^.*-/, "", task); if (task + 0 != PID) next }
    {
      text = column[3]; name = text; sub(/^ */, "", name); sub(/[(].*/, "", name); sub(/ .*/, "", name)
      time = column[2]; sub(/ us.*/, "", time); sub(/.* /, "", time)
      match(text, /^ */); if (!inside) base = RLENGTH
    }
    # The kernel writes an interrupt that comes while it notes an entry before this entry, one level too deep.
    inside && text ~ /[({;]/ && text !~ /^ *\}/ && RLENGTH != base + 2 * inside { bad = 1 }
    text ~ /\{ *$/ { if (inside || name == START) stack[inside++] = name; next }
    text ~ /\}/ { if (inside) { inside--; note(stack[inside], time); if (!inside) merge() } next }
    text ~ /\);/ { if (inside) note(name, time); else if (name == START) { note(name, time); merge() } }
    END { if (runs[1]) print runs[1] " runs that contradict themselves" > "/tmp/bad"; for (name in calls) printf "%.0f %.0f %d %d %s\n", total[name], total[name] + wide[name], calls[name], depth[name], name }
A
  # The same of the text of kprobes, whose times are cut to microseconds. What runs in an interrupt is another thread.
  cat > /tmp/probed.awk <<'A'
    BEGIN { inside = 0 }
    !/: [ex][0-9]+_[0-9_]*: [(]/ || !match($0, /-[0-9]+ +[[][0-9]+[]] /) { next }
    { pid = substr($0, RSTART + 1) + 0; n_ = split(substr($0, RSTART + RLENGTH), column, " "); if (pid != PID || substr(column[1], 3, 1) ~ /[hHsZz]/) next }
    { split(column[2], part, "."); now = part[1] * 1000000 + part[2]; name = $0 }
    column[3] ~ /^e/ {
      sub(/.*[(]/, "", name); sub(/[+].*/, "", name)
      if (inside || name == START) { stack[inside] = name; since[inside++] = now }
      next
    }
    inside {
      sub(/.*<- /, "", name); sub(/[)].*/, "", name)
      if (stack[--inside] != name) { inside = n = 0; runs[1]++; next }
      n++; names[n] = name; times[n] = now - since[inside]; depths[n] = inside
      if (!inside) {
        for (i = 1; i <= n; i++) { total[names[i]] += times[i]; calls[names[i]]++; depth[names[i]] += depths[i] }
        n = 0
      }
    }
    END { if (runs[1]) print runs[1] " runs that contradict themselves" > "/tmp/bad"; for (name in calls) printf "%.0f %.0f %d %d %s\n", (total[name] - calls[name]) * 1000, (total[name] + calls[name]) * 1000, calls[name], depth[name], name }
A
  # The machine form to `TOTAL CALLS DEPTHS NAME'.
  cat > /tmp/machine.awk <<'A'
    {
      name = $1; sub(/^FuncStats\(./, "", name); sub(/.,$/, "", name)
      list = $0; sub(/^[^[]*\[/, "", list); sub(/\].*/, "", list)
      n = split(list, at, ", "); sum = 0
      for (i = 1; i <= n; i++) sum += at[i]
      printf "%.0f %d %d %s\n", $2, n, sum, name
    }
A
  # What differs, and how many functions and calls do not.
  cat > /tmp/differ.awk <<'A'
    NR == FNR { min[$5] = $1; max[$5] = $2; calls[$5] = $3; depths[$5] = $4; next }
    !($4 in calls) || $2 != calls[$4] || $3 != depths[$4] || $1 < min[$4] || $1 > max[$4] {
      print "topo", $0, "kernel", min[$4], max[$4], calls[$4], depths[$4]; bad++
    }
    { seen[$4] = 1; same++; all += $2 }
    END { for (name in calls) if (!(name in seen)) { print "not in topo:", name; bad++ } if (!bad) print same " functions equal, " all " calls" > "/tmp/equal" }
A
  comes_first() { awk '{ exit $41 != 2 }' /proc/$collector/stat; } # as SCHED_RR
  # frozen STATE FUNCTION SCRIPT [OPTION]: the shell's commands SCRIPT are run while psuite is stopped. Their runs of FUNCTION are
  # compared. STATE `loaded': while others keep the processors busy, and call FUNCTION, too.
  frozen() {
    label="$2, $1${4:+, by kprobes}" tracing_began=traces find_dir=traced_in read_text=/tmp/text.awk load=
    [ -z "${4:-}" ] || { tracing_began=probes find_dir=probed_in read_text=/tmp/probed.awk; }
    rm -f /tmp/go /tmp/ready /tmp/events /tmp/equal /tmp/bad
    mkfifo /tmp/go
    sh -c "exec 3<>/tmp/go; : > /tmp/ready; read x <&3; $3" </dev/console >/dev/null 2>&1 & worker=$!
    until_ok test -e /tmp/ready
    until_ok grep -q '^[0-9]* (.*) S ' /proc/$worker/stat # it waits
    topo -n 1000000 -f -o machine:/tmp/machine -o events:/tmp/events ${4:-} $2 >$out 2>$err & collector=$!
    if until_ok $tracing_began; then pass "$label: the tracing starts"; else fail "$label: the tracing starts" "$(cat $err)"; fi
    if until_ok comes_first; then pass "$label: psuite comes before others"; else fail "$label: psuite comes before others" "$(cat /proc/$collector/stat)"; fi
    [ $1 = idle ] || for i in 1 2 3; do sh -c 'while :; do [ -t 0 ]; read x < /proc/self/stat; i=0; while [ $i -lt 300 ]; do i=$((i + 1)); done; done' </dev/console >/dev/null 2>&1 & load="$load $!"; done
    kill -STOP $collector || { kill $worker $load; return; }
    until_ok grep -q '^[0-9]* (.*) T ' /proc/$collector/stat
    dir=$($find_dir)
    [ -n "${4:-}" ] || text "$label: psuite itself is not traced" $collector "$(cat $dir/set_ftrace_notrace_pid)"
    [ -z "${4:-}" ] || echo > $dir/trace # the kernel's text gives wrong times to the rest of a page whose beginning was read
    echo go > /tmp/go
    wait $worker
    echo 0 > $dir/tracing_on
    [ -z "$load" ] || { kill $load; wait $load 2>/dev/null; }
    echo 1 > $tracing/options/funcgraph-proc
    cat $dir/trace > /tmp/text
    echo 0 > $tracing/options/funcgraph-proc
    kill -CONT $collector
    kill -TERM $collector # the shell starts what is in the background without SIGINT
    wait $collector
    cp $err /tmp/dropped
    awk -v pid=$worker '/^#/ { next } NF == 6 { mine[$2] = $4 == pid } mine[$2]' /tmp/events > /tmp/mine
    status "$label: its runs" 0 topo -o machine /tmp/mine
    awk -f /tmp/machine.awk $out > /tmp/ours
    awk -v PID=$worker -v START=$2 -f $read_text /tmp/text > /tmp/theirs
    text "$label: totals and counts are those of the kernel's text" '' "$(awk -f /tmp/differ.awk /tmp/theirs /tmp/ours | head -5)"
    runs=$(awk -v name=$2 '$5 == name { print $3 }' /tmp/theirs)
    holds "$label: 20 runs or more" "${runs:-0} >= 20"
    echo "-- $label in ${dir#$tracing}: $runs runs, $(cat /tmp/equal /tmp/bad 2>/dev/null)"
    grep -v ' of 1000000 runs' /tmp/dropped | sed 's/^topo: /--   /'
    text "$label: all is restored" '' "$(settings | diff /tmp/settings -)"
  }
  case $ARCH in arm64) ioctl=__arm64_sys_ioctl ;; armhf) ioctl=sys_ioctl ;; *) ioctl=__x64_sys_ioctl ;; esac
  reads="dd if=/dev/zero of=/dev/null bs=1 count=${READS:-25}" ioctls='for i in $(seq 30); do [ -t 0 ]; done'
  # Every function of the kernel is changed when the tracer begins: minutes on an emulated amd64 processor.
  how=
  if [ $ARCH = amd64 ] && [ -z "${GRAPH:-}" ]; then
    how=--probes
    echo nop > $tracing/current_tracer # the kernel forgets that buffers were not expanded yet when an instance gets some
    settings > /tmp/settings
    skip 'trees of calls by function_graph' 'an emulated amd64 processor changes the functions of the kernel for minutes'
  else
    # An emulated 32-bit processor is slow enough when idle; WHOLE=1 of test.sh has more of them loaded.
    frozen idle vfs_read "$reads"
    frozen idle $ioctl "$ioctls"
    [ $ARCH = armhf ] && [ -z "${WHOLE:-}" ] || frozen loaded vfs_read "$reads"
    [ -z "${WHOLE:-}" ] || frozen loaded $ioctl "$ioctls"
  fi
  by_kprobes=
  [ ! -w $tracing/kprobe_events ] || [ ! -e /proc/kcore ] || by_kprobes=1
  if [ "$by_kprobes" ]; then
    frozen idle vfs_read "$reads" --probes
    if [ -n "${WHOLE:-}" ]; then
      frozen loaded vfs_read "$reads" --probes
      frozen idle $ioctl "$ioctls" --probes
      frozen loaded $ioctl "$ioctls" --probes
    fi
  else
    skip 'trees of calls by kprobes' 'this kernel has no kprobes or no /proc/kcore'
  fi
  # --- as it is used
  sh -c 'while :; do read y < /proc/self/stat; sleep 0.01; done' & busy=$!
  mkdir -p /host/topo
  ok 'a number of runs' topo $how -n 8 -t 120 -f -o events:/host/topo/read.events -o machine:/host/topo/read.machine -o svg:/host/topo/read.svg -o html:/host/topo/read.html -o human vfs_read
  [ -s $out ] || { cat $tracing/per_cpu/cpu*/stats; dmesg | grep -A 20 'WARNING:' | tail -40; } | sed 's/^/-- the buffers: /'
  has 'are as many' '^vfs_read, total time: [1-9][0-9]*, contrib time: [0-9]*, depths: \[0(, 0)*\], call count: 8, callers: \[\]' $out
  text 'without a loss' '' "$(grep -v 'an entry out of order\|callees took longer\|events lost\|events were lost\|by kprobes\|not probed\|missed by the kernel\|without its entry' $err)"
  text 'all is restored' '' "$(settings | diff /tmp/settings -)"
  for pause in ${PAUSES:-0.1 0.6}; do
    topo $how -n 1000000 vfs_read >/dev/null 2>&1 & victim=$!
    sleep $pause
    kill -9 $victim
    wait $victim 2>/dev/null
  done
  kill $busy
  wait $busy 2>/dev/null
  until_ok sh -c '! pidof psuite topo >/dev/null'
  as_before() { settings | cmp -s /tmp/settings -; }
  until_ok as_before
  text 'and by those that were killed' '' "$(settings | diff /tmp/settings -)"
  # --- without the tracer
  if [ "$by_kprobes" ]; then
    echo nop > /tmp/tracers
    mount --bind /tmp/tracers $tracing/available_tracers
    sh -c 'while :; do [ -t 0 ]; done' </dev/console >/dev/null 2>&1 & busy=$!
    ok 'a kernel without function_graph' topo -n 20 -t 120 $ioctl
    has 'has kprobes' "^topo: $ioctl: by kprobes of [1-9][0-9]* functions: calls by pointers are not seen" $err
    has 'which have as many runs' "^$ioctl, .* call count: 20, callers: \\[\\], callees: \\['" $out
    sed 's/^/--   /' $err
    kill $busy
    wait $busy 2>/dev/null
    umount $tracing/available_tracers
    text 'and leave nothing' '' "$(settings | diff /tmp/settings -)"
  fi
  # --- what is refused
  [ -n "$how" ] || echo function > $tracing/current_tracer
  echo vfs_read > $tracing/set_graph_function
  status 'while another program traces' 1 topo vfs_read
  has 'it is refused' 'topo: .*set_graph_function: .*busy' $err
  text 'and its settings stay' "vfs_read$([ -n "$how" ] || echo ' function')" "$(cat $tracing/set_graph_function $([ -n "$how" ] || echo $tracing/current_tracer) | tr '\n' ' ' | sed 's/ $//')"
  echo > $tracing/set_graph_function
  echo nop > $tracing/current_tracer
  status 'a name that is none' 1 topo no_such_function
  has 'is reported' 'topo: no_such_function: there is no such file, and the kernel has no such function' $err
fi
[ -z "$topo_mounted" ] || umount /sys/kernel/tracing
