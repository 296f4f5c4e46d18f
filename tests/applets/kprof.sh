# kprof: Plan 9's histograms by all kinds of kernel files, sampling on the fake platform, and what it says when it cannot.
. lib/check.sh
golden=$TESTS/golden/kprof own=$TESTS/applets/kprof

fake() { local s=$1; shift; PSUITE_FAKE=$own/$s.scenario "$PSUITE_FAKE_BIN" kprof "$@"; }
bytes() { local n; for n; do printf "\\x$(printf %02x $((n >> 24)))\\x$(printf %02x $((n >> 16 & 255)))\\x$(printf %02x $((n >> 8 & 255)))\\x$(printf %02x $((n & 255)))"; done; }

# --- histograms
for name in k2 k6 k6zero; do
  status "$name" 0 "$PSUITE" kprof "$golden/kern.elf32" "$golden/$name.kpdata"
  same "$name's lines" "$golden/$name.out" "$scratch/out"
done
status 'counters that begin below the first function' 0 "$PSUITE" kprof "$golden/warn.elf32" "$golden/k2warn.kpdata"
same 'a warning' "$golden/k2warn.out" "$scratch/out"
awk '{ print $1, "T", $2 == "etext" ? "_etext" : $2 }' "$golden/kern.sym" > "$scratch/map"
status 'by a System.map' 0 "$PSUITE" kprof "$scratch/map" "$golden/k6.kpdata"
same 'the same lines' "$golden/k6.out" "$scratch/out"

# --- errors, in kprof's words
stripped='it is stripped, or a kallsyms with hidden addresses: name a complete one'
# says WHAT TEXT DATA WORDS [HINT]: Plan 9's words name no file, so a hint does
says() {
  local hint=${5-"text is $2, data is $3"}
  status "$1" 1 "$PSUITE" kprof "$2" "$3"
  text "$1: what it says" "kprof: $4${hint:+$'\n'kprof: hint: $hint}" "$(cat "$scratch/err")"
}
bytes 1 > "$scratch/short"
says 'a file of one counter' "$golden/kern.elf32" "$scratch/short" 'data file too short'
: > "$scratch/empty"
says 'an empty file' "$golden/kern.elf32" "$scratch/empty" 'data file too short'
says 'an empty kernel' "$scratch/empty" "$golden/k6.kpdata" 'text file not an a.out'
says 'a text that is no kernel' "$golden/k2.out" "$golden/k6.kpdata" 'text file not an a.out'
head -c 60 "$golden/kern.elf32" > "$scratch/cut"
says 'a kernel without its symbols' "$scratch/cut" "$golden/k6.kpdata" 'no text symbols' "$stripped"
says 'names with hidden addresses' "$own/hidden" "$golden/k6.kpdata" 'no text symbols' "$stripped"
{ bytes 10 2 1000 12 2 3; } > "$scratch/two"
says 'counters of two bytes' "$golden/kern.elf32" "$scratch/two" 'only sample size 4 supported'
bytes 10 10 1000 7 4 3 0 > "$scratch/none"
says 'nothing in the kernel' "$golden/kern.elf32" "$scratch/none" 'no counts'
has 'the base is told before' '^KTZERO 80000000 PGSIZE 4Kb$' "$scratch/out"
running='without TEXT and DATA kprof samples the running kernel'
says 'no such kernel' "$scratch/nowhere" "$golden/k6.kpdata" "$scratch/nowhere: No such file or directory" "$running"
says 'no such data' "$golden/kern.elf32" "$scratch/nowhere" "$scratch/nowhere: No such file or directory" "$running"
status 'one operand' 2 "$PSUITE" kprof "$golden/kern.elf32"
has 'the usage' '^usage: kprof TEXT DATA$' "$scratch/err"
status '-x without a command' 2 "$PSUITE" kprof -x
status 'options of sampling with files' 2 "$PSUITE" kprof -t 1 "$golden/kern.elf32" "$golden/k6.kpdata"

# --- sampling
status 'all CPUs' 0 fake whole -t 1
same 'the kernel by function' "$own/whole.out" "$scratch/out"
status 'with idle time' 0 fake whole -t 1 -I
same 'in its rows' "$own/whole.idle.out" "$scratch/out"
status 'a process a table' 0 fake whole -t 1 --by-process
same 'the busiest first' "$own/whole.processes.out" "$scratch/out"
status 'one module' 0 fake whole -t 1 -m ext4
text 'its row alone' 'ext4_read [ext4]' "$(awk -F'\t' 'NR > 3 && NF == 3 { print $3 }' "$scratch/out")"
status 'one row' 0 fake whole -t 1 --rows 1
has 'the others in one' '^50	 62\.5	\(3 more\)$' "$scratch/out"
status 'JSON' 0 fake whole -t 1 --json
same 'the same as JSON' "$own/whole.json" "$scratch/out"
status 'chains' 0 fake whole -t 1 -g
same 'with cumulative time' "$own/whole.chains.out" "$scratch/out"
status 'the callers' 0 fake whole -t 1 --callers
same 'upwards' "$own/whole.callers.out" "$scratch/out"
status 'chains as a file' 0 fake whole -t 1 -g -q -o folded:"$scratch/folded"
has 'of the kernel only' '^do_syscall_64[^;]*;ksys_read[^;]*;ext4_read[^;]* ' "$scratch/folded"
hasnt 'nothing of user mode' '401' "$scratch/folded"
status 'user mode alone' 0 fake user -t 1
text 'is all outside' 'total: 40	in kernel text: 0	outside kernel text: 40' "$(head -1 "$scratch/out")"
text 'and has no rows' 2 "$(wc -l < "$scratch/out")"
status 'while a command runs' 3 fake command -x true
same 'the same, on standard error' "$own/whole.out" "$scratch/err"

# --- the histogram written
status 'a histogram' 0 fake whole -t 1 -o "$scratch/kpdata"
same 'beside the report' "$own/whole.out" "$scratch/out"
text 'what it cannot hold' "kprof: $scratch/kpdata: 25 samples in kernel modules: counted as outside the kernel text" "$(cat "$scratch/err")"
text 'a counter for 8 bytes of text' 2048 "$(stat -c %s "$scratch/kpdata")"
status 'never over one that exists' 1 fake whole -t 1 -o "$scratch/kpdata"
status 'but with -f' 0 fake whole -t 1 -qfo "$scratch/kpdata"
status 'read again' 0 "$PSUITE" kprof "$own/kallsyms" "$scratch/kpdata"
same 'the same times but for the module' "$own/again.out" "$scratch/out"
status 'alone on standard output' 0 fake whole -t 1 -qo -
ok 'the same bytes' cmp "$scratch/kpdata" "$scratch/out"
status 'of events' 2 fake whole -t 1 -e page-faults -o "$scratch/other"
has 'is none' 'a histogram counts clock ticks' "$scratch/err"

# --- on a terminal
cp -r "$own" "$scratch/tty"
{ echo 'tty 80x24'; cat "$own/whole.scenario"; } > "$scratch/tty/tty.scenario"
PSUITE_FAKE=$scratch/tty/tty.scenario status 'messages on a terminal' 0 "$PSUITE_FAKE_BIN" kprof -t 1 -o folded:"$scratch/tty/folded"
has 'say what is sampled' '^sampling the kernel for 1 s, Ctrl-C ends' "$scratch/err"
has 'and what was written' "wrote $scratch/tty/folded \\(flamegraph.pl $scratch/tty/folded > flame.svg\\)\$" "$scratch/err"

# --- what it says when it cannot
status 'refused by the kernel' 1 fake refused
has 'says why' '^kprof: sample_open: Permission denied$' "$scratch/err"
status 'names hidden' 1 fake hidden
has 'says so' '^kprof: /proc/kallsyms: the kernel hides its addresses$' "$scratch/err"
has 'with the remedy' '^kprof: hint: run as root, with sysctl kernel.kptr_restrict=1 or 0$' "$scratch/err"
finish
