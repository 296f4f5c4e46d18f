# kprof on this kernel: a load whose kernel part is known, the histogram against the report, and perf's word on the same load.
. lib/check.sh
. lib/perf.sh
. lib/report.sh
: "${WORK:=$TESTS/../build/work}"
if ! "$PSUITE" kprof -t 0.1 >/dev/null 2>"$scratch/err"; then
  skip 'kprof -t 0.1' "$(cat "$scratch/err")"; finish
fi

# --- what it says of all CPUs. The kernel pauses the clock of an idle CPU whose tick is stopped, and its host may take a CPU away: what
# is not sampled idle time is held against the kernel's accounting, less what /proc/stat says was stolen, in ticks of 10 ms a CPU.
stolen_ms() { awk '$1 == "cpu" { print $9 * 10 }' /proc/stat; }
stolen=$(stolen_ms) begun=${EPOCHREALTIME/./}
status 'kprof -t 1 --json' 0 "$PSUITE" kprof -t 1 --json
most=$(((${EPOCHREALTIME/./} - begun) / 1000)) # the second ends when there is a CPU for its end
stolen=$(($(stolen_ms) - stolen))
cpus=$(nproc) ms=$(value "$scratch/out" "d['total_ms']") idle=$(value "$scratch/out" "d.get('idle_sampled_ms', 0)")
accounted=$(value "$scratch/out" "d.get('idle_ms', 0)")
all=$((ms - idle + accounted))
holds "kprof -t 1: busy time ($((ms - idle)) ms) and accounted idle time ($accounted ms) of $cpus CPUs in 1000 to $most ms, $stolen ms stolen" \
  "$all > 900 * $cpus - $stolen - 20 * $cpus && $all < 1.02 * $most * $cpus + 20 * $cpus"
holds "kprof -t 1: sampled idle time ($idle ms) is no more than accounted" "$idle <= 1.02 * $accounted + 20 * $cpus"
holds 'kprof -t 1: time inside and outside the kernel text is the total' \
  "$(value "$scratch/out" "abs(d['total_ms'] - d['in_kernel_text_ms'] - d['outside_kernel_text_ms'])") <= 1"
text 'kprof -t 1: text is the address of _text' "$(awk '$3 == "_text" { print "0x" $1; exit }' /proc/kallsyms)" "$(value "$scratch/out" "d['text']")"
text 'kprof -t 1: all rows are of the kernel and its modules' True \
  "$(value "$scratch/out" "all(r['module'][0] == '[' for r in d['rows'])")"

# --- a program of system calls
status 'kprof -x: exit status of the command' 3 "$PSUITE" kprof -x sh -c 'dd if=/dev/zero of=/dev/null bs=1 count=300000 2>/dev/null; exit 3'
has 'kprof -x: functions of a load of system calls' '	((ksys_|vfs_|__x64_sys_|__arm64_sys_|sys_)(read|write)|read_zero|write_null)$' "$scratch/err"
has 'kprof -x: the clock, the rate, samples and lost samples' '^perf cpu-clock, kernel mode, [0-9]+ Hz: [0-9]+ samples, [0-9]+ lost' "$scratch/err"
text 'kprof -x: status 127 if the command is not found' 127 "$("$PSUITE" kprof -x /no/such/command 2>/dev/null; echo $?)"
status 'kprof --callers' 0 "$PSUITE" kprof --callers -x sh -c 'dd if=/dev/zero of=/dev/null bs=1 count=300000 2>/dev/null'
has 'kprof --callers: chains reach the system call' 'do_syscall_64|el0_svc|vector_swi' "$scratch/err"

# --- the histogram says what the report says
status 'kprof --json -o: a histogram' 0 "$PSUITE" kprof --json -o "$scratch/kpdata" -x sh -c 'dd if=/dev/zero of=/dev/null bs=1 count=500000 2>/dev/null'
cp "$scratch/err" "$scratch/report"
cat /proc/kallsyms > "$scratch/kallsyms"
status 'kprof reads a saved kallsyms and the histogram' 0 "$PSUITE" kprof "$scratch/kallsyms" "$scratch/kpdata"
read -r _ total _ _ _ inside _ < <(head -1 "$scratch/out")
tail -n +4 "$scratch/out" | head -1 > "$scratch/first"
sed -n 1p "$scratch/report" > "$scratch/report.json"
text 'kprof of the histogram has the ticks of the report' "$(value "$scratch/report.json" "sum(r['samples'] for r in d['rows'] if r['module'] == '[kernel]')")" "$inside"
text 'kprof of the histogram has the first function of the report' "$(value "$scratch/report.json" "[r['name'] for r in d['rows'] if r['module'] == '[kernel]'][0]")" \
  "$(cut -f3 "$scratch/first")"

# --- recorded and read again
status 'kprof --record' 0 "$PSUITE" kprof -q --record "$scratch/recording" -x dd if=/dev/zero of=/dev/null bs=1 count=300000
status 'tprof reads a recording of kprof' 0 "$PSUITE" tprof "$scratch/recording"
has 'tprof of a recording of kprof has kernel functions' '^ *[0-9]+	.*[a-z_]+' "$scratch/out"

# --- an ordinary user
if [ "$(id -u)" = 0 ] && [ "$(cat /proc/sys/kernel/perf_event_paranoid)" -ge 1 ] && command -v setpriv >/dev/null; then
  open=$(mktemp -d /tmp/kprof.XXXXXX); trap 'rm -rf "$scratch" "$open"' EXIT
  chmod 755 "$open"; install -m 755 "$PSUITE" "$open/psuite"
  status 'kprof -t by an ordinary user is refused' 1 setpriv --reuid=65534 --regid=65534 --clear-groups "$open/psuite" kprof -t 0.1
  has 'kprof -t by an ordinary user prints a hint' '^kprof: hint: ' "$scratch/err"
else
  skip 'kprof -t by an ordinary user' 'not root, or everybody may sample'
fi

# --- perf on the same load, in turn: its top ten are ours, within the error of sampling and what runs of one sampler differ by.
# Where the timer's interrupt is let in (do_syscall_64, mostly) depends on how its period falls together with the loop's.
if ! perf record -q -a -e cpu-clock:k -o "$scratch/perf.data" true 2>/dev/null; then
  skip 'kprof compared with perf' 'no perf here'; finish
fi
load='dd if=/dev/zero of=/dev/null bs=1 count=1000000'
for run in 1 2 3 4; do
  perf_records "$scratch/perf.data" -e cpu-clock:k -F 4999 -- $load
  perf report -i "$scratch/perf.data" --stdio --comm dd --sort sym -g none 2>/dev/null |
    sed -nE 's/^ +([0-9.]+)% +\[k\] ([^ ]+).*/\1 \2/p' > "$scratch/perf.$run"
  "$PSUITE" kprof -F 4999 --by-process --json -x $load 2>&1 | grep '^{' > "$scratch/ours.$run"
done
python3 - "$scratch" > "$scratch/differ" <<'E'
import json, math, sys
RUNS = range(1, 5)
def of_perf(run):
    shares = {}
    for line in open(f'{sys.argv[1]}/perf.{run}'):
        share, name = line.split()
        shares[name] = shares.get(name, 0) + float(share)
    return shares
def of_ours(run):
    d = json.load(open(f'{sys.argv[1]}/ours.{run}'))
    dd = max((p for p in d['processes'] if p['name'] == 'dd'), key=lambda p: p['samples'])
    shares = {}
    for row in dd['rows']:
        shares[row['name']] = shares.get(row['name'], 0) + 100 * row['samples'] / dd['samples']
    return dd['samples'], shares
def mean(values): return sum(values) / len(values)
def spread(values): return max(values) - min(values)
perf, ours = [of_perf(r) for r in RUNS], [of_ours(r) for r in RUNS]
n = sum(samples for samples, _ in ours)
print('samples', n, 'names', len(perf[0]))
for name in sorted({n for r in perf for n in r}, key=lambda n: -sum(r.get(n, 0) for r in perf))[:10]:
    theirs, mine = [r.get(name, 0) for r in perf], [r.get(name, 0) for _, r in ours]
    p = mean(theirs) / 100
    allowed = spread(theirs) + spread(mine) + 500 * math.sqrt(2 * p * (1 - p) / n) + 1
    if abs(mean(theirs) - mean(mine)) > allowed:
        print('differs:', name, 'perf', theirs, 'kprof', mine)
E
read -r _ n _ names < "$scratch/differ"
holds "kprof compared with perf: enough samples (${n:=0})" "$n > 1000"
if [ "${names:-0}" = 0 ]; then skip 'kprof compared with perf: its top ten functions' 'perf names nothing'
else text "kprof compared with perf: its top ten functions" '' "$(grep differs "$scratch/differ")"; fi
finish
