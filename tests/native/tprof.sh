# tprof on this kernel: a workload that knows its answer, processes come and gone, and perf's word on the same programs.
. lib/check.sh
. lib/perf.sh
. lib/report.sh
. lib/cputime.sh
: "${WORK:=$TESTS/../build/work}"
if ! "$PSUITE" tprof -x true >/dev/null 2>"$scratch/err"; then
  skip 'sampling' "$(cat "$scratch/err")"; finish
fi

# --- the answer is known: three modules, two threads, 10,000 samples
for _ in 1 2 3; do # a hypervisor that does not say what it takes takes samples, and no time of the program's own clock
  status 'shares under tprof' 0 "$PSUITE" tprof -F 4999 --json -fo "$scratch/json" -x "$WORK/shares" 600
  read -r own_main _ own_one _ own_two _ < "$scratch/out"
  ms=$(value "$scratch/json" "d['total_ms']"); own_ms=$(awk 'NR == 1 { print $(NF - 1) }' "$scratch/out")
  awk "BEGIN { exit !(($ms / $own_ms - 1) ^ 2 >= 0.05 ^ 2) }" || break
done
holds 'at least 10000 samples' "$(value "$scratch/json" "d['samples']") >= 10000"
n=$(value "$scratch/json" "d['samples']")
near 'the main module' "$(share "$scratch/json" in_main)" "$own_main" "$(points "$own_main" "$n")"
near 'the first library' "$(share "$scratch/json" share_one)" "$own_one" "$(points "$own_one" "$n")"
near 'the second library' "$(share "$scratch/json" share_two)" "$own_two" "$(points "$own_two" "$n")"
holds "its time ($ms ms, $own_ms by its own clock) within 5%" "($ms / $own_ms - 1) ^ 2 < 0.05 ^ 2"
text 'nothing lost' 0 "$(value "$scratch/json" "d['lost']")"

status 'shares by thread' 0 "$PSUITE" tprof --threads --json -fo "$scratch/json" -x "$WORK/shares" 200
text 'its two threads by name' 'early late' \
  "$(value "$scratch/json" "' '.join(sorted(t['name'] for t in d['threads'] if t['samples'] > 20))")"
text 'late is in the second library only' '[0]' \
  "$(value "$scratch/json" "[sum(r['samples'] for t in d['threads'] if t['name'] == 'late' for r in t['rows'] if r['name'] in ('in_main', 'share_one'))]")"

# --- a process that runs already
"$WORK/shares" 100000 >/dev/null & pid=$!
status 'a running process, until ^C' 0 sampled_until $pid 300 "$PSUITE" tprof --json $pid # a script's background job ignores ^C
holds 'both its threads' "$(value "$scratch/out" "d['samples']") > 100"
text 'its program' "$(readlink -f "$WORK/shares")" "$(value "$scratch/out" "d['main_module']")"
holds 'all names found' "$(value "$scratch/out" "d['unresolved_pct']") < 2"
status 'for a time' 0 "$PSUITE" tprof -t 0.5 --json $pid
"$PSUITE" tprof $pid >"$scratch/end" 2>&1 & tprof=$!
ok 'it is sampled' until_ok samples_now $tprof $pid
has_worked() { [ "$(user_ms $pid)" -gt "$wanted" ]; }
wanted=$(($(user_ms $pid) + 200)); ok 'and works' until_ok has_worked
kill $pid; wait $pid 2>/dev/null; wait $tprof; text 'it ends with the process' 0 $?
has 'and reports' 'share_two' "$scratch/end"

# --- two, of which the second goes on alone
if "$PSUITE" tprof -E perf -x true >/dev/null 2>&1; then
  "$WORK/shares" 100000 >/dev/null & one=$!
  "$WORK/shares" 100000 >/dev/null & two=$!
  "$PSUITE" tprof -p $one --by-process --json -p $two > "$scratch/several" 2>&1 & tprof=$!
  for pid in $one $two; do
    ok 'each is sampled' until_ok samples_now $tprof $pid
    wanted=$(($(user_ms $pid) + 200)); ok 'and works' until_ok has_worked
  done
  kill $one; wait $one 2>/dev/null
  wanted=$(($(user_ms $two) + 500)) pid=$two; ok 'the second works on' until_ok has_worked
  ok 'and is still sampled' kill -0 $tprof
  kill $two; wait $two 2>/dev/null; wait $tprof; text 'the sampling ends with it' 0 $?
  text 'a table each' "$(printf '%s\n' $one $two | sort -n | paste -sd' ')" \
    "$(value "$scratch/several" "' '.join(map(str, sorted(p['pid'] for p in d['processes'])))")"
  holds 'of samples of both' "$(value "$scratch/several" "min(p['samples'] for p in d['processes'])") > 50"
else
  skip 'several processes' 'no perf events'
fi

# Of the 30 periods that a thread of churn works, half a one at its end gives no sample. How much of the time of such short threads
# is user time the kernel finds out by few ticks, so it is not more than all their CPU time.
"$WORK/churn" & pid=$!
status 'threads that come and go' 0 sampled_until $pid 2000 "$PSUITE" tprof -F 9973 --json $pid
all_ms=$(cpu_ms $pid)
kill $pid; wait $pid 2>/dev/null
ms=$(value "$scratch/out" "d['total_ms']") user_ms=$(value "$scratch/out" "d['user_ms']")
holds "all are counted ($ms of $user_ms ms)" "$ms >= $user_ms - $(user_ms_error "$user_ms") - $user_ms / 60"
holds "each once ($ms of $all_ms ms)" "$ms <= $all_ms + 20"

# --- a command
status 'its exit status' 7 "$PSUITE" tprof -x sh -c 'exit 7'
status 'killed by a signal' 137 "$PSUITE" tprof -x sh -c 'kill -9 $$'
status 'not found' 127 "$PSUITE" tprof -x /no/such/command
has 'named' '^tprof: /no/such/command: No such file or directory$' "$scratch/err"
status 'not executable' 126 "$PSUITE" tprof -x /etc/passwd
status 'what a command starts is sampled' 0 "$PSUITE" tprof --json -x sh -c '"$0" 100; true' "$WORK/shares"
holds 'by name' "$(share "$scratch/err" share_two) > 30"
status 'sampling ends, the command runs on' 3 "$PSUITE" tprof -t 0.1 -x sh -c 'sleep 0.5; echo ran on; exit 3'
has 'to its end' '^ran on$' "$scratch/out"
cp "$WORK/shares" "$scratch/gone"; cp "$WORK"/libshare_*.so "$scratch/"
status 'a program that deletes itself' 0 "$PSUITE" tprof --json -x sh -c 'LD_LIBRARY_PATH=$1 "$1/gone" 200 >/dev/null &
  for _ in $(seq 6000); do [ "$(cat /proc/$!/comm)" != gone ] || break; sleep 0.01; done; rm "$1/gone"; wait' sh "$scratch"
if [ "$(id -u)" = 0 ]; then holds 'still has its names' "$(share "$scratch/err" in_main) > 5"
else skip 'its names' 'only root may open a file that has no name left'; fi
cp "$WORK/shares" "$scratch/stripped"; cp "$WORK"/libshare_*.so "$scratch/"; strip "$scratch/stripped"
status 'a stripped program' 0 "$PSUITE" tprof --json -fo "$scratch/json" -x "$scratch/stripped" 100
holds 'goes by where its functions start' \
  "$(value "$scratch/json" "sum(r['samples'] for r in d['rows'] if r.get('start') and r['module'].endswith('/stripped'))") > 5"
status 'which is said' 0 "$PSUITE" tprof -fo "$scratch/report" -x "$scratch/stripped" 100
id=$(readelf -n "$scratch/stripped" | sed -n 's/.*Build ID: //p')
has 'by its name' '^tprof: [0-9.]+% of the samples are in functions without names; stripped: (libshare_[a-z.]*, )*stripped\b' "$scratch/err"
text 'with where its debug file would be' "tprof: hint: the debug file of stripped is looked for at
    /usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug" "$(tail -2 "$scratch/err")"
# Debian's dash is stripped, and exports nothing.
dash=$(readlink -f "$(command -v dash)") id=$(readelf -n "$(command -v dash)" | sed -n 's/.*Build ID: //p')
if grep -qsxE "(/usr)?${dash#/usr}" /var/lib/dpkg/info/dash.list && [ ! -e "/usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug" ]; then
  status 'a stripped program of a package' 0 "$PSUITE" tprof -fo "$scratch/report" -x \
    dash -c 'i=0; while [ $i -lt 500000 ]; do i=$((i + 1)); done'
  has 'goes with its debug package' '^tprof: hint: apt install (.* )?dash-dbgsym' "$scratch/err"
else
  skip 'a stripped program of a package' 'dash is of no Debian package, or its debug file is installed'
fi
mkdir -p "$scratch/root/$scratch" "$scratch/debug"
cp "$WORK/shares" "$scratch/root/$scratch/stripped"
status 'a stripped program, not so below the sysroot' 0 \
  "$PSUITE" tprof --sysroot "$scratch/root" --json -fo "$scratch/json" -x "$scratch/stripped" 100
holds 'has its names' "$(share "$scratch/json" in_main) > 5"
"$scratch/stripped" 100000 >/dev/null & pid=$!
until_ok grep -q '^stripped$' /proc/$pid/comm
status 'with its unstripped file as BINARY' 0 sampled_until $pid 200 "$PSUITE" tprof --json $pid "$WORK/shares"
holds 'has its names' "$(share "$scratch/out" in_main) > 5"
status 'with a BINARY of another build' 0 sampled_until $pid 200 "$PSUITE" tprof --json $pid "$WORK/burn"
has 'which is told' "^tprof: $WORK/burn is from another build \\(its build-id differs\\): not used$" "$scratch/err"
holds 'goes without' "$(share "$scratch/out" in_main) == 0"
kill $pid; wait $pid 2>/dev/null

# --- by source: the work of all three is one inlined function, in a header
status 'by inlined function' 0 "$PSUITE" tprof -i --json -fo "$scratch/json" -x "$WORK/shares" 100
holds 'the inlined one has it all' "$(share "$scratch/json" share_work) > 90"
status 'by line' 0 "$PSUITE" tprof -l -fo "$scratch/lines" -x "$WORK/shares" 100
has 'of the header' '^ *[0-9]+.*shares\.h:[0-9]+ \[libshare_two\.so\]$' "$scratch/lines"
status 'a function over its source' 0 "$PSUITE" tprof --annotate share_two -fo "$scratch/source" -x "$WORK/shares" 100
"$PSUITE" --version | grep -q ' libdwarf' && has 'is headed by its prototype' '^unsigned int share_two\(unsigned int x, int units\)$' "$scratch/source"
has 'the line that calls has the time' '^ *[0-9]+.[ 0-9]+\.[0-9].*return share_work\(x, units\);$' "$scratch/source"
status 'a function that is inlined everywhere' 0 "$PSUITE" tprof --annotate share_work -fo "$scratch/source" -x "$WORK/shares" 100
has 'is told as such' '^share_work \[.*shares\.h: [0-9]+ ms, [0-9]+ of them inlined into others$' "$scratch/source"
has 'its loop has the time' '^ *[0-9]+.[ 0-9]+\.[0-9].*[0-9]+  .*;$' "$scratch/source"
if command -v objdump >/dev/null; then
  status 'a stripped one over its code' 0 "$PSUITE" tprof --annotate share_two -fo "$scratch/code" -x \
    sh -c 'strip -g "$1/libshare_two.so"; LD_LIBRARY_PATH=$1 "$1/stripped" 100' sh "$scratch"
  has 'instructions have the time' '^ *[0-9]+.[ 0-9]+\.[0-9]. +[0-9a-f]+:' "$scratch/code"
fi
status 'a recording without call chains' 0 "$PSUITE" tprof -q --record "$scratch/flat.rec" -x "$WORK/shares" 100
for form in --callers --tree -g; do
  status "$form of it" 0 "$PSUITE" tprof $form "$scratch/flat.rec"
  has "$form: says that there are none" '^call chains: none in these samples \(recorded without -g\?\)$' "$scratch/out"
done
status 'its table' 0 "$PSUITE" tprof "$scratch/flat.rec"
hasnt 'needs none' 'call chains' "$scratch/out"
status 'chains by frame pointers' 0 "$PSUITE" tprof -g=fp -x "$WORK/shares" 100
hasnt 'are chains' 'none in these samples' "$scratch/err"
if command -v g++ >/dev/null; then
  cat > "$scratch/counts.cc" <<'CC'
namespace ns {
__attribute__((noinline)) long counts(long n, const int &by) { volatile long s = 0; while (n--) s += by; return s; }
}
int main(int argc, char **) { return ns::counts(50000000, argc) == 0; }
CC
  g++ -g -O1 -o "$scratch/counts" "$scratch/counts.cc"
  status 'a function of C++' 0 "$PSUITE" tprof --annotate 'ns::counts(long, int const&)' -fo "$scratch/source" -x "$scratch/counts"
  has 'is headed by its name' '^ns::counts\(long, int const&\) \[counts\]' "$scratch/source"
fi
status 'a function without samples' 1 "$PSUITE" tprof --annotate nowhere -x true
has 'is said so' '^tprof: nowhere: no samples in a function of this name$' "$scratch/err"

# --- an ordinary user, its own process
if [ "$(id -u)" = 0 ] && [ "$(cat /proc/sys/kernel/perf_event_paranoid)" -le 2 ] && command -v setpriv >/dev/null; then
  open=$(mktemp -d /tmp/tprof.XXXXXX); trap 'rm -rf "$scratch" "$open"' EXIT
  chmod 755 "$open"; install -m 755 "$PSUITE" "$WORK/shares" "$WORK"/libshare_*.so "$open"
  user="setpriv --reuid=65534 --regid=65534 --clear-groups env LD_LIBRARY_PATH=$open"
  status 'an ordinary user' 0 $user "$open/psuite" tprof --json -x "$open/shares" 100
  holds 'sees its own' "$(share "$scratch/err" share_two) > 30"
  status 'another user'"'"'s process is refused' 1 $user "$open/psuite" tprof -t 0.1 1
  has 'with the remedy' '^tprof: hint: ' "$scratch/err"
else
  skip 'as an ordinary user' 'not root, or perf_event_paranoid over 2'
fi

# --- perf on the same programs: the top ten within the error of two samplings
if ! perf record -q -e cpu-clock:u -o "$scratch/perf.data" true 2>/dev/null; then
  skip 'against perf' 'no perf here'; finish
fi
cat > "$scratch/q.sql" <<'Q'
create table t(a integer, b text);
with recursive n(i) as (select 1 union all select i + 1 from n where i < 300000) insert into t select i, hex(i * 7919 % 100003) from n;
select count(*) from (select b, count(*) c from t group by b order by c, b);
Q
seq 1 1200000 > "$scratch/text"
compare() { # compare NAME COMMAND...: rows with symbols; those of one name in several modules count together
  local name=$1; shift
  perf_records "$scratch/perf.data" -e cpu-clock:u -F 997 "$@"
  perf report -i "$scratch/perf.data" --stdio --sort sym -g none 2>/dev/null |
    sed -nE 's/^ +([0-9.]+)% +\[\.\] ([^ ]+).*/\1 \2/p' | grep -v ' 0x' > "$scratch/perf.rows"
  "$PSUITE" tprof --json -fo "$scratch/json" -x "$@" >/dev/null 2>&1
  value "$scratch/json" "chr(10).join(f\"{100 * r['samples'] / d['samples']:.2f} {r['name']}\" for r in d['rows'] if r['name'])" > "$scratch/our.rows"
  local n; n=$(value "$scratch/json" "d['samples']")
  # Where they are one function of two names, perf takes the longer one.
  sed -i 's/__memcpy_/__memmove_/' "$scratch/our.rows" "$scratch/perf.rows"
  awk -v n="$n" 'NR == FNR {ours[$2] += $1; next} !seen[$2]++ && i++ < 10 {
      sum += 0; e = 100 * sqrt(2 * ($1 / 100 * (1 - $1 / 100) + 1 / n) / n); d = $1 - ours[$2]
      if (d * d > (5 * e + 1) ^ 2) print $2, "perf", $1, "tprof", ours[$2] + 0 }' "$scratch/our.rows" "$scratch/perf.rows" > "$scratch/differ"
  if [ ! -s "$scratch/perf.rows" ]; then skip "$name as perf has it" 'perf names nothing in it'
  else text "$name: perf's top ten are ours, within sampling error" '' "$(cat "$scratch/differ")"; fi
}
compare shares "$WORK/shares" 200
command -v xz >/dev/null && compare xz xz -T1 -1 -k -c "$scratch/text"
command -v sqlite3 >/dev/null && compare sqlite3 sqlite3 :memory: ".read $scratch/q.sql"
compare python3 $python "$TESTS/work/modules.py" 60000
finish
