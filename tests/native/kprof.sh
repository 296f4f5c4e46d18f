# kprof on this kernel: a load whose kernel part is known, the histogram against the report, and perf's word on the same load.
. lib/check.sh
. lib/report.sh
: "${WORK:=$TESTS/../build/work}"
if ! "$PSUITE" kprof -t 0.1 >/dev/null 2>"$scratch/err"; then
  skip 'sampling the kernel' "$(cat "$scratch/err")"; finish
fi

# --- what it says of all CPUs
begun=${EPOCHREALTIME/./}
status 'the machine for a second' 0 "$PSUITE" kprof -t 1 --json
most=$(((${EPOCHREALTIME/./} - begun) / 1000)) # the second ends when there is a CPU for its end
cpus=$(nproc) ms=$(value "$scratch/out" "d['total_ms']")
holds "the time of $cpus CPUs in a second ($ms ms), stolen time apart" "$ms > 500 * $cpus && $ms < 1.02 * $most * $cpus"
holds 'inside and outside are the whole' \
  "$(value "$scratch/out" "abs(d['total_ms'] - d['in_kernel_text_ms'] - d['outside_kernel_text_ms'])") <= 1"
text 'the base is _text' "$(awk '$3 == "_text" { print "0x" $1; exit }' /proc/kallsyms)" "$(value "$scratch/out" "d['text']")"
text 'rows of the kernel and its modules alone' True \
  "$(value "$scratch/out" "all(r['module'][0] == '[' for r in d['rows'])")"

# --- a program of system calls
status 'its status' 3 "$PSUITE" kprof -x sh -c 'dd if=/dev/zero of=/dev/null bs=1 count=300000 2>/dev/null; exit 3'
has 'its functions' '	(ksys_|vfs_)(read|write)$' "$scratch/err"
has 'how it was measured' '^perf cpu-clock, kernel mode, [0-9]+ Hz: [0-9]+ samples, [0-9]+ lost' "$scratch/err"
text 'not found' 127 "$("$PSUITE" kprof -x /no/such/command 2>/dev/null; echo $?)"
status 'with chains' 0 "$PSUITE" kprof --callers -x sh -c 'dd if=/dev/zero of=/dev/null bs=1 count=300000 2>/dev/null'
has 'up to the system call' 'do_syscall_64|el0_svc|vector_swi' "$scratch/err"

# --- the histogram says what the report says
status 'a histogram' 0 "$PSUITE" kprof --json -o "$scratch/kpdata" -x sh -c 'dd if=/dev/zero of=/dev/null bs=1 count=500000 2>/dev/null'
cp "$scratch/err" "$scratch/report"
cat /proc/kallsyms > "$scratch/kallsyms"
status 'by a saved kallsyms' 0 "$PSUITE" kprof "$scratch/kallsyms" "$scratch/kpdata"
read -r _ total _ _ _ inside _ < <(head -1 "$scratch/out")
tail -n +4 "$scratch/out" | head -1 > "$scratch/first"
sed -n 1p "$scratch/report" > "$scratch/report.json"
text 'the same ticks in the kernel' "$(value "$scratch/report.json" "sum(r['samples'] for r in d['rows'] if r['module'] == '[kernel]')")" "$inside"
text 'the same function first' "$(value "$scratch/report.json" "[r['name'] for r in d['rows'] if r['module'] == '[kernel]'][0]")" \
  "$(cut -f3 "$scratch/first")"

# --- recorded and read again
status 'a recording' 0 "$PSUITE" kprof -q --record "$scratch/recording" -x dd if=/dev/zero of=/dev/null bs=1 count=300000
status 'tprof reads it' 0 "$PSUITE" tprof "$scratch/recording"
has 'kernel functions' '^ *[0-9]+	.*[a-z_]+' "$scratch/out"

# --- an ordinary user
if [ "$(id -u)" = 0 ] && [ "$(cat /proc/sys/kernel/perf_event_paranoid)" -ge 1 ] && command -v setpriv >/dev/null; then
  open=$(mktemp -d /tmp/kprof.XXXXXX); trap 'rm -rf "$scratch" "$open"' EXIT
  chmod 755 "$open"; install -m 755 "$PSUITE" "$open/psuite"
  status 'an ordinary user is refused' 1 setpriv --reuid=65534 --regid=65534 --clear-groups "$open/psuite" kprof -t 0.1
  has 'with the remedy' '^kprof: hint: ' "$scratch/err"
else
  skip 'an ordinary user' 'not root, or everybody may sample'
fi

# --- perf on the same load: its top ten are ours, within the error of two samplings
if ! perf record -q -a -e cpu-clock:k -o "$scratch/perf.data" true 2>/dev/null; then
  skip 'against perf' 'no perf here'; finish
fi
perf record -q -e cpu-clock:k -F 4999 -o "$scratch/perf.data" -- dd if=/dev/zero of=/dev/null bs=1 count=3000000 2>/dev/null
perf report -i "$scratch/perf.data" --stdio --comm dd --sort sym -g none 2>/dev/null |
  sed -nE 's/^ +([0-9.]+)% +\[k\] ([^ ]+).*/\1 \2/p' > "$scratch/perf.rows"
"$PSUITE" kprof -F 4999 -p --json -x dd if=/dev/zero of=/dev/null bs=1 count=3000000 2>"$scratch/all"
grep '^{' "$scratch/all" > "$scratch/json"
dd="max((p for p in d['processes'] if p['name'] == 'dd'), key=lambda p: p['samples'])"
value "$scratch/json" "(lambda p: chr(10).join(f\"{100 * r['samples'] / p['samples']:.2f} {r['name']}\" for r in p['rows']))($dd)" > "$scratch/our.rows"
n=$(value "$scratch/json" "$dd['samples']")
holds "samples enough ($n)" "$n > 1000"
awk -v n="$n" 'NR == FNR { ours[$2] += $1; next } i++ < 10 {
    e = 100 * sqrt(2 * ($1 / 100 * (1 - $1 / 100) + 1 / n) / n); d = $1 - ours[$2]
    if (d * d > (5 * e + 1) ^ 2) print $2, "perf", $1, "kprof", ours[$2] + 0 }' "$scratch/our.rows" "$scratch/perf.rows" > "$scratch/differ"
if [ ! -s "$scratch/perf.rows" ]; then skip 'as perf has it' 'perf names nothing'
else text "perf's top ten are ours, within sampling error" '' "$(cat "$scratch/differ")"; fi
finish
