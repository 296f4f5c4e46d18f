# tprof of everything that runs here, of the kernel, with call chains, and its recordings: killed, piped, into a full disk.
. lib/check.sh
. lib/report.sh
. lib/cputime.sh
: "${WORK:=$TESTS/../build/work}"
if ! "$PSUITE" tprof -a -k -t 0.1 >/dev/null 2>"$scratch/err"; then
  skip 'sampling everything' "$(cat "$scratch/err")"; finish
fi
size() { wc -c < "$1" | tr -d ' '; }
samples_of() { sed -nE 's/.*[:,] ([0-9]+) samples.*/\1/p' "$1" | head -1; }
started=()
start() { "$@" >/dev/null 2>&1 & started+=($!); last=$!; }
stop() { for pid in "${started[@]}"; do kill "$pid" 2>/dev/null; wait "$pid" 2>/dev/null; done; started=(); }
trap 'stop; rm -rf "$scratch"' EXIT

# --- all processes: two that are busy, as much as their own clocks say
two() {
  "$WORK/shares" 200 > "$scratch/shares" & shares=$!
  "$WORK/burn" 1000 & burn=$!
  wait $shares $burn
}
process() { value "$scratch/out" "sum(p['time_ms'] for p in d['processes'] if p['pid'] == $1)"; }
# What stops a virtual machine is time by a program's own clock, and no sample sees it: each is tried until it was right once.
shares_right=0 burn_right=0
for try in 1 2 3 4 5; do
  status 'everything, by process' 0 sampled_while two 0 "$PSUITE" tprof -a --by-process --json
  [ $shares_right = 1 ] || { ms=$(process "$shares") own_ms=$(awk 'NR == 1 { print $(NF - 1) }' "$scratch/shares"); }
  [ $burn_right = 1 ] || burn_ms=$(process "$burn")
  read -r shares_right burn_right < <(awk "BEGIN { print (($ms / $own_ms - 1) ^ 2 < 0.05 ^ 2), (($burn_ms - 1000) ^ 2 <= (0.05 * 1000 + $(user_ms_error 1000)) ^ 2) }")
  [ "$shares_right$burn_right" != 11 ] || break
done
holds "shares: $ms ms, $own_ms by its own clock" "$shares_right"
holds "burn: $burn_ms ms of at least 1000" "$burn_right"
text 'by name' shares "$(value "$scratch/out" "[p['name'] for p in d['processes'] if p['pid'] == $shares][0]")"
holds 'functions of all' "$(value "$scratch/out" "sum(r['samples'] for p in d['processes'] if p['pid'] == $shares for r in p['rows'] if r['name'] in ('in_main', 'share_one', 'share_two')) / sum(p['samples'] for p in d['processes'] if p['pid'] == $shares)") > 0.95"
start "$WORK/shares" 1000000
status 'everything, one table' 0 "$PSUITE" tprof -a -t 1
has 'a row says whose it is' 'share_two \[libshare_two\.so\]$' "$scratch/out"
has 'how it was measured' '^perf cpu-clock, user mode, [0-9]+ Hz: [0-9]+ samples, [0-9]+ lost, [0-9.]+% unresolved' "$scratch/out"

# --- in a PID namespace, where the others have no number
if unshare -pf --mount-proc true 2>/dev/null; then
  status 'in a PID namespace' 0 unshare -pf --mount-proc sh -c '"$1" 100000 & "$2" tprof -a -k --by-process --json -t 2; s=$?; kill $!; exit $s' \
    sh "$WORK/burn" "$PSUITE"
  cp "$scratch/out" "$scratch/json"
  outside="[p for p in d['processes'] if p['name'] == '(outside this PID namespace)']"
  text 'what runs outside' 'None once' "$(value "$scratch/json" "'%s %s' % ($outside[0]['pid'], 'once' if len($outside) == 1 else 'often')")"
  holds 'has samples' "$(value "$scratch/json" "$outside[0]['samples']") > 10"
  text 'and is not the idle task' 0 "$(value "$scratch/json" "len([p for p in d['processes'] if p['pid'] == 0 or 'idle' in p['name']])")"
  holds 'what runs inside has its name' "$(value "$scratch/json" "sum(p['samples'] for p in d['processes'] if p['name'] == 'burn')") > 10"
else
  skip 'in a PID namespace' 'no namespace of our own'
fi
stop

# --- the kernel
status 'a loop of system calls' 0 "$PSUITE" tprof -k --json -fo "$scratch/json" -x "$WORK/asks" 700
kernel=$(value "$scratch/json" "round(100 * sum(r['samples'] for r in d['rows'] if r['module'] == '[kernel]') / d['samples'], 1)")
holds "is in the kernel for the most ($kernel%)" "$kernel > 40"
if [ "$(awk '$1 !~ /^0+$/ {print; exit}' /proc/kallsyms)" ]; then
  holds 'by name' "$(value "$scratch/json" "sum(r['samples'] for r in d['rows'] if r['module'] == '[kernel]' and r['name']) / sum(r['samples'] for r in d['rows'] if r['module'] == '[kernel]')") > 0.95"
else
  skip 'its functions by name' '/proc/kallsyms: the kernel hides its addresses'
fi
status 'without -k' 0 "$PSUITE" tprof --json -fo "$scratch/json" -x "$WORK/asks" 300
text 'nothing of the kernel' 0 "$(value "$scratch/json" "sum(r['samples'] for r in d['rows'] if r['module'] == '[kernel]')")"
status 'events of the kernel' 0 "$PSUITE" tprof -e context-switches --json -fo "$scratch/json" -x sh -c 'sleep 0.02; sleep 0.02; sleep 0.02'
holds 'are counted without -k, too' "$(value "$scratch/json" "d['samples']") >= 3"
status 'events, without a clock' 0 "$PSUITE" tprof -e page-faults -fo "$scratch/faults" -x "$WORK/touch_pages" 2000
has 'are a count' '^ count +% +sym$' "$scratch/faults"

# --- chains: from the leaf to main by frame pointers, to _start by call frame information. chain_of CHAIN FILE: its share of the samples in
# the program's own functions, not in its start
chain_of() { awk -v chain="$1 [0-9]+\$" '/(^|;)(main|trunk|branch|leaf|.no symbol.) [0-9]+$/ { n += $NF; if ($0 ~ chain) w += $NF } END { print (n ? 100 * w / n : 0) }' "$2"; }
status 'chains by frame pointers' 0 "$PSUITE" tprof -gfp -q -o folded:"$scratch/folded.fp" -x "$WORK/chains" 500
whole=$(chain_of '(^|;)main;trunk;branch;leaf' "$scratch/folded.fp")
holds "main;trunk;branch;leaf are the chain of $whole%" "$whole > 90"
status 'chains' 0 "$PSUITE" tprof -g --record "$scratch/chains" -o folded:"$scratch/folded" -o "$scratch/report" -x "$WORK/chains" 1000
whole=$(chain_of '^_start;.*;main;trunk;branch;leaf' "$scratch/folded")
holds "_start;...;main;trunk;branch;leaf are the chain of $whole%" "$whole > 90"
awk '$NF !~ /^[0-9]+$/' "$scratch/folded" > "$scratch/odd"
text 'every line is a chain and a number' '' "$(cat "$scratch/odd")"
share() { awk -v f="$1" -v c="$2" '$5 == f {print $c}' "$scratch/report"; }
holds "leaf has it all itself ($(share leaf 2)%)" "$(share leaf 2) > 80"
holds "main all with what it calls ($(share main 4)%), none itself ($(share main 2)%)" "$(share main 4) > 80 && $(share main 2) < 10"
status 'around one' 0 "$PSUITE" tprof --around branch "$scratch/chains"
has 'called by trunk' '<- trunk' "$scratch/out"
has 'calls leaf' '-> leaf' "$scratch/out"

# --- recordings: how long, and the same report
status 'thousands of samples' 0 "$PSUITE" tprof -F 4999 --record "$scratch/flat" -o "$scratch/live" -x "$WORK/shares" 700
n=$(samples_of "$scratch/live") bytes=$(size "$scratch/flat")
holds "$bytes bytes of $n samples: $(awk "BEGIN {printf \"%.1f\", $bytes / $n}") a sample, at most 24" "$n > 1000 && $bytes <= 24 * $n"
status 'its report' 0 "$PSUITE" tprof "$scratch/flat"
same 'is the live one' "$scratch/live" "$scratch/out"
"$PSUITE" tprof --record - -x "$WORK/shares" 300 2>"$scratch/live.err" | cat > "$scratch/piped"
grep -v '^[0-9.]* shares ' "$scratch/live.err" > "$scratch/live" # its own words go there, too
status 'through a pipe' 0 "$PSUITE" tprof "$scratch/piped"
same 'the same report' "$scratch/live" "$scratch/out"
"$PSUITE" tprof -a -k -t 1 --record - 2>"$scratch/live" | cat > "$scratch/piped"
status 'everything through a pipe' 0 "$PSUITE" tprof "$scratch/piped"
text 'as many samples' "$(samples_of "$scratch/live")" "$(samples_of "$scratch/out")"
text 'in the same time' "$(head -1 "$scratch/live")" "$(head -1 "$scratch/out")"
"$PSUITE" tprof -a -t 1 --record "$scratch/file" -q; n=$(size "$scratch/file")
holds 'a quiet second of everything is short' "$n < 200000"
status 'the command'"'"'s output is not in the recording' 0 sh -c "'$PSUITE' tprof -q --record - -x echo spoken > '$scratch/apart'"
text 'it is on standard error' spoken "$(cat "$scratch/err")"
status 'which is whole' 0 "$PSUITE" tprof "$scratch/apart"
grep -v 'functions without names\|^tprof: hint: apt install\|^    from the apt source' "$scratch/err" > "$scratch/warned"
text 'without a warning, but of names that echo may lack' '' "$(cat "$scratch/warned")"

# --- names last when the program is built anew, with a build-id and without
strip_id() { objcopy --remove-section .note.gnu.build-id "$1"; }
for with in build-id checksum; do
  mkdir "$scratch/build"; cp "$WORK/burn" "$scratch/build/prog"
  [ $with = build-id ] || strip_id "$scratch/build/prog" || { skip 'without a build-id' 'no objcopy'; rm -r "$scratch/build"; break; }
  status "by $with: the old program" 0 "$PSUITE" tprof --record "$scratch/built" -f -o "$scratch/built.live" -f -x "$scratch/build/prog" 200
  status 'its report' 0 "$PSUITE" tprof "$scratch/built"
  same 'is the live one' "$scratch/built.live" "$scratch/out"
  hasnt 'nothing is said of its file' 'was rebuilt' "$scratch/err"
  cp "$WORK/waits" "$scratch/build/new"; [ $with = build-id ] || strip_id "$scratch/build/new"
  mv "$scratch/build/new" "$scratch/build/prog"
  status 'once it is built anew' 0 "$PSUITE" tprof "$scratch/built"
  same 'the report is the same' "$scratch/built.live" "$scratch/out"
  has 'and tells of it' '^tprof: .*/build/prog was rebuilt since: function names are those recorded' "$scratch/err"
  rm -r "$scratch/build"
done

# Of many, as after an upgrade, three are named.
mkdir "$scratch/many"
for i in 1 2 3 4 5; do cp "$WORK/burn" "$scratch/many/prog$i"; done
status 'five programs' 0 "$PSUITE" tprof --record "$scratch/five" -fo /dev/null -x sh -c 'for program; do "$program" 50; done' sh "$scratch"/many/prog*
for i in 1 2 3 4 5; do cp "$WORK/waits" "$scratch/many/new"; mv "$scratch/many/new" "$scratch/many/prog$i"; done
status 'built anew' 0 "$PSUITE" tprof "$scratch/five"
text 'have three lines' 3 "$(grep -c 'rebuilt since' "$scratch/err")"
has 'the last of them for the others, too' '/prog[1-5] and 2 more files were rebuilt since: function names are those' "$scratch/err"
rm -r "$scratch/many"

# --- what a bundle has, when the programs are gone
mkdir "$scratch/gone"; cp "$WORK/shares" "$WORK"/libshare_*.so "$scratch/gone/"
status 'a program' 0 "$PSUITE" tprof --record "$scratch/away" -o "$scratch/away.live" -x env LD_LIBRARY_PATH="$scratch/gone" "$scratch/gone/shares" 300
status 'its lines' 0 "$PSUITE" tprof -l "$scratch/away"
cp "$scratch/out" "$scratch/away.lines"
status 'its inlined functions' 0 "$PSUITE" tprof -i "$scratch/away"
cp "$scratch/out" "$scratch/away.inlines"
ok 'the bundle' "$PSUITE" tprof --bundle "$scratch/away"
rm -r "$scratch/gone"
for of in live lines inlines; do
  case $of in live) with=() ;; lines) with=(-l) ;; *) with=(-i) ;; esac
  status "gone: $of" 0 "$PSUITE" tprof "${with[@]}" "$scratch/away"
  same 'the same' "$scratch/away.$of" "$scratch/out"
done

# --- a recording that was not ended
start "$WORK/burn" 1000000 # a quiet machine has few samples that are not idle time
"$PSUITE" tprof -a -k --record "$scratch/killed" -q & tprof=$!
holds_some() { "$PSUITE" tprof "$scratch/killed" >"$scratch/some" 2>/dev/null && [ "$(samples_of "$scratch/some")" -gt 20 ]; }
ok 'it can be read while it is written' until_ok holds_some
kill -9 $tprof; wait $tprof 2>/dev/null
stop
status 'killed by kill -9' 0 "$PSUITE" tprof "$scratch/killed"
holds 'what it wrote is reported' "$(samples_of "$scratch/out") > 20"
has 'and that it has no end' '^tprof: the recording: (cut off|incomplete)' "$scratch/err"

# --- a full disk, a reader gone
if [ "$(id -u)" = 0 ] && mkdir "$scratch/disk" && mount -t tmpfs -o size=64k tmpfs "$scratch/disk" 2>/dev/null; then
  trap 'stop; umount "$scratch/disk" 2>/dev/null; rm -rf "$scratch"' EXIT
  start "$WORK/burn" 1000000 # a quiet machine would take a minute to fill it
  status 'a full disk' 1 timeout 60 "$PSUITE" tprof -F 20000 -a -k --record "$scratch/disk/r"
  stop
  has 'is told' '^tprof: .*disk/r: No space left on device$' "$scratch/err"
  has 'what was counted is reported' '^perf cpu-clock, .*: [1-9][0-9]* samples' "$scratch/out"
  cp "$scratch/disk/r" "$scratch/full"; umount "$scratch/disk"
  status 'what fitted is readable' 0 "$PSUITE" tprof "$scratch/full"
  has 'with a warning' '^tprof: the recording: (cut off|incomplete)' "$scratch/err"
else
  skip 'a full disk' 'not root, or no tmpfs may be mounted'
fi
mkfifo "$scratch/pipe"
"$PSUITE" tprof -a -k --record - >"$scratch/pipe" 2>"$scratch/err" & tprof=$!
exec 4<"$scratch/pipe"; head -c 100 <&4 >/dev/null
ok 'a reader, until it samples' until_ok samples_now $tprof $$
exec 4<&-; wait $tprof; got=$?
text 'a reader that goes away: status 1' 1 "$got"
has 'is told' '^tprof: standard output: Broken pipe$' "$scratch/err"
has 'what was counted is reported' '^perf cpu-clock, .*: [0-9]+ samples' "$scratch/err"

# --- the live view without standard input; what it costs is ./dev bench's to say
if [ -x $python ]; then
  cat > "$scratch/closed.py" <<'P'
import os, pty, sys, time
pid, terminal = pty.fork()
if pid == 0:
    os.close(0)
    os.environ["TERM"] = "vt100"
    os.execv(sys.argv[1], [sys.argv[1], "tprof", "-a", "--top", "-t", "4"])
seen = b""
try:
    while True:
        part = os.read(terminal, 65536)
        if not part: break
        seen += part
except OSError:
    pass
_, status, used = os.wait4(pid, 0)
print(os.waitstatus_to_exitcode(status), round(used.ru_utime + used.ru_stime, 2), int(b"samples" in seen))
P
  read -r got cpu drew < <($python "$scratch/closed.py" "$PSUITE")
  text 'live without standard input: its time ends it, status 0' '0 1' "$got $drew"
  holds "it does not spin ($cpu s of 4)" "$cpu < 0.8"
else
  skip 'the live view' 'no python3'
fi
finish
