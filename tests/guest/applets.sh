# applets.sh: each applet by its link and its default options, on a board with little memory or a cut-down kernel. What its
# kernel lacks is refused with a reason, nothing crashes, and nothing is killed because memory ran out. board.sh runs it.
# PMU=1: this kernel has a driver for the board's PMU.
. /test/checks.sh
part_file=applets.sh
# When memory runs out, the kernel is not to kill this shell, which reports it.
echo -1000 > /proc/$$/oom_score_adj
become() { echo 0 > /proc/self/oom_score_adj; exec "$@"; }
killable() { (become "$@"); }
by=killable
links=/usr/lib/psuite/bin
if [ ! -d $links ]; then # ./dev image has made them
  mkdir -p $links
  ok 'psuite --install' psuite --install -s $links
fi
for applet in $(psuite --list); do
  text "$applet by its link" "$links/$applet" "$(which "$applet")"
  ok "$applet --version" "$links/$applet" --version
done

filesystem() { modprobe "$1" 2>/dev/null; grep -q "	$1\$" /proc/filesystems && echo here; }
perf=$([ ! -e /proc/sys/kernel/perf_event_paranoid ] || echo here)
tracefs=$(filesystem tracefs) fuse=$(filesystem fuse)
# here FEATURE WHAT APPLET ARGUMENT...: APPLET must succeed where FEATURE is `here', and elsewhere refuse with status 1
here() {
  feature=$1 title=$2 name=$3; shift 3
  if [ -n "$feature" ]; then ok "$title" "$links/$name" "$@"; return; fi
  status "$title is refused" 1 "$links/$name" "$@"
  has "$title: why" "^(psuite )?$name: .+: .+" $err
}
spin='i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done'

echo "$(uname -rm), $(grep -c ^processor /proc/cpuinfo) CPUs, $(awk '/^Mem(Total|Available)/ { printf "%s %d MB ", $1, $2 / 1024 }' /proc/meminfo)"
ok 'doctor' $links/doctor
has 'its kernel' "^kernel +$(uname -r) |^time " $out
[ -z "$PMU" ] || { ok 'doctor -v' $links/doctor -v; has 'a PMU with cycles' '^PMU +armv[78][a-z0-9_]*: cycles' $out; }
ok 'time' $links/time sh -c "$spin"
has 'the times' '^ *[0-9.]+u [0-9.]+s [0-9.]+r|real' $err
ok 'tprof of a command' $links/tprof -x sh -c "$spin"
has 'its samples' '^total: [1-9]' $err
become sh -c "while :; do $spin; done" & busy=$!
ok 'tprof of a process' $links/tprof -t 1 $busy
has 'its samples' '^total: [1-9]' $out
here "$perf" 'tprof -a' tprof -a -t 2
here "$perf" 'tprof -a -k -g' tprof -a -k -g -t 2
here "$perf" 'kprof' kprof -t 2
here "$tracefs" 'trace' trace -s 2
kill $busy
wait $busy 2>/dev/null
here "$tracefs" 'trace of a command' trace -x sh -c "$spin"
ok 'stats' $links/stats --once
has 'the memory' '^mem +[0-9.]+[kMG]B ' $out
echo hello > /tmp/some
ok 'iostats' $links/iostats cat /tmp/some
has 'the file' ' /tmp/some$' $err
ok 'ns' $links/ns ls '#c'
ok 'ns of a file' $links/ns cat '#c/sysname'
mkdir -p /tmp/n
here "$fuse" 'bind' bind '#c' /tmp/n
if [ -n "$fuse" ]; then
  text 'a file of it' "$(psuite ns cat '#c/sysname')" "$(cat /tmp/n/sysname)"
  ok 'unbind' $links/unbind /tmp/n
fi
become $links/export unix!/tmp/served 2>$err & served=$!
for i in 1 2 3 4 5 6 7 8 9 10; do [ ! -S /tmp/served ] || break; sleep 1; done
ok 'export, and ns of it' $links/ns -n unix!/tmp/served cat /dev/sysname
kill $served
wait $served 2>/dev/null
kallsyms=$(awk '$3 == "vfs_read" && $1 !~ /^0+$/ { print $1; exit }' /proc/kallsyms)
ok 'sym of the kernel' $links/sym -k "$kallsyms"
text 'its function' vfs_read+0x0 "$(cat $out)"
for program in prof_basic prof_basic-so; do
  [ -x $work/$program ] || continue
  rm -rf /tmp/prof && mkdir /tmp/prof
  ok "$program" sh -c "cd /tmp/prof && $work/$program"
  ok "prof of $program" $links/prof /tmp/prof/prof.*
  has 'a function of it' '	main$' $out
done
dmesg | grep -iE 'out of memory|oom-kill|invoked oom' > /tmp/killed
text 'nothing was killed because memory ran out' '' "$(cat /tmp/killed)"
finish
