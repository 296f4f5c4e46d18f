# tprof: Plan 9's file reader on the worked examples, sampling on the fake platform, and what it says when it cannot.
. lib/check.sh
golden=$TESTS/golden/tprof own=$TESTS/applets/tprof

fake() { local s=$1; shift; PSUITE_FAKE=$own/$s.scenario "$PSUITE_FAKE_BIN" tprof "$@"; }

# --- the profile file, through -n
for name in book book_le edge zero; do
  mkdir -p "$scratch/$name/proc/1"
  cp "$golden/$name.profile" "$scratch/$name/proc/1/profile"
  cp "$golden/prog.elf32" "$scratch/$name/proc/1/text"
  status "tprof -n of $name" 0 "$PSUITE" tprof -n "$scratch/$name" 1
  same "$name's lines" "$golden/$name.out" "$scratch/out"
  status "$name with BINARY" 0 "$PSUITE" tprof -n "$scratch/$name" 1 "$golden/prog.elf64"
  same "$name's lines by the 64-bit program" "$golden/$name.out" "$scratch/out"
done
mkdir -p "$scratch/short/proc/1" "$scratch/no_elf/proc/1"
printf 'abcd' > "$scratch/short/proc/1/profile"; cp "$golden/prog.elf32" "$scratch/short/proc/1/text"
status 'a profile cut short' 1 "$PSUITE" tprof -n "$scratch/short" 1
text 'says so, and of which' "tprof: data file too short
tprof: hint: text is $scratch/short/proc/1/text, data is $scratch/short/proc/1/profile" "$(cat "$scratch/err")"
cp "$golden/book.profile" "$scratch/no_elf/proc/1/profile"; echo hello > "$scratch/no_elf/proc/1/text"
status 'a text that is no program' 1 "$PSUITE" tprof -n "$scratch/no_elf" 1
text 'says so, and of which' "tprof: text file not an a.out
tprof: hint: text is $scratch/no_elf/proc/1/text, data is $scratch/no_elf/proc/1/profile" "$(cat "$scratch/err")"
status 'a folder that is not there' 1 "$PSUITE" tprof -n "$scratch/none" 1
text 'names the file' "tprof: $scratch/none/proc/1/text: No such file or directory" "$(cat "$scratch/err")"

# --- sampling
status 'a process' 0 fake sampled 7
same 'by function' "$own/sampled.out" "$scratch/out"
status 'a thread a table' 0 fake sampled --threads 7
same 'by thread' "$own/sampled.threads.out" "$scratch/out"
status 'two rows' 0 fake sampled --rows 2 7
text 'and the rest in one' '    95	  9.5	(4 more)' "$(sed -n 6p "$scratch/out")"
status 'one module' 0 fake sampled -m libprog.so.1 7
same 'only that module' "$own/sampled.module.out" "$scratch/out"
status 'with children' 0 fake sampled --children 7
has 'their samples count too' '^total: 1000$' "$scratch/out"
status 'JSON' 0 fake sampled --json 7
sed "s|$own|GOLDEN|g" "$scratch/out" > "$scratch/json"
same 'the same as JSON' "$own/sampled.json" "$scratch/json"
status 'JSON by thread' 0 fake sampled --json --threads 7
if command -v python3 >/dev/null; then ok 'is JSON' python3 -m json.tool "$scratch/out"; else skip 'is JSON' 'no python3'; fi
status 'symbols from a named binary' 0 fake sampled 7 "$golden/prog.elf32"
same 'name the same functions' "$own/sampled.out" "$scratch/out"
if "$PSUITE" --version | grep -q libiberty; then
  status 'compiled code' 0 fake jit 7
  same 'goes by the names that the compiler told' "$own/jit.out" "$scratch/out"
  status 'compiled code as JSON' 0 fake jit --json 7
  has 'the raw name, too' '"name":"jit::run\(\)","raw":"_ZN3jit3runEv"' "$scratch/out"

  # --- on a terminal names are shortened, elsewhere never
  long='ns::map<std::string, std::vector<int>>::find(std::string const\&) const'
  cp "$own"/sampled.{maps,comm} "$scratch/"; cp -r "$own/root" "$scratch/"
  sed "s|_ZN3jit3runEv|$long|" "$own/jit.map" > "$scratch/jit.map"
  for columns in 80 60; do
    { echo "terminal ${columns}x24"; cat "$own/jit.scenario"; } > "$scratch/$columns.scenario"
    export PSUITE_FAKE=$scratch/$columns.scenario
    status "a terminal of $columns columns" 0 "$PSUITE_FAKE_BIN" tprof 7
    holds 'every line fits' "$(expand "$scratch/out" | wc -L) <= $columns"
    cp "$scratch/out" "$scratch/at$columns"
    status 'a file from there' 0 "$PSUITE_FAKE_BIN" tprof -fo "$scratch/file" 7
    has 'has whole names' 'ns::map<std::string, std::vector<int>>::find\(std::string const&\) const \[JIT\]$' "$scratch/file"
  done
  unset PSUITE_FAKE
  has 'arguments go first' '	ns::map<std::string, std::vector<int>>::find\(\.\.\) const \[JIT\]$' "$scratch/at80"
  has 'then what is in <>' '	ns::map<\.\.>::find\(\.\.\) const \[JIT\]$' "$scratch/at60"
else
  skip 'compiled code' 'names are not demangled in this build'
fi
# --- the last samples alone are kept: one a ns, those of the last 500 ns are 192
status 'the last 500 ns' 0 fake sampled --keep 0.0000005 --record "$scratch/kept" 7
has 'are what is reported' '^total: 192$' "$scratch/out"
has 'and what the file has' "^tprof: $scratch/kept: the last 0.0 s, 192 samples$" "$scratch/err"
hasnt 'with no sum of CPU time, which is of all' ' user time' "$scratch/out"
text 'it is private' 600 "$(stat -c %a "$scratch/kept")"
cp "$scratch/out" "$scratch/live"
status 'its recording' 0 "$PSUITE" tprof "$scratch/kept"
same 'has the same report' "$scratch/live" "$scratch/out"
same 'and no warning' /dev/null "$scratch/err"
status 'by thread' 0 fake sampled --threads --keep 0.0000005 -q -f --record "$scratch/kept" 7
same '-q says nothing' /dev/null "$scratch/err"
status 'an existing file' 1 fake sampled --keep 1 --record "$scratch/kept" 7
has 'is refused before anything is sampled' "^tprof: $scratch/kept: File exists$" "$scratch/err"
{ sed 's/^clock.*/clock 0 1/' "$own/sampled.scenario"; echo 'asked 1'; } > "$scratch/asked.scenario"
cp "$own"/sampled.{maps,comm} "$scratch/"; cp -rT "$own/root" "$scratch/root"; : > "$scratch/seen.1"
PSUITE_FAKE=$scratch/asked.scenario status 'SIGUSR1' 0 "$PSUITE_FAKE_BIN" tprof --keep 1 --record "$scratch/seen" 7
has 'writes a file' "^tprof: $scratch/seen: the last 0.0 s, 995 samples$" "$scratch/err"
has 'the end another, whose name is free' "^tprof: $scratch/seen.2: the last 0.0 s, 995 samples$" "$scratch/err"
for f in seen seen.2; do
  status "$f" 0 "$PSUITE" tprof "$scratch/$f"
  same 'is whole' /dev/null "$scratch/err"
  has 'and has them all' '^total: 995$' "$scratch/out"
done

# --- a fixed period: each sample weighs so much
status 'a period' 0 fake sampled --period 2000000 --record "$scratch/period" 7
has 'of 2 ms doubles the time' '^total: 1990$' "$scratch/out"
cp "$scratch/out" "$scratch/live"
status 'its recording' 0 "$PSUITE" tprof "$scratch/period"
same 'has the same report' "$scratch/live" "$scratch/out"
status 'a clock of 1 us' 1 fake sampled --period 1000 7
has 'is refused' '^tprof: a sample every 1000 ns: the clock has at least 10000$' "$scratch/err"

# --- several events: each as if it were alone
status 'by several events' 0 fake several -e cpu-clock,faults -e misses,never --record "$scratch/several.rec" 7
same 'a section each' "$own/several.out" "$scratch/out"
cp "$scratch/out" "$scratch/live"
status 'their recording' 0 "$PSUITE" tprof "$scratch/several.rec"
same 'has the same report' "$scratch/live" "$scratch/out"
status 'without a recording' 0 fake several -e cpu-clock,faults,misses,never 7
same 'too' "$scratch/live" "$scratch/out"
for event in cpu-clock faults misses; do
  status "$event alone, of the recording" 0 "$PSUITE" tprof -e "$event" "$scratch/several.rec"
  sed -n "/^event $event:/,/^$/p" "$scratch/live" | sed '1d;/^$/d' > "$scratch/section"
  same 'is its section' "$scratch/section" "$scratch/out"
done
status 'an event that it has not' 1 "$PSUITE" tprof -e cycles "$scratch/several.rec"
has 'names those that it has' '^tprof: hint: its events: cpu-clock faults misses never$' "$scratch/err"
status 'JSON of several events' 0 "$PSUITE" tprof --json "$scratch/several.rec"
has 'has them all' '^{"psuite":1,"applet":"tprof","events":\[{"event":"cpu-clock","samples":900,"report":{"psuite":1,.*},{"event":"faults","samples":9,"report":{.*{"event":"never","samples":0' "$scratch/out"
if command -v python3 >/dev/null; then ok 'is JSON' python3 -m json.tool "$scratch/out"; else skip 'is JSON' 'no python3'; fi
status 'all data of several events' 0 "$PSUITE" tprof -q -o "json:$scratch/several.json" -o "callgrind:$scratch/several.cg" "$scratch/several.rec"
has 'a value each, the first event last' '"values":\[{"name":"never","unit":"count","total":0},{"name":"misses","unit":"count","total":20000},{"name":"faults","unit":"count","total":9},{"name":"cpu-clock","unit":"nanoseconds","total":900000000}\]' "$scratch/several.json"
has 'with costs of all' '^summary: 0 20000 9 900000000$' "$scratch/several.cg"
status 'a graph of several events' 0 "$PSUITE" tprof -q -o "folded:$scratch/several.folded" "$scratch/several.rec"
text 'is of the first' 900 "$(awk '{sum += $NF} END {print sum}' "$scratch/several.folded")"
status 'of standard input' 0 "$PSUITE" tprof - < "$scratch/several.rec"
has 'the first is shown, and said' '^tprof: -: 4 events, this is cpu-clock: -e NAME chooses one$' "$scratch/err"
status 'the last samples of several events' 0 fake several -e cpu-clock,faults --keep 0.0000005 --record "$scratch/several.kept" 7
has 'are kept of each' '^event faults: 2 samples$' "$scratch/out"
says_of_several() { status "several events with $1" 2 "$PSUITE" tprof -e cpu-clock,page-faults $1; has 'is refused' "^tprof: $2" "$scratch/err"; }
says_of_several '--top 7' '--top shows one event'
says_of_several '-w 7' '-w cannot be used with several events'
says_of_several '--record - 7' '--record - with several events needs -q'
says_of_several "$scratch/several.rec" '-e: of FILE it chooses one event'
for wrong in , a,, a,b,c,d,e,f,g,h,i; do
  status "-e $wrong" 2 "$PSUITE" tprof -e "$wrong" 7
  has 'is refused' "^tprof: -e: $wrong: " "$scratch/err"
done

# --- a stripped file: which it is, and how its names are had
nameless=$scratch/nameless system=$nameless/root; mkdir -p "$system/var/lib/dpkg/info" "$system/etc/apt/sources.list.d" "$system/usr/lib" "$system/bin"
cp "$own"/sampled.comm "$nameless/"; sed 's| /bin/lib| /usr/lib/lib|' "$own/sampled.maps" > "$nameless/sampled.maps"
{ cat "$own/sampled.scenario"; echo 'root root'; } > "$nameless/scenario"
cp "$own/root/bin/prog" "$system/bin/"; cp "$own/root/bin/libprog.so.1" "$system/usr/lib/"
bare() { PSUITE_FAKE=$nameless/scenario "$PSUITE_FAKE_BIN" tprof "$@"; }
status 'with symbols' 0 bare 7
text 'nothing is said' '' "$(grep -v lost "$scratch/err")"
strip "$system/usr/lib/libprog.so.1"
status 'a stripped library with 3% of the samples' 0 bare 7
text 'nothing is said either' '' "$(grep -v lost "$scratch/err")"
strip "$system/bin/prog"
status 'without dpkg' 0 bare 7
text 'the file is named' "tprof: 98.5% of the samples are in functions without names; stripped: prog
tprof: hint: build prog without -s, and do not strip it" "$(grep -v lost "$scratch/err")"
printf '/.\n/bin\n/bin/prog-other\n' > "$system/var/lib/dpkg/info/other.list"
printf '/.\n/bin\n/bin/prog\n' > "$system/var/lib/dpkg/info/prog-tools:amd64.list"
printf '/bin/prog\n' > "$system/var/lib/dpkg/info/zz.md5sums"
status 'with dpkg' 0 bare 7
has 'the debug package is named' '^tprof: hint: apt install prog-tools-dbgsym:amd64$' "$scratch/err"
printf 'ID=debian\nVERSION_CODENAME=trixie\n' > "$system/etc/os-release"
echo 'deb http://mirror/debian trixie main' > "$system/etc/apt/sources.list"
status 'without the source of debug packages' 0 bare 7
text 'it is named' "tprof: hint: apt install prog-tools-dbgsym:amd64
    from the apt source: suite trixie-debug of the archive debian-debug" "$(tail -2 "$scratch/err")"
holds 'no line is over 80 columns' "$(wc -L < "$scratch/err") <= 80"
printf 'Types: deb\nURIs: http://mirror/debian-debug\nSuites: trixie-debug\n' > "$system/etc/apt/sources.list.d/debug.sources"
status 'with that source' 0 bare 7
has 'it is not' '^tprof: hint: apt install prog-tools-dbgsym:amd64$' "$scratch/err"
sed -i 's| x30$| x3000|' "$nameless/scenario"
printf '/lib/libprog.so.1\n' > "$system/var/lib/dpkg/info/libprog1.list"
status 'two files' 0 bare 7
has 'the busiest first' '; stripped: libprog\.so\.1, prog$' "$scratch/err"
has 'both packages' '^tprof: hint: apt install libprog1-dbgsym prog-tools-dbgsym:amd64$' "$scratch/err"
status 'as JSON' 0 bare --json 7
text 'nothing is said' '' "$(grep -v lost "$scratch/err")"
status 'without a report' 0 bare -q -o "folded:$scratch/folded" 7
text 'nothing is said' '' "$(grep -v lost "$scratch/err")"
# --- an interpreter
python=$scratch/python; cp -r "$nameless" "$python"
sed -i 's|/bin/prog|/usr/bin/python3.12|' "$python/sampled.maps"
interprets() { PSUITE_FAKE=$python/scenario "$PSUITE_FAKE_BIN" tprof "$@"; }
status 'Python' 0 interprets 7
has 'is named' '^tprof: [0-9.]+% of the samples are in the Python interpreter, python3\.12$' "$scratch/err"
has 'with what names its functions' "^tprof: hint: \`python3 -X perf' names Python functions, from version 3\.12 on\$" "$scratch/err"
status 'Python, as JSON' 0 interprets --json 7
hasnt 'nothing of it' Python "$scratch/err"
sed -i 's|python3.12|python3-config|' "$python/sampled.maps"
status 'another program' 0 interprets 7
hasnt 'is no interpreter' Python "$scratch/err"
PSUITE_FAKE=$TESTS/applets/kprof/hidden.scenario status 'kernel names hidden' 0 "$PSUITE_FAKE_BIN" tprof -a -k -t 1
has 'is told, with the remedy' "^tprof: the kernel's functions have no names: /proc/kallsyms hides its addresses \\(run as root, or" "$scratch/err"
text 'once' 1 "$(grep -c 'no names' "$scratch/err")"
status 'a module that is not there' 0 fake sampled 7 -m nosuch
has 'is named' '^tprof: -m: nosuch: no samples in a module of this name$' "$scratch/err"
status 'a module that is there' 0 fake sampled 7 -m prog
hasnt 'is not' 'no samples' "$scratch/err"
# --- options may follow operands, but not a command
status 'options behind the operand' 0 fake sampled 7 -t 1 --rows 2
text 'count' '    95	  9.5	(4 more)' "$(sed -n 6p "$scratch/out")"
status 'between operands' 0 fake sampled 7 --json "$golden/prog.elf32" -t 1
has 'too' '^{"psuite":1' "$scratch/out"
status 'behind --' 2 fake sampled -- 7 --json -k
has 'there are none' '^usage: tprof ' "$scratch/err"
status 'a process by -p' 0 fake sampled -p 7
same 'is that of the operand' "$own/sampled.out" "$scratch/out"
status 'with its program' 0 fake sampled -p 7 "$golden/prog.elf32" --rows 2
text 'and an option behind it' '    95	  9.5	(4 more)' "$(sed -n 6p "$scratch/out")"
status 'behind -x they are the command'"'"'s' 3 fake command -x first -t x --frob
same 'which is run' "$own/command.out" "$scratch/err"

# --- a command without -x
mkdir "$scratch/here"
cp "$own/command.scenario" "$scratch/finds.scenario"
echo 'finds first' >> "$scratch/finds.scenario"
cp "$own"/command.* "$own"/sampled.* "$scratch/" 2>/dev/null; cp -rn "$own/root" "$scratch/"
finds() { (cd "$scratch/here" && PSUITE_FAKE=$scratch/finds.scenario "$PSUITE_FAKE_BIN" tprof "$@"); }
status 'a command of PATH' 3 finds -t 9 first --frob
same 'is run' "$own/command.out" "$scratch/err"
status 'one that PATH does not have' 1 finds second
has 'is a file' '^tprof: second: No such file or directory$' "$scratch/err"
echo 'no recording at all' > "$scratch/here/first"
status 'a file of that name' 1 finds first
has 'is no command' '^tprof: first: neither a recording nor a perf.data file$' "$scratch/err"
rm "$scratch/here/first"
status '-a has none' 2 finds -a first
status 'nor has a process' 1 finds -p 7 first
has 'whose program it is' '^tprof: first: No such file or directory$' "$scratch/err"
printf '#!/bin/sh\necho ran "$@"\n' > "$scratch/here/script"; chmod +x "$scratch/here/script"
status 'a script by its path' 0 "$PSUITE" tprof -E ptrace "$scratch/here/script" -t x
text 'is run with its own options' 'ran -t x' "$(cat "$scratch/out")"
cp "$golden/prog.elf32" "$scratch/here/program"; chmod -x "$scratch/here/program"
status 'a program that is not executable' 1 "$PSUITE" tprof "$scratch/here/program"
has 'is not run' 'neither a recording nor a perf.data file' "$scratch/err"
echo 'finds 8' >> "$scratch/finds.scenario"
status 'a number is a process' 1 finds 8
has 'even if there is such a command' '^tprof: process 8: No such process$' "$scratch/err"

# --- memory without a file is told apart by its process
cp "$own/sampled.maps" "$own/sampled.comm" "$scratch/"
{ printf '%s\n' 'clock 0 1000' 'rate 1000' live
  for pid in 7 9; do
    printf '%s\n' "thread $pid $pid" "program $pid /bin/prog" "proc $pid maps sampled.maps" "proc $pid task/$pid/comm sampled.comm" \
      "sample $pid $pid 10${pid}000 7f1000000010 x$pid"
  done; } > "$scratch/anon.scenario"
PSUITE_FAKE=$scratch/anon.scenario status 'two processes without files' 0 "$PSUITE_FAKE_BIN" tprof -a -t 1
has 'the first' '^     7	.*\(no symbol\) \[anon\] of process 7$' "$scratch/out"
has 'and the second' '^     9	.*\(no symbol\) \[anon\] of process 9$' "$scratch/out"

PSUITE_FAKE=$scratch/anon.scenario status 'their chains' 0 "$PSUITE_FAKE_BIN" tprof -a -t 1 -g=fp
has 'the first in chains' ' \(no symbol\) of process 7 \[anon\]$' "$scratch/out"
has 'and the second in chains' ' \(no symbol\) of process 9 \[anon\]$' "$scratch/out"
PSUITE_FAKE=$scratch/anon.scenario status 'recorded' 0 "$PSUITE_FAKE_BIN" tprof -a -t 1 -q --record "$scratch/anon.rec"
status 'compared, they are one: process ids differ from day to day' 0 "$PSUITE" tprof --diff --rows all "$scratch/anon.rec" "$scratch/anon.rec"
hasnt 'no process is named' 'of process' "$scratch/out"

# --- several recordings are added up, by function; machines by their names
fake sampled -q --record "$scratch/one.rec" 7
fake sampled -q --record "$scratch/two.rec" 7
sed 's/board/other/' "$scratch/one.rec" > "$scratch/three.rec"
status 'three recordings' 0 "$PSUITE" tprof "$scratch/one.rec" "$scratch/two.rec" "$scratch/three.rec"
same 'are added up' "$own/merged.out" "$scratch/out"
status 'by machine' 0 "$PSUITE" tprof --group-by machine --rows 2 "$scratch/one.rec" "$scratch/two.rec" "$scratch/three.rec"
same 'a table each, the largest first' "$own/merged.machine.out" "$scratch/out"
status 'by build-id' 0 "$PSUITE" tprof --group-by build-id "$scratch/one.rec"
same 'of one, too' "$own/merged.build.out" "$scratch/out"
printf '0::/a.slice\n' > "$scratch/cgroup"; cp "$own"/sampled.* "$scratch/"
sed '/^thread/a proc 7 cgroup cgroup' "$own/sampled.scenario" > "$scratch/grouped.scenario"
PSUITE_FAKE=$scratch/grouped.scenario status 'a process in a control group' 0 "$PSUITE_FAKE_BIN" tprof -q --record "$scratch/grouped.rec" 7
status 'by control group' 0 "$PSUITE" tprof --group-by cgroup "$scratch/grouped.rec" "$scratch/one.rec"
text 'one is not known' 'cgroup (no cgroup): 50.0%,cgroup /a.slice: 50.0%' "$(grep ^cgroup "$scratch/out" | sort | paste -sd,)"
text 'nothing is said' '' "$(cat "$scratch/err")"
status 'without any' 0 "$PSUITE" tprof --group-by cgroup "$scratch/one.rec"
has 'is said' '^tprof: no file has control groups: ' "$scratch/err"
status 'a tree of each machine' 0 "$PSUITE" tprof --group-by machine --tree "$scratch/one.rec" "$scratch/three.rec"
text 'each has its own' 2 "$(grep -c ' 60.3 .* main .prog.$' "$scratch/out")"
status 'JSON of a sum' 0 "$PSUITE" tprof --json --group-by machine "$scratch/one.rec" "$scratch/three.rec"
has 'has the machines' '"threads_are":"machine".*"name":"board \(armv7l\)".*"name":"other \(armv7l\)"' "$scratch/out"
status 'folded stacks of a sum' 0 "$PSUITE" tprof -q -o "folded:$scratch/sum.folded" "$scratch/one.rec" "$scratch/two.rec"
text 'add up' 1990 "$(awk '{sum += $NF} END {print sum}' "$scratch/sum.folded")"
status 'one of them with a program' 0 "$PSUITE" tprof "$scratch/one.rec" "$golden/prog.elf32"
has 'is that of the program' '^total: 995$' "$scratch/out"
sed 's/clock\x011/clock\x010/' "$scratch/one.rec" > "$scratch/counted.rec"
status 'events added to time' 1 "$PSUITE" tprof "$scratch/one.rec" "$scratch/counted.rec"
has 'are refused' "^tprof: $scratch/counted.rec: it has samples of .*, those before have time$" "$scratch/err"
status 'no such group' 2 "$PSUITE" tprof --group-by planet "$scratch/one.rec"
has 'names the groups' '^tprof: --group-by: planet: no such group \(machine, build-id, cgroup\)$' "$scratch/err"
for wrong in -l '--annotate main' --threads '-m prog' "--record $scratch/new" "-o firefox:$scratch/new" --browse; do
  status "several with $wrong" 2 "$PSUITE" tprof $wrong "$scratch/one.rec" "$scratch/two.rec"
done
PSUITE_FAKE=$scratch/grouped.scenario status 'a process by its control group, now' 0 "$PSUITE_FAKE_BIN" tprof --group-by cgroup 7
has 'has a table' '^cgroup /a.slice: 100.0%$' "$scratch/out"
hasnt 'of no recording' '1 recording' "$scratch/out"
PSUITE_FAKE=$scratch/grouped.scenario status 'the same, recorded' 0 "$PSUITE_FAKE_BIN" tprof --group-by cgroup --record "$scratch/grouped2.rec" 7
has 'in a table' '^cgroup /a.slice: 100.0%$' "$scratch/out"
text 'and in the file' 1 "$("$PSUITE" tprof --group-by cgroup "$scratch/grouped2.rec" | grep -c '^cgroup /a.slice: 100.0%$')"
for wrong in --top -l --threads '-m prog' '-e cpu-clock,page-faults' '--record -' "-o firefox:$scratch/new" "-n $scratch"; do
  status "groups with $wrong" 2 "$PSUITE" tprof --group-by cgroup $wrong 7
  has 'say why' '^tprof: .*--group-by' "$scratch/err"
done

# --- processes that end within a sampling period have no sample
{ sed 's/^child exit=3/child user_ns=400000000/' "$own/command.scenario"; echo 'fork 22 20 22 20 600'; } > "$scratch/short.scenario"
cp -rT "$own/root" "$scratch/root"
PSUITE_FAKE=$scratch/short.scenario status 'much CPU time, few samples' 0 "$PSUITE_FAKE_BIN" tprof -x first
has 'why' '^tprof: 100 of 400 ms were sampled: 2 processes ran, and those that end within a sampling period are missing$' "$scratch/err"
has 'and what counts it' '^tprof: hint: a higher -F samples more of them; psuite time -c COMMAND counts all their time$' "$scratch/err"
sed -i 's/user_ns=4/user_ns=2/' "$scratch/short.scenario"
PSUITE_FAKE=$scratch/short.scenario status 'half of it sampled' 0 "$PSUITE_FAKE_BIN" tprof -x first
hasnt 'is none' 'were sampled' "$scratch/err"

status 'raw names' 0 fake jit --no-demangle 7
has 'stand as they are' '_ZN3jit3runEv \[JIT\]$' "$scratch/out"
status 'a named binary that is none' 1 fake sampled 7 "$own/sampled.maps"
has 'says which' "^tprof: $own/sampled.maps: " "$scratch/err"
status 'a command gives its own status' 3 fake command -x first
same 'what it executed and what that started, on stderr' "$own/command.out" "$scratch/err"
text 'stdout is the command'"'"'s' '' "$(cat "$scratch/out")"
status 'the report into a file' 3 fake command -o "$scratch/report" -x first
same 'the same report' "$own/command.out" "$scratch/report"
status 'never over one that exists' 1 fake command -o "$scratch/report" -x first
has 'says so' "^tprof: $scratch/report: File exists$" "$scratch/err"
has 'and how' '^tprof: hint: use --force to overwrite it$' "$scratch/err"
status 'but with -f' 3 fake command -fo "$scratch/report" -x first
status 'a report in a file with the name of a recording' 3 fake command -fo "$scratch/perf.data" -x first
has 'tells how to record' '^tprof: hint: .*/perf.data is the report, as text; --record FILE keeps the samples$' "$scratch/err"
status 'not so if it records' 3 fake command -fo "$scratch/perf.data" --record "$scratch/recorded" -x first
hasnt 'says nothing of it' 'keeps the samples' "$scratch/err"
status 'no samples' 0 fake nothing 7
same 'are an answer' "$own/nothing.out" "$scratch/out"
text 'with what shows more' 'tprof: pid 7 was not seen running: it may only wait
tprof: hint: psuite tprof -w -g 7' "$(cat "$scratch/err")"
status 'no samples of waits' 0 fake nothing -w 7
text 'nothing is said' '' "$(cat "$scratch/err")"

# --- on a terminal: what is sampled, and what was written
{ echo 'tty 80x24'; echo 'proc 7 comm sampled.comm'; cat "$own/sampled.scenario"; } > "$scratch/tty.scenario"
cp "$own"/sampled.{maps,comm} "$scratch/"; cp -rT "$own/root" "$scratch/root"
export PSUITE_FAKE=$scratch/tty.scenario
status 'messages on a terminal' 0 "$PSUITE_FAKE_BIN" tprof -t 5 --record "$scratch/tty.rec" 7
has 'say what is sampled' '^sampling pid 7 \([a-z]+\) for 5 s, Ctrl-C ends' "$scratch/err"
has 'and what was written' "wrote $scratch/tty.rec \\(psuite tprof $scratch/tty.rec\\)\$" "$scratch/err"
status 'quiet' 0 "$PSUITE_FAKE_BIN" tprof -fq -t 5 --record "$scratch/tty.rec" 7
text 'says nothing' '' "$(cat "$scratch/err")"
unset PSUITE_FAKE

# --- what it says when it cannot
status 'refused by the kernel' 1 fake refused 7
has 'says why' '^tprof: sample_open: Permission denied$' "$scratch/err"
status 'no such process' 1 fake nothing 8
has 'names it' '^tprof: process 8: No such process$' "$scratch/err"
status 'no argument' 2 "$PSUITE" tprof
has 'tells the usage' '^usage: tprof ' "$scratch/err"
status 'options alone' 2 "$PSUITE" tprof -g
has 'tells what is missing' '^tprof: a PID, COMMAND or FILE is missing, or -a$' "$scratch/err"
status 'no number and no file' 1 "$PSUITE" tprof abc
has 'names it' '^tprof: abc: No such file or directory$' "$scratch/err"
status 'a rate of 0' 2 "$PSUITE" tprof -F 0 1
has 'names it' '^tprof: -F: 0: not a whole number from 1 to 100000$' "$scratch/err"
status 'time of nothing' 2 "$PSUITE" tprof -t 0 1
status 'an option that is none' 2 "$PSUITE" tprof --frob 1
has 'names it' '^tprof: --frob: no such option$' "$scratch/err"
status 'three operands' 2 "$PSUITE" tprof 1 a b
finish
