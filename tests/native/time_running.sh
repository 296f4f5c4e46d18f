# time -p and time -a: known work of processes that run already is counted, all of it, once; beside perf stat on the same work.
. "$(dirname "$0")/../lib/check.sh"
: "${WORK:=$TESTS/../build/work}"
export PSUITE scratch
here=$(cd "$(dirname "$0")" && pwd)
events=page-faults,context-switches,task-clock
t() { "$PSUITE" time "$@"; }
own=$([ "$(id -u)" = 0 ] && echo yes) # may count the kernel's part, and the machine
if ! "$PSUITE" time -p $$ -cpage-faults -t 0.01 2>"$scratch/err" || ! grep -q '^page-faults  *[0-9]' "$scratch/err"; then
  skip "running processes" "perf events are not permitted"
  finish
  exit
fi

# worker N: a process that works on demand, $pid; do_work N WORD ARGUMENT: it does that, and has done it when this returns
mkfifo "$scratch/to1" "$scratch/from1" "$scratch/to2" "$scratch/from2"
start_worker() {
  python3 "$here/time_running.py" <"$scratch/to$1" >"$scratch/from$1" & pid=$!
  if [ "$1" = 1 ]; then exec 5>"$scratch/to1" 6<"$scratch/from1"; read -r _ <&6; else exec 7>"$scratch/to2" 8<"$scratch/from2"; read -r _ <&8; fi
}
do_work() { local _; if [ "$1" = 1 ]; then echo "$2 $3" >&5; read -r _ <&6; else echo "$2 $3" >&7; read -r _ <&8; fi; }

# begin ARGUMENT...: time with a first interval printed, so that it counts; end_count: its totals are in $scratch/totals
# A shell's background job starts with SIGINT ignored: env takes the default back.
begin() { rm -f "$scratch/report"; env --default-signal=INT "$PSUITE" time -I 100ms -c$events -o "$scratch/report" "$@" & counter=$!; until_ok test -s "$scratch/report"; }
end_count() { kill -"${1:-INT}" $counter; wait $counter; ended=$?; sed '1,/real time$/d' "$scratch/report" >"$scratch/totals"; }
total() { sed -n "s/^$1  *\([0-9][0-9]*\).*/\1/p" "${2:-$scratch/totals}"; }
near() { holds "$1 ($2 and $3)" "$2 >= $3 * (1 - $4) - $5 && $2 <= $3 * (1 + $4) + $5"; } # near WHAT A B SHARE AMOUNT
intervals() { awk -v name="$1" '$2 == name { s += $3 } END { printf "%.0f\n", s }' "$scratch/report"; }

start_worker 1; first=$pid
start_worker 2; second=$pid

# --- one process, its threads, and what it starts ---
begin -p $first
do_work 1 touch 3000; do_work 1 thread 4000; do_work 1 fork 5000; do_work 1 old 2000
end_count
text "^C: the exit status" 0 $ended
near "threads of before, a later one and a child are counted, once" "$(total page-faults)" 20000 0 600
text "the intervals add up to the totals" "$(total page-faults)" "$(intervals page-faults)"
has "its threads are counted" "^process $first, at first 5 threads: " "$scratch/report"
begin -p $first
do_work 2 touch 5000
end_count TERM
text "SIGTERM: the exit status" 0 $ended
holds "another process is not counted" "$(total page-faults) < 100"
begin -p $first,$second
do_work 1 touch 3000; do_work 2 touch 4000; do_work 2 thread 1000
end_count
near "two processes are counted together" "$(total page-faults)" 8000 0 300

# --- beside perf stat ---
# its counts are lines `TIME,COUNT,,EVENT,...'
perf_total() { awk -F, -v name="$1" '$4 ~ "^" name { s += $2 } END { printf "%.0f\n", s }' "$scratch/perf"; }
begin_perf() { rm -f "$scratch/perf"; perf stat -x, -I 100 -e $events -o "$scratch/perf" "$@" & perf=$!; until_ok grep -q page-faults "$scratch/perf"; }
end_perf() { kill -INT $perf; wait $perf; } 2>/dev/null
if command -v perf >/dev/null && perf stat -e page-faults true 2>/dev/null; then
  begin -p $first
  begin_perf -p $first
  do_work 1 touch 20000; do_work 1 spin 0.5; do_work 1 nap 300
  end_perf
  end_count
  near "perf stat -p: page-faults" "$(total page-faults)" "$(perf_total page-faults)" 0.01 50
  near "perf stat -p: context-switches" "$(total context-switches)" "$(perf_total context-switches)" 0.03 20
  near "perf stat -p: task-clock" "$(total task-clock)" "$(awk "BEGIN { printf \"%.0f\", $(perf_total task-clock) * 1e6 }")" 0.03 5e6
  holds "perf stat -p: all of it was counted" "$(total page-faults) >= 20000 && $(total task-clock) > 0.5e9"
  [ -z "$own" ] || holds "a context switch for each sleep" "$(total context-switches) >= 300"
else
  skip "perf stat -p" "no perf"
fi

# --- a process that ends ---
mkfifo "$scratch/go"
sh -c 'read -r _ <"$0"; exec "$1" 400' "$scratch/go" "$WORK/burn" & burn=$!
begin -p $burn
echo go >"$scratch/go"
wait $counter; text "a process that ends" 0 $?
has "is reported" "^process $burn, at first 1 thread: [0-9]+\.[0-9]{3} s real time$" "$scratch/report"
sed '1,/real time$/d' "$scratch/report" >"$scratch/totals"
holds "with what it did until then ($(total task-clock) ns)" "$(total task-clock) > 0.39e9 && $(total task-clock) < 2e9"
wait $burn
status "it is gone" 1 t -p $burn -ctask-clock
text "which is an error" "time: process $burn: No such process" "$(cat "$scratch/err")"
(exit 0) & gone=$!; sleep 0.1
status "so is one of two" 1 t -p $first,99999999 -t 1 -cpage-faults
text "with its number" 'time: process 99999999: No such process' "$(cat "$scratch/err")"

status "an event that virtual machines do not have" 0 t -p $first -ccycles -t 0.1
has "has the threads, whether or not it is counted" "^process $first, at first 5 threads: " "$scratch/err"

# --- limits ---
few() { (ulimit -n 10; "$PSUITE" time "$@"); }
status "fewer descriptors than counters" 1 few -p $first -cpage-faults,minor-faults,major-faults,context-switches,cpu-clock -t 0.1
has "is an error" "^time: counting process $first: Too many open files$" "$scratch/err"
has "with the remedy" "^time: hint: .* one descriptor per event and thread.*raise .ulimit -n'" "$scratch/err"
soft() { (ulimit -S -n 10; "$PSUITE" time "$@"); }
status "a soft limit is raised" 0 soft -p $first -cpage-faults,minor-faults,major-faults,context-switches,cpu-clock -t 0.1

# --- the machine ---
cpus=$(getconf _NPROCESSORS_ONLN)
if [ -n "$own" ] && t -a -cpage-faults -t 0.01 2>/dev/null; then
  command -v perf >/dev/null && begin_perf -a
  begin -a
  do_work 1 touch 20000; do_work 2 fork 20000
  end_count
  has "all CPUs" "^$cpus CPUs?: " "$scratch/report"
  holds "the machine: page faults of all processes" "$(total page-faults) >= 40000"
  if command -v perf >/dev/null; then
    end_perf # it began before, and ends after: it has all that time has
    holds "perf stat -a: page-faults ($(total page-faults), $(perf_total page-faults))" "$(total page-faults) <= $(perf_total page-faults)"
    holds "perf stat -a: context-switches ($(total context-switches), $(perf_total context-switches))" \
      "$(total context-switches) <= $(perf_total context-switches)"
  else
    skip "perf stat -a" "no perf"
  fi
  for try in 1 2 3 4 5; do # it may be stopped between the beginnings of two CPUs
    status "the machine for a time" 0 t -a -ctask-clock -t 0.5 --csv
    clocks=$(awk -F, '/task-clock/ { print $4 }' "$scratch/err")
    wanted=$(awk -F, -v cpus="$cpus" '/task-clock/ { printf "%.0f", $2 * 1e9 * cpus }' "$scratch/err")
    awk "BEGIN { exit !(($clocks - $wanted) ^ 2 > (0.02 * $wanted) ^ 2) }" || break
  done
  near "the clocks of all CPUs" "$clocks" "$wanted" 0.02 0
else
  skip "the machine" "counting it is not permitted"
fi
status "-t ends it" 0 t -p $first -t 0.3 -cpage-faults --json
holds "after that time" "$(sed -n 's/.*"real_ns":\([0-9]*\).*/\1/p' "$scratch/err") >= 0.3e9"

# --- an ordinary user ---
if [ -n "$own" ] && command -v setpriv >/dev/null; then
  user() { setpriv --reuid 65534 --regid 65534 --clear-groups "$@"; }
  level=$(cat /proc/sys/kernel/perf_event_paranoid)
  chmod 711 "$scratch"; cp "$PSUITE" "$scratch/psuite"
  status "another user's process" 1 user "$scratch/psuite" time -p $first -t 0.1
  has "is refused" "^time: counting process $first: Permission denied$" "$scratch/err"
  has "with the remedy" '^time: hint: .*(run as root|sysctl)' "$scratch/err"
  if [ "$level" -gt 0 ]; then
    status "the machine is refused, too" 1 user "$scratch/psuite" time -a -t 0.1
    has "and what would allow it" "kernel.perf_event_paranoid is $level: as root, .sysctl kernel.perf_event_paranoid=0'" "$scratch/err"
  else
    skip "the machine is refused" "kernel.perf_event_paranoid is $level"
  fi
  if [ "$level" -le 2 ]; then
    setpriv --reuid 65534 --regid 65534 --clear-groups sleep 200 & sleeping=$!
    until_ok grep -q sleep /proc/$sleeping/comm
    status "an own process" 0 user "$scratch/psuite" time -p $sleeping -ctask-clock,page-faults -t 0.1
    has "is counted" '^task-clock  *[0-9]' "$scratch/err"
    kill $sleeping
  else
    skip "an own process" "kernel.perf_event_paranoid is $level"
  fi
else
  skip "an ordinary user" "not root, or no setpriv"
fi
exec 5>&- 7>&-
finish
