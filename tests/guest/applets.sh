# applets.sh: each applet by its link and its default options, on a board with little memory, a cut-down kernel, or without a file
# system that an ordinary one has. What the board lacks is refused with a message that names it, nothing crashes, and nothing is
# killed because memory ran out. board.sh runs it.
#   /test/config    the options of the kernel
#   PMU=1           this kernel has a driver for the board's PMU
#   WITHOUT=THING   proc, sys or dev is unmounted first; tracefs: nothing can be mounted where it is usually; writing: the root is
#                   read-only, and there is no /tmp
#   RUNS=N          each applet is run so often (1); if more than once, for less time
#   LAST=SECONDS    after so long no run begins, which fails: what the others cost is printed all the same
# Besides the checks it prints lines for ../soak/boards.awk:
#   cell|WHAT|works, or what the board lacks, or FAILED
#   cost|WHAT|PEAK_RSS_KB|KB_LESS_AVAILABLE|CPU_MS|RUNS|KB_AVAILABLE    the largest of all runs, and the least available memory
. /test/checks.sh
part_file=applets.sh
# When memory runs out, the kernel is not to kill this shell, which reports it.
proc=/proc
echo -1000 > $proc/$$/oom_score_adj
become() { echo 0 > $proc/self/oom_score_adj; exec "$@"; }
killable() { (become "$@"); }
by=killable
own=/test/own # a file system in memory for what this script writes
mkdir -p $own
mount -t tmpfs own $own
out=$own/out err=$own/err
links=/usr/lib/psuite/bin
if [ ! -d $links ]; then # ./dev image has made them
  mkdir -p $links
  ok 'psuite --install' psuite --install -s $links
fi
for applet in $(psuite --list); do
  text "$applet by its link" "$links/$applet" "$(which "$applet")"
  ok "$applet --version" "$links/$applet" --version
done
echo "board|$(uname -rm), $(grep -c ^processor /proc/cpuinfo) CPUs, $(awk '/^Mem(Total|Available)/ { printf "%s %d MB ", $1, $2 / 1024 }' /proc/meminfo)"

case ${WITHOUT:-} in
  proc) mkdir -p /elsewhere && mount -o move /proc /elsewhere && proc=/elsewhere ;;
  sys) umount -l /sys ;;
  dev) umount -l /dev ;;
  tracefs) mount -t tmpfs none /sys/kernel/tracing && mount -t tmpfs none /sys/kernel/debug ;;
  writing) umount /tmp; mount -o remount,ro / ;;
esac

# lacks THING...: the first of these options of the kernel, and file systems, that this board lacks
lacks() {
  local thing
  for thing; do
    case $thing in
      /*) [ "/${WITHOUT:-}" != "$thing" ] || { echo "$thing"; return; } ;;
      *) grep -q "^CONFIG_$thing=[ym]" /test/config || { echo "$thing"; return; } ;;
    esac
  done
}
memory_kb() { # available
  while read -r key kb _; do [ "$key" != MemAvailable: ] || { echo "$kb"; return; }; done < $proc/meminfo
}
# watch_memory LEAST: each that is less, behind the others in a file, until it is killed: perhaps while it writes
watch_memory() {
  local least=$1 now
  while :; do
    now=$(memory_kb)
    [ "$now" -ge $least ] || { least=$now; echo "$least" >> $own/least; }
    sleep 0.2
  done
}
# peak_and_times: peak RSS in bytes, user and system time in ns, with a | between, of what psuite time wrote
peak_and_times() {
  awk '
    function value(key) { return match($0, "\"" key "\":[0-9]+") ? substr($0, RSTART + length(key) + 3, RLENGTH - length(key) - 3) : "" }
    { printf "%s|%s|%s", value("peak_rss_bytes"), value("user_ns"), value("system_ns") }' $own/time
}
# measured WHAT COMMAND...: runs it, and notes what it cost
measured() {
  local what=$1 watcher status; shift
  rm -f $own/time; before=$(memory_kb)
  echo "$before" > $own/least
  watch_memory "$before" & watcher=$!
  (become psuite time --json -f -o $own/time "$@")
  status=$?
  kill $watcher
  wait $watcher 2>/dev/null
  while read -r least; do taken=$((before - least)); done < $own/least
  echo "$what|$(peak_and_times)|$taken|$((before - taken))" >> $own/costs
  return $status
}
# cell WHAT LACKS APPLET ARGUMENT...: it must succeed, or, if the board lacks something, say so with status 1
cell() {
  local column=$1 missing=$2 name=$3 failed_before=$failed; shift 3
  by="measured $(under_scores $column)"
  if [ -z "$missing" ]; then
    ok "$column" $links/$name "$@"
  else
    status "$column is refused" 1 $links/$name "$@"
    has "$column: why" "^(psuite )?$name: .*$(words_of "$missing")" $err
  fi
  by=killable
  holds "$column: it takes $taken KB of $before" "$taken <= $before / 2"
  [ $failed = $failed_before ] || missing=FAILED
  echo "cell|$column|${missing:-works}" >> $own/cells
  [ "${missing:-works}" = works ]
}
under_scores() { (IFS=_; echo "$*"); }
words_of() { case $1 in /*) echo "$1" ;; *) echo "CONFIG_$1" ;; esac; }

turns=5000 t=1
[ "${RUNS:-1}" = 1 ] || turns=2000 t=0.3
spin="i=0; while [ \$i -lt $turns ]; do i=\$((i + 1)); done"
each_applet() {
  cell doctor '' doctor && has 'its kernel' "^kernel +$(uname -r) |^time " $out
  [ -z "$PMU" ] || { ok 'doctor -v' $links/doctor -v; has 'a PMU with cycles' '^PMU +armv[78][a-z0-9_]*: cycles' $out; }
  cell time '' time sh -c "$spin" && has 'the times' '^ *[0-9.]+u [0-9.]+s [0-9.]+r|real' $err
  cell 'tprof -x' '' tprof -x sh -c "$spin" && has 'its samples' '^total: [1-9]' $err
  cell 'tprof -E ptrace -x' "$(lacks /proc)" tprof -E ptrace -x sh -c "$spin" && has 'its samples' '^total: [1-9]' $err
  become sh -c "while :; do $spin; done" & busy=$!
  cell 'tprof PID' "$(lacks /proc)" tprof -t $t $busy && has 'its samples' '^total: [1-9]' $out
  cell 'tprof -a' "$(lacks PERF_EVENTS)" tprof -a -t $t && has 'its samples' '^total: [1-9]' $out
  cell 'tprof -a -k -g' "$(lacks PERF_EVENTS)" tprof -a -k -g -t $t && has 'its samples' '^[0-9.]+ m?s, [1-9][0-9]* samples' $out
  cell kprof "$(lacks KALLSYMS PERF_EVENTS /proc)" kprof -t $t && has 'its samples' '^total: [1-9]' $out
  cell trace "$(lacks FTRACE /proc)" trace -s $t && has 'the CPUs' '^ +[0-9]+ +[0-9.]+% ' $out
  kill $busy
  wait $busy 2>/dev/null
  cell 'trace -x' "$(lacks FTRACE /proc)" trace -x sh -c "$spin" && has 'a CPU' '^ +[0-9]+ +[0-9.]+% ' $err
  if cell snap "$(lacks UNIX /proc)" snap -q -f -t $t -o $own/snap; then
    ok 'its report' $links/snap $own/snap
    has 'its statistics' '^stats: +[1-9]' $out
  fi
  cell stats "$(lacks /proc)" stats --once && has 'the memory' '^mem +[0-9.]+[kMG]B ' $out
  cell iostats "$(lacks /proc)" iostats cat /test/checks.sh && file_read
  cell 'iostats -b fuse' "$(lacks /proc UNIX FUSE_FS)" iostats -b fuse cat /test/checks.sh && file_read
  cell 'iostats -b 9p' "$(lacks /proc UNIX 9P_FS)" iostats -b 9p cat /test/checks.sh && file_read
  cell 'iostats -b ptrace' "$(lacks /proc)" iostats -b ptrace cat /test/checks.sh && file_read
  cell ns '' ns cat '#c/sysname' && text 'the name' "$(hostname)" "$(cat $out)"
  mkdir -p $own/n
  if cell bind "$(lacks UNIX FUSE_FS)" bind '#c' $own/n; then
    read -r name < $own/n/sysname # not cat, which would use sendfile: BUGS of psuite-bind(1)
    text 'a file of it' "$(hostname)" "$name"
    cell unbind "$(lacks /proc)" unbind $own/n || umount -l $own/n
  fi
  export_and_ns "$(lacks UNIX)"
  kallsyms=$(awk '$3 == "vfs_read" && $1 !~ /^0+$/ { print $1; exit }' $proc/kallsyms 2>/dev/null)
  cell 'sym -k' "$(lacks KALLSYMS /proc)" sym -k "${kallsyms:-0x1000}" && text 'its function' vfs_read+0x0 "$(cat $out)"
  for program in prof_basic prof_basic-so; do
    rm -rf $own/prof && mkdir $own/prof
    ok "$program" sh -c "cd $own/prof && LD_LIBRARY_PATH=$work $work/$program" # without /proc, the loader knows no \$ORIGIN
    cell "prof${program#prof_basic}" '' prof $own/prof/prof.* && [ "$WITHOUT" != proc ] && has 'a function of it' '	main$' $out
  done
}
file_read() { # what iostats cat /test/checks.sh left
  has 'the file' ' /test/checks.sh$' $err
  if cmp -s $out /test/checks.sh; then pass 'its bytes'; else fail 'its bytes'; fi
}
export_and_ns() { # export_and_ns LACKS
  if [ -n "$1" ]; then cell export "$1" export "unix!$own/served"; return; fi
  become $links/export "unix!$own/served" 2>$err & served=$!
  for i in 1 2 3 4 5 6 7 8 9 10; do [ ! -S $own/served ] || break; sleep 1; done
  cell 'export' '' ns -n "unix!$own/served" cat /dev/sysname && text 'the name' "$(hostname)" "$(cat $out)"
  kill $served
  wait $served 2>/dev/null
}
run=0
while [ $run -lt ${RUNS:-1} ] && [ $(seconds) -lt ${LAST:-100000} ]; do
  : > $own/cells
  each_applet
  run=$((run + 1))
  [ ${RUNS:-1} = 1 ] || echo "run $run: $(seconds) s, $failed failed, $(dmesg | grep -c "Out of memory") killed"
done
text 'every run was made' "${RUNS:-1}" "$run"
cat $own/cells
awk -F'|' '
  !($1 in runs) { order[++n] = $1 }
  { runs[$1]++; cpu = ($3 + $4) / 1e6; kb = $2 / 1024 }
  kb > rss[$1] { rss[$1] = kb }
  $5 > less[$1] { less[$1] = $5 }
  !($1 in lowest) || $6 < lowest[$1] { lowest[$1] = $6 }
  cpu > most[$1] { most[$1] = cpu }
  END { for (i = 1; i <= n; i++) { w = order[i]; name = w; gsub("_", " ", name); printf "cost|%s|%d|%d|%d|%d|%d\n", name, rss[w], less[w], most[w], runs[w], lowest[w] } }' $own/costs
dmesg | grep -iE 'out of memory|oom-kill|invoked oom' > $own/killed
text 'nothing was killed because memory ran out' '' "$(cat $own/killed)"
finish
