# The sampler on this kernel, record by record (tests/tools/linux/sampledump.c): whom, which part, chains, events, refusals.
. lib/check.sh
. lib/tracefs.sh
. lib/cputime.sh
: "${WORK:=$TESTS/../build/work}"
dump=$WORK/../tests/sampledump
[ "$(id -u)" = 0 ] || { skip 'the sampler' 'all CPUs and the kernel are for root'; finish; }
"$dump" -s true >/dev/null 2>"$scratch/err" || { skip 'the sampler' "$(cat "$scratch/err")"; finish; }

number() { grep -Eo "(^| )$1=[0-9]+" "${2:-$scratch/out}" | head -1 | cut -d= -f2; }
# between WHAT VALUE LOW HIGH
between() { holds "$1: $2 ($3 to $4)" "$2 >= $3 && $2 <= $4"; }
samples_of() { awk -v pid="$1" '$1 == "sample" && $2 == pid' "$scratch/out" | wc -l; }

# --- everything that runs: two loads on a CPU each, one of them half as long, while a command starts and awaits them
cat > "$scratch/two" <<'S'
last=$(($(nproc) - 1))
taskset -c 0 "$1/burn" 2000 & echo $! > "$2/one"
taskset -c "$last" "$1/burn" 1000 & echo $! > "$2/two"
wait
S
# nearest FILE PID MS BEFORE: of its samples and BEFORE what is nearer to MS
nearest() { awk "BEGIN { a = $(samples_of "$1"); b = $3; print (a - $2) ^ 2 < (b - $2) ^ 2 ? a : b }"; }
# works WHAT SAMPLES MS: within 5%, and the error of the user time that burn itself goes by
low() { echo $(($1 * 95 / 100 - $(user_ms_error "$1"))); }
high() { echo $(($1 * 105 / 100 + $(user_ms_error "$1"))); }
works() { between "$1" "$2" "$(low "$3")" "$(high "$3")"; }
is_near() { [ "$1" -ge "$(low "$2")" ] && [ "$1" -le "$(high "$2")" ]; }
ones=0 twos=0
for _ in 1 2 3; do # a hypervisor that does not say what it takes takes samples, and no time of burn's
  status 'all CPUs' 0 "$dump" -a sh "$scratch/two" "$WORK" "$scratch"
  one=$(cat "$scratch/one") two=$(cat "$scratch/two")
  ones=$(nearest "$one" 2000 $ones) twos=$(nearest "$two" 1000 $twos)
  ! is_near "$ones" 2000 || ! is_near "$twos" 1000 || break
done
works 'one load of 2000 ms' "$ones" 2000
works 'the other, of 1000 ms' "$twos" 1000
if [ "$(nproc)" -gt 1 ]; then
  # From its fork to taskset's call a process may be anywhere: less than 100 ms.
  text 'each on its own CPU' "0 $(($(nproc) - 1))" "$(awk -v one="$one" -v two="$two" '$1 == "sample" && $2 == one { a[$5]++ } $1 == "sample" && $2 == two { b[$5]++ }
    END { for (c in a) if (a[c] > 100) x = x substr(c, 5); for (c in b) if (b[c] > 100) y = y substr(c, 5); print x, y }' "$scratch/out")"
fi
hasnt 'user mode only' '^sample .* kernel ' "$scratch/out"
has 'who comes is told' '^mmap .*/libc' "$scratch/out"
has 'and who goes' '^exit ' "$scratch/out"

# --- idle: with the kernel it is pid 0. The kernel stops the clock of a CPU that sleeps: of a quiet machine little is sampled.
status 'idle is sampled with the kernel' 0 "$dump" -a -k -t 1
# sampled_periods: of the last output all samples, and how many periods are between the first and the last
sampled_periods() {
  awk '$1 == "sample" { n++; if (!first || $4 < first) first = $4; if ($4 > last) last = $4 }
    END { printf "%d %d\n", n, (last - first) / 1e9 * 997 }' "$scratch/out"
}
read -r all periods < <(sampled_periods)
between 'CPUs are sampled all of the time at most' "$all" 1 "$((periods * $(nproc) * 11 / 10))"
# A CPU that sleeps all the while has no samples: each has something to do.
busy=()
for cpu in $(seq 0 $(($(nproc) - 1))); do taskset -c "$cpu" sh -c 'while :; do :; done' 2>/dev/null & busy+=($!); done
status 'busy CPUs are sampled' 0 "$dump" -a -k -t 1
kill "${busy[@]}"; wait "${busy[@]}" 2>/dev/null
text 'all of them' "$(nproc)" "$(awk '$1 == "sample" && !cpus[$5]++ { n++ } END { print n + 0 }' "$scratch/out")"
read -r all periods < <(sampled_periods)
# Some hypervisors do not say what they take: of one second it was two thirds, with 619 samples.
between 'and nearly all of their time, except what a hypervisor takes' "$all" "$((periods * $(nproc) / 10))" "$((periods * $(nproc) * 11 / 10))"

# --- losses: a burst of page faults into a ring of a page that nobody reads meanwhile, and silence. No record follows that would
# report what was lost.
if [ "$(uname -r | cut -d. -f1)" -lt 6 ]; then skip 'losses at the end' 'the kernel does not count them (Linux 6.0)'; else
  # It stops itself: a fault after the ring was read would report the losses.
  mkfifo "$scratch/go" "$scratch/ready"
  is_stopped() { grep -q '^State:.T' "/proc/$1/status"; }
  python3 -c 'import mmap, os, signal, sys
m = mmap.mmap(-1, 20000 * 4096)
m.madvise(15) # no huge pages
open(sys.argv[2], "w").close()
open(sys.argv[1]).read()
for i in range(20000): m[i * 4096] = 1
os.kill(os.getpid(), signal.SIGSTOP)' "$scratch/go" "$scratch/ready" & faulting=$!
  timeout 60 cat "$scratch/ready" # it is about to wait
  "$dump" -s -B 4096 -e page-faults:u -t 5 -p $faulting > "$scratch/out" 2> "$scratch/err" & dumping=$!
  ok 'it is sampled' until_ok samples_now $dumping $faulting
  kill -STOP $dumping
  timeout 60 sh -c ': > "$0"' "$scratch/go"
  ok 'all pages were touched' until_ok is_stopped $faulting
  kill -CONT $dumping
  wait $dumping
  kill -KILL $faulting; wait $faulting 2>/dev/null
  between 'samples of 20000 page faults, and those lost' "$(($(number user) + $(number lost_in_all)))" 20000 22000
  holds "of which the records report less ($(number lost) of $(number lost_in_all))" "$(number lost) < $(number lost_in_all)"
fi

# --- slices of stack: the kernel reserves 64 KB of a ring for each, so that a ring of 16 MB holds 256. A thread empties the rings
# while nothing is read, as when psuite reads the tables of a large file.
if [ "$(awk '/^MemAvailable:/ { print $2 }' /proc/meminfo)" -lt 2000000 ]; then skip 'late reading' 'memory is short'; else
  status 'a second and a half at 2000 Hz, read at its end' 0 "$dump" -s -S -l -F 2000 "$WORK/burn" 1500
  taken=$(number user) lost=$(number lost_in_all)
  holds "$taken samples are taken, $lost lost" "$taken > 5 * 256 && $lost < $taken"
fi

# --- parts
status 'a program that asks the kernel, user mode' 0 "$dump" -s "$WORK/asks" 300
text 'has no kernel samples' 0 "$(number kernel)"
user=$(number user)
for _ in 1 2 3; do # what a hypervisor takes has no samples
  status 'with the kernel' 0 "$dump" -k "$WORK/asks" 300
  all=$(grep -c '^sample ' "$scratch/out") kernel=$(grep -c '^sample .* kernel ' "$scratch/out")
  [ "$all" -lt 270 ] || break
done
# asks ends by its CPU time, which kernels may count without that of timer interrupts: a seventh more where one takes 143 us.
read -r all periods < <(sampled_periods)
between 'all of its time, none of it twice' "$all" 270 "$((periods * 11 / 10))"
holds "more in the kernel ($kernel) than the few that leave it out would have ($user)" "$kernel > 100 && $user < 250"
status 'the kernel only' 0 "$dump" -u -s "$WORK/asks" 300
text 'has no user samples' 0 "$(number user)"
holds 'but kernel ones' "$(number kernel) > 100"
status 'the part behind the name' 0 "$dump" -k -s -e cpu-clock:u "$WORK/asks" 300
text 'outranks the one beside it' 0 "$(number kernel)"

# --- chains: leaf < branch < trunk < main, by where the program is linked
status 'chains' 0 "$dump" -c "$WORK/chains" 300
nm -n "$WORK/chains" > "$scratch/symbols"
python3 - "$scratch/symbols" "$scratch/out" > "$scratch/chains" <<'P'
import bisect, sys
rows = [line.split() for line in open(sys.argv[1])]
text = [(int(row[0], 16), row[2]) for row in rows if row[1] in 'tT']
starts = [start for start, _ in text]
def name(address):
    if address > 0x1000000:
        return 'elsewhere'
    return text[bisect.bisect_right(starts, address) - 1][1]
for line in open(sys.argv[2]):
    words = line.split()
    if words[0] == 'sample':
        print(' '.join(w if w.endswith(':') else name(int(w, 16)) for w in words[8:]))
P
all=$(grep -c '^u: leaf ' "$scratch/chains") whole=$(grep -c '^u: leaf branch trunk main elsewhere' "$scratch/chains")
holds "of $all chains of leaf $whole go to main and its caller" "$all > 100 && $whole > 0.9 * $all"
status 'chains of the kernel' 0 "$dump" -kc "$WORK/asks" 200
has 'go on in user mode' '^sample .* kernel .* k: .* u: ' "$scratch/out"
status 'chains without the kernel' 0 "$dump" -c "$WORK/asks" 200
hasnt 'hold none of it' ' k:' "$scratch/out"

# --- events: what the kernel does itself is sampled each time
status 'page faults' 0 "$dump" -s -e page-faults "$WORK/touch_pages" 1000
between 'each one' "$(number user)" 1000 1300
text 'weighs one' "$(number user)" "$(number weight)"
if in_tracefs test -e $tracefs/events/sched/sched_switch/id; then
  cat > "$scratch/switches.py" <<'P'
import resource, subprocess, sys
for _ in range(3):
    subprocess.run(['sleep', '0.01'])
of = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
open(sys.argv[1], 'w').write(str(sum(u.ru_nvcsw + u.ru_nivcsw for u in of)))
P
  status 'a tracepoint' 0 "$dump" -s -e sched:sched_switch python3 "$scratch/switches.py" "$scratch/switches"
  switches=$(cat "$scratch/switches") # as the kernel counts them, with those before exec and without those at the end
  holds "$switches switches: at least its sleeps" "$switches >= 6"
  between 'each switch, in the kernel' "$(number kernel)" $((switches / 2)) $((switches + 10))
  (for _ in $(seq 100); do sleep 0.01; done) & sleepers=$! # a quiet machine switches ten times a second
  status 'and on all CPUs' 0 "$dump" -a -s -e sched:sched_switch -t 0.5
  kill $sleepers; wait $sleepers 2>/dev/null
  holds 'more of them' "$(number kernel) > 20"
  status 'no such tracepoint' 1 in_tracefs "$dump" -e sched:nothing true
  has 'is named' '^sampledump: sched:nothing: no such tracepoint$' "$scratch/err"
  has 'with where they are' '^sampledump: hint: tracepoints are the directories .*/events/GROUP/NAME' "$scratch/err"
else
  skip 'tracepoints' 'this kernel has no tracepoints, or nothing may be mounted'
fi

# --- refusals tell what to do
status 'no such event' 1 "$dump" -e nonsense true
has 'is named' '^sampledump: nonsense: no such event$' "$scratch/err"
has 'with those there are' '^sampledump: hint: use cpu-clock, cycles, page-faults' "$scratch/err"
status 'a modifier that is none' 1 "$dump" -e cycles:pp true
has 'is told' "only .:u' or .:k' may follow" "$scratch/err"
status 'no such PMU' 1 "$dump" -e nopmu/cycles/ true
has 'is named, too' '^sampledump: nopmu: no such PMU$' "$scratch/err"
if ! perf stat -e cycles true 2>&1 | grep -qE '^ +[0-9,.]+ +cycles'; then
  status 'cycles without a counter' 1 "$dump" -e cycles true
  has 'are not supported' '^sampledump: cycles: Operation not supported$' "$scratch/err"
  has 'and what is' '^sampledump: hint: .*use cpu-clock$' "$scratch/err"
fi
status 'by ptrace what it cannot' 1 "$dump" -P -k true
has 'is told' '^sampledump: hint: ' "$scratch/err"
if [ "$(cat /proc/sys/kernel/perf_event_paranoid)" -ge 1 ] && command -v setpriv >/dev/null; then
  open=$(mktemp -d /tmp/sample.XXXXXX); trap 'rm -rf "$scratch" "$open"' EXIT
  chmod 755 "$open"; cp "$dump" "$open/sampledump"
  user="setpriv --reuid=65534 --regid=65534 --clear-groups $open/sampledump"
  status 'all CPUs as an ordinary user' 1 $user -a -t 0.1
  has 'are refused' '^sampledump: sampling all CPUs by cpu-clock: (Permission denied|Operation not permitted)$' "$scratch/err"
  has 'with the remedy' 'sysctl kernel.perf_event_paranoid=0' "$scratch/err"
fi

# --- many threads
"$WORK/crowd" 2000 > "$scratch/crowd" & pid=$!
until [ -s "$scratch/crowd" ] || ! kill -0 $pid 2>/dev/null; do sleep 0.1; done
if [ -s "$scratch/crowd" ]; then
  if [ "$(ulimit -Hn)" -gt $((2010 * $(nproc))) ]; then
    status 'a process of 2000 threads' 0 "$dump" -s -p $pid -t 0.5
    holds 'is sampled' "$(number user) > 50"
  fi
  if [ "$(id -u)" = 0 ]; then
    status 'with too few descriptors, by events of all CPUs' 0 bash -c "ulimit -n 64; exec $dump -s -p $pid -t 0.5"
    holds 'it is sampled' "$(number user) > 20"
  fi
else
  skip 'a process of 2000 threads' 'it cannot be started'
fi
kill $pid 2>/dev/null; wait $pid 2>/dev/null
finish
