# Sampling by ptrace on this kernel: known shares, threads and children, system calls that must not feel it, signals, ends.
. lib/check.sh
. lib/report.sh
. lib/cputime.sh
. lib/need.sh
: "${WORK:=$TESTS/../build/work}"
ptrace=$(dirname "$PSUITE")/psuite-ptrace
export PTRACE_COUNTS=$scratch/counts
if ! "$ptrace" tprof -x true >/dev/null 2>"$scratch/err"; then
  skip 'ptrace' "$(cat "$scratch/err")"; finish
fi
counts() { awk -v k="$1" '$1 == k { print $2 }' "$scratch/counts"; }
state() { awk '/^State:/ { print $2 }' "/proc/$1/status"; }

# The tracer may be ahead of CPU time by what the longest tick stands for, 100 ms, and 8 ms.
ahead_ms=108
# A look after a late tick stands for many: as many samples of one have the same variance of a share.
samples_alike() { awk '{ n[$1] = $2 } END { printf "%d", n["weights"] ^ 2 / n["weight_squares"] }' "$scratch/counts"; }

# --- the answer is known, on idle CPUs and on busy ones
known() { # known WHAT SAMPLED OWN: shares of user time
  near "$1" "$2" "$3" "$(points "$3" "$alike")"
}
# own_shares FILE: what `shares' printed there, as shares of user time. Its threads' own clocks count kernel mode, too, which beside
# other work is at times an eighth: they split a thread's time, and the kernel's user time splits the process's.
own_shares() {
  awk 'NR == 1 { main = $1; one = $3 } NR == 2 { all = $4 + $6
    printf "%.2f %.2f %.2f\n", 100 * $4 / all * main / (main + one), 100 * $4 / all * one / (main + one), 100 * $6 / all }' "$1"
}
own_time() { # own_time THREAD MS: its samples are its user time, which has steps of 10 ms
  local ms; ms=$(value "$scratch/json" "sum(t['time_ms'] for t in d['threads'] if t['name'] == '$1')")
  holds "the time of thread $1 ($ms ms, $2 of user time)" "$2 > 0 && ($ms - $2) ^ 2 <= ($ahead_ms + 20) ^ 2"
}
for beside in none other; do
  busy=()
  [ $beside = none ] || for _ in $(seq "$(nproc)"); do "$WORK/burn" 100000 & busy+=($!); done
  status "shares under ptrace, $beside beside" 0 "$ptrace" tprof --json -fo "$scratch/json" -x "$WORK/shares" 500 0
  read -r own_main own_one own_two < <(own_shares "$scratch/out")
  alike=$(samples_alike)
  known 'the main module' "$(share "$scratch/json" in_main)" "$own_main"
  known 'the first library' "$(share "$scratch/json" share_one)" "$own_one"
  known 'the second library' "$(share "$scratch/json" share_two)" "$own_two"
  ms=$(value "$scratch/json" "d['total_ms']") user_ms=$(value "$scratch/json" "d['user_ms']")
  holds "its time ($ms ms, $user_ms of user time)" "$user_ms > 0 && ($ms - $user_ms) ^ 2 <= $ahead_ms ^ 2"
  text 'nothing lost' 0 "$(value "$scratch/json" "d['lost']")"

  # Kernel mode outside of system calls, here by page faults: each thread has its own user time, not that of the other.
  status "threads with page faults, $beside beside" 0 "$ptrace" tprof --threads --json -fo "$scratch/json" -x "$WORK/shares" 200 2500
  read -r _ _ _ early_ms _ late_ms < <(tail -n 1 "$scratch/out")
  own_time early "$early_ms"
  own_time late "$late_ms"

  "$WORK/churn" & pid=$!
  status 'threads that come and go' 0 sampled_until $pid 1000 "$ptrace" tprof --json $pid
  kill $pid; wait $pid 2>/dev/null
  ms=$(value "$scratch/out" "d['total_ms']") user_ms=$(value "$scratch/out" "d['user_ms']") # in steps of 10 ms at both ends
  holds "counted by their user time ($ms of $user_ms ms)" "($ms - $user_ms) ^ 2 <= ($ahead_ms + 20) ^ 2"
  [ $beside = none ] || { kill "${busy[@]}"; wait "${busy[@]}" 2>/dev/null; }
done
# CPU time that appears at once, as when the tracer could not run, is sampled: none is forgotten.
"$ptrace" tprof --json -fo "$scratch/json" -x "$WORK/burn" 2500 >/dev/null 2>"$scratch/err" & tracer=$!
sleep 0.7; for _ in 1 2; do kill -STOP $tracer; sleep 0.6; kill -CONT $tracer; sleep 0.3; done
wait $tracer; text 'a tracer that was stopped twice' 0 $?
ms=$(value "$scratch/json" "d['total_ms']") user_ms=$(value "$scratch/json" "d['user_ms']")
holds "has all of the time ($ms ms, $user_ms of user time)" "($ms - $user_ms) ^ 2 <= $ahead_ms ^ 2"
text 'how it was measured' ptrace "$(value "$scratch/json" "d['method'].split(',')[0]")"
status 'by thread' 0 "$ptrace" tprof --threads --json -fo "$scratch/json" -x "$WORK/shares" 200
text 'both by name' 'early late' \
  "$(value "$scratch/json" "' '.join(sorted(t['name'] for t in d['threads'] if t['samples'] > 20))")"
PTRACE_WANT=c status 'with call chains the same' 0 "$ptrace" tprof --json -fo "$scratch/json" -x "$WORK/shares" 100
alike=$(samples_alike)
known 'share_two has its half' "$(share "$scratch/json" share_two)" 50

# --- chains by call frame information: registers and a slice of stack, as perf events have them
# whole WHAT LEAST_SAMPLES COMMAND...: beside other work the reader, which unwinds, waits for a CPU, and samples that do not fit into
# the buffer meanwhile are lost, and counted.
whole() {
  local what=$1 least=$2 c; shift 2
  "$ptrace" tprof -g -q -F 997 --json -fo "$scratch/json" -x "$@" >/dev/null 2>"$scratch/err"
  c=$(value "$scratch/json" "'%d %.2f %d' % (d['chains']['unwound'], 100 * d['chains']['whole'] / d['chains']['unwound'], d['lost'])")
  read -r n share lost <<<"$c"
  holds "$what: ${n:=0} chains, ${share:=0}% whole, ${lost:=1} lost, a look of $(look_us) us" "$n >= $least && $share >= ${reach:-99} && $lost <= $n / 5" ||
    value "$scratch/json" "d['chains']['broken'][:4]"
}
look_us() { echo $(($(counts look_ns) / 1000 / $(counts looks))); }
cat >"$scratch/busy.py" <<'P'
import json, re, sys, time
def hashes(n):
    return sum(hash(str(i)) % 7 for i in range(n))
end = time.process_time() + float(sys.argv[1])
while time.process_time() < end:
    hashes(20000), json.loads(json.dumps({str(i): [i] * 3 for i in range(5000)}))
    sorted(re.findall(r'\d+', 'a1b2' * 3000), key=lambda s: -int(s))
P
need xz=xz-utils g++
case $(uname -m) in
x86_64 | aarch64)
  ok 'a C++ program builds' g++ -O2 -pthread -o "$scratch/throws" work/throws.cc
  whole 'xz' 100 xz -T2 -0 -k -c "$PSUITE"
  whole 'python3' 100 $python "$scratch/busy.py" 1
  reach=98 whole 'exceptions and threads' 100 "$scratch/throws" 600 # as by perf events
  whole 'an exec, of a program with libraries as large' 100 sh -c 'ulimit -St 1; i=0; while [ $i -lt 150000 ]; do i=$((i + 1)); done; exec "$0"' "$WORK/churn"
  whole 'forty execs, with chains through libraries that are mapped after each' 100 "$WORK/reexec" 40
  holds 'a look is short' "$(look_us) < 1000"
  status 'by the option' 0 "$PSUITE" tprof -E ptrace -g -q -F 997 -fo "$scratch/report" -o folded:"$scratch/folded" -x "$WORK/chains_bare" 500
  share=$(awk '{ n += $NF } /^_start;.*main;trunk;branch;leaf / { w += $NF } END { print n ? 100 * w / n : 0 }' "$scratch/folded")
  holds "its chain is that of $share%" "$share >= 95"
  has 'how it was measured' '; ptrace, user mode$' "$scratch/report"
  status 'deeper than the slice' 0 "$PSUITE" tprof -E ptrace -g -q -F 997 -fo "$scratch/report" -x "$WORK/chain_kinds" deep 300
  has 'is told' '^ *[0-9.]+%  stack slice too short, in chain_kinds$' "$scratch/report" ;;
*) skip 'chains without frame pointers' "not on $(uname -m)" ;;
esac

status 'what a command starts' 0 "$ptrace" tprof --json -x sh -c "$WORK/shares 100; $WORK/burn 200 & wait"
holds 'is sampled' "$(share "$scratch/err" share_two) > 20 && $(share "$scratch/err" burn) > 2" # a late look stands for up to 100 ms of its 200
holds 'its modules are known' "$(value "$scratch/err" "d['unresolved_pct']") < 3"

# --- none of its system calls feels it
asked=0 taken_back=0 gone_on=0
: > "$scratch/said"
for _ in 1 2 3 4 5; do # a tracer that waits for a CPU looks less often
  status 'system calls under ptrace' 0 "$ptrace" tprof -x "$WORK/undisturbed" 4
  cat "$scratch/out" >> "$scratch/said"
  asked=$((asked + $(counts asked))) taken_back=$((taken_back + $(counts again))) gone_on=$((gone_on + $(counts rest)))
  [ $asked -le 1500 ] || [ $((taken_back + gone_on)) = 0 ] || break
done
text 'return no EINTR, nothing wrong or early' '0 0 0' \
  "$(awk '{ e += $3; w += $4; s += $5 } END { print e, w, s }' "$scratch/said")"
holds 'in thousands of looks' "$asked > 1500"
holds "some of which came in a call ($taken_back EINTR taken back, $gone_on writes gone on)" "$taken_back + $gone_on > 0"
status 'signals with and without handlers' 0 "$ptrace" tprof -x "$WORK/handled" 4
text 'the same as without' 'ok' "$(cat "$scratch/out")"

# --- ends
status 'its exit status' 7 "$ptrace" tprof -x sh -c 'exit 7'
status 'killed by a signal' 137 "$ptrace" tprof -x sh -c 'kill -9 $$'
status 'not found' 127 "$ptrace" tprof -x /no/such/command
status 'sampling ends, the command runs on' 3 "$ptrace" tprof -t 0.1 -x sh -c 'sleep 0.5; echo ran on; exit 3'
has 'to its end' '^ran on$' "$scratch/out"
stopped() { [[ $(state $pid) = [Tt] ]]; }
goes_on() { ! stopped; }
works() { [ "$(user_ms $pid)" -gt "$before" ]; }
"$WORK/shares" 100000 >/dev/null & pid=$!
status 'a running process, until ^C' 0 sampled_until $pid 1000 "$ptrace" tprof --json $pid
holds 'both its threads' "$(value "$scratch/out" "d['samples']") > 100"
status 'for a time' 0 "$ptrace" tprof -t 0.5 $pid
"$ptrace" tprof -t 600 $pid >/dev/null 2>&1 & tracer=$!
ok 'it is traced' until_ok samples_now $tracer $pid
status 'a second tracer is refused' 1 "$ptrace" tprof -t 0.1 $pid
has 'and told by whom' '^tprof: hint: process [0-9]+ already traces it' "$scratch/err"
kill -STOP $pid; ok 'it stops' until_ok stopped
sleep 0.2; text 'and stays stopped' T "$(state $pid | tr t T)"
kill -CONT $pid; ok 'and goes on' until_ok goes_on
kill -9 $tracer; wait $tracer 2>/dev/null
text 'our death lets it run: no tracer' 0 "$(awk '/^TracerPid/ { print $2 }' /proc/$pid/status)"
ok 'not stopped' until_ok goes_on
before=$(user_ms $pid); ok 'working' until_ok works
"$ptrace" tprof $pid >"$scratch/end" 2>&1 & tracer=$!
ok 'it is traced again' until_ok samples_now $tracer $pid
before=$(($(user_ms $pid) + 200)); ok 'and works' until_ok works
kill $pid; wait $pid 2>/dev/null; wait $tracer; text 'it ends with the process' 0 $?
has 'and reports' 'share_two' "$scratch/end"

# --- what it cannot do
status 'no such process' 1 "$ptrace" tprof 999999
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
  open=$(mktemp -d /tmp/ptrace.XXXXXX); trap 'rm -rf "$scratch" "$open"' EXIT
  chmod 755 "$open"; cp "$ptrace" "$WORK/burn" "$open"
  user='setpriv --reuid=65534 --regid=65534 --clear-groups env -u PTRACE_COUNTS'
  status 'an ordinary user' 0 $user "$open/psuite-ptrace" tprof --json -x "$open/burn" 200
  holds 'sees its own' "$(share "$scratch/err" burn) > 50"
  status "another user's process" 1 $user "$open/psuite-ptrace" tprof -t 0.1 $$
  has 'is refused with the remedy' "^tprof: hint: it belongs to user 0:" "$scratch/err"
else
  skip 'as an ordinary user' 'not root'
fi
finish
