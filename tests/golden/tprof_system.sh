# tprof of a whole board on the fake platform: every view, live and out of its recording, and recordings in a bad way.
. "$(dirname "$0")/../lib/check.sh"
own=$TESTS/golden/tprof_system
shopt -s extglob

fake() { PSUITE_FAKE=$own/system.scenario "$PSUITE_FAKE_BIN" tprof "$@"; }
fakes() { PSUITE_FAKE=$own/$1.scenario "$PSUITE_FAKE_BIN" tprof "${@:2}"; }
size() { wc -c < "$1" | tr -d ' '; }

# --- several processes, of which two are there
{ sed '/^alive/d' "$own/system.scenario"; printf 'alive 7 2\nalive 9 3\n'; } > "$scratch/several.scenario"
cp -r "$own"/!(*.out) "$scratch/"
several() { PSUITE_FAKE=$scratch/several.scenario "$PSUITE_FAKE_BIN" tprof "$@"; }
status 'two processes' 0 several -p 7 -k -p 9 --by-process -p 7
grep '^process' "$own/processes.out" | grep -E '^process (7|9) ' > "$scratch/want"
grep '^process' "$scratch/out" > "$scratch/got"
same 'their time is that of the whole system' "$scratch/want" "$scratch/got"
status 'without a view by process' 0 several -p 7 -k -p 9
has 'in one table' '^total: 960$' "$scratch/out"
status 'as a list' 0 several -p 7,9 -k --by-process
grep '^process' "$scratch/out" > "$scratch/got"
same 'they are the same' "$scratch/want" "$scratch/got"
status 'a list and another' 0 several -p 7,7 -k --by-process -p 9
grep '^process' "$scratch/out" > "$scratch/got"
same 'are the same, too' "$scratch/want" "$scratch/got"
status 'a list of 65' 2 several -p "$(seq -s, 1 65)"
has 'is too long' 'at most 64 processes; -a samples all$' "$scratch/err"
status 'one of them is not there' 1 several -p 7,8
has 'is named' '^tprof: process 8: No such process$' "$scratch/err"
status 'also by two options' 1 several -p 7 -p 8
has 'is named' '^tprof: process 8: No such process$' "$scratch/err"
status 'with a program' 2 several -p 7 -p 9 "$scratch/prog"
status 'by ptrace' 1 "$PSUITE" tprof -E ptrace -p $$ -p $PPID -t 0.1
has 'is refused' '^tprof: several processes by ptrace: Operation not supported$' "$scratch/err"

# --- the window opens when it is known what runs, and psuite itself is not in the table
cat > "$scratch/window.scenario" <<'END'
clock 1000000 100000
rate 1000
live
mono
self 77
thread 7 7
thread 77 77
proc 7 maps other.maps
proc 77 maps other.maps
sample 7 7 900000 7f0000001004 x300
sample 77 77 950000 7f0000001004 x200
sample 7 7 500000000 7f0000001004 x100
sample 77 77 510000000 7f0000001004 x50
END
for form in '' '--by-process' '-k'; do
  PSUITE_FAKE=$scratch/window.scenario status "a window of one second $form" 0 "$PSUITE_FAKE_BIN" tprof -a $form -t 1
  has 'what was sampled before is not in the total' '^total: 100$' "$scratch/out"
  has 'psuite itself is named apart' ': 100 samples, .*; psuite itself: 50 ms \(left out\)' "$scratch/out"
  hasnt 'and in no row' '^process 77 ' "$scratch/out"
done
PSUITE_FAKE=$scratch/window.scenario status 'the window with chains' 0 "$PSUITE_FAKE_BIN" tprof -a -g -t 1
has 'says so' '^100.0 ms, 100 samples; fake clock, user mode, without psuite itself \(50 ms\)$' "$scratch/out"
PSUITE_FAKE=$scratch/window.scenario status 'the window as JSON' 0 "$PSUITE_FAKE_BIN" tprof -a --json -t 1
has 'has both' '"own_sampled_ms":50[,}]' "$scratch/out"

# --- -o FORMAT takes chains by itself, and leaves the report as it is
status 'chains by -g' 0 fake -a -k -t 1 -q -g -o "folded:$scratch/by-g"
for reporter in tprof kprof; do
  rm -f "$scratch/by-o"
  PSUITE_FAKE=$own/system.scenario status "$reporter: chains by -o" 0 "$PSUITE_FAKE_BIN" $reporter -t 1 -o "folded:$scratch/by-o" \
    $([ $reporter = kprof ] || echo -a -k)
  [ $reporter = kprof ] || same 'are the same' "$scratch/by-g" "$scratch/by-o"
  has "$reporter: a chain" ';.* [0-9]+$' "$scratch/by-o"
  grep -v '^call chains: ' "$scratch/out" > "$scratch/with-o"
  PSUITE_FAKE=$own/system.scenario "$PSUITE_FAKE_BIN" $reporter -t 1 $([ $reporter = kprof ] || echo -a -k) > "$scratch/without-o"
  same "$reporter: the report" "$scratch/without-o" "$scratch/with-o"
done
rm -f "$scratch/by-o" "$scratch/by-g"

# --- the whole system, a process, events
view() { # view NAME ARGUMENT...: what it prints is NAME.out
  local name=$1; shift
  status "$name" 0 fake "$@"
  sed "s|$own|GOLDEN|g" "$scratch/out" > "$scratch/text"
  same "$name: the report" "$own/$name.out" "$scratch/text"
}
view all -a -t 1
view kernel -a -k -t 1
view processes -a -k --by-process -t 1
view processes.json -a -k --by-process --json -t 1
view threads -a -k --threads -t 1
view one-kernel -k 7
view page-faults -e page-faults 7
view weighted -e cycles 7
view chains -g -k 7
view chains-all -g -a -k -t 1
view cumulative -c -a -k -t 1
view tree --tree -a -k -t 1
view tree-events --tree -e cycles 7
view callers --callers -a -k -t 1
view around --around do_read -a -k -t 1
hasnt 'the idle task is nobody' 'cpu_idle' "$own/kernel.out"
has 'idle time is told by the books' 'idle 920 ms, interrupts 10 ms, softirqs 30 ms$' "$own/kernel.out"
has 'events have a count' '^ count ' "$own/page-faults.out"
hasnt 'a task that has ended has no number' 4294967295 "$own/processes.out"
hasnt 'not in JSON either' 4294967295 "$own/processes.json.out"
status 'an event inside the kernel' 0 fake -e sched:sched_switch 7
has 'has its samples in the kernel without -k, too' 'do_read \[kernel\]' "$scratch/out"
status 'an event of the kernel alone' 0 fake -e cpu-clock:k 7
has 'has no samples elsewhere' '^fake clock, kernel mode, 1000 Hz: 70 samples' "$scratch/out"
status 'an event of the user alone, with -k' 0 fake -k -e cycles:u 7
has 'has none in the kernel' '^fake clock, user mode, 1000 Hz: 740 samples' "$scratch/out"
status 'a function that two files have' 1 fake --around foo -a -t 1
has 'asks which' '^tprof: hint: name one of them: foo \[prog\], foo \[libprog.so.1\]$' "$scratch/err"

# --- rows of the same time: by name, those without one behind
status 'ties' 0 fakes ties 7
text 'have one order' 'bar,main,(no,' "$(awk 'NR > 3 && $2 ~ /%|[0-9]/ && $1 ~ /^[0-9]+$/ {printf "%s,", $3}' "$scratch/out")"

# --- a recording says what the live report said, in every view
board() { fake "$@" -t 1; }
back() { "$PSUITE" tprof --sysroot "$own/root" "$@"; }
: > "$scratch/empty"
record() { # record FILE ARGUMENT...
  local file=$1; shift
  status "recording $*" 0 board --record "$file" -q "$@"
  same 'prints nothing' "$scratch/empty" "$scratch/out"
}
record "$scratch/chains" -a -k -g
record "$scratch/flat" -a -k
again() { # again RECORDING ARGUMENT...
  local from=$1; shift
  board -a -k "$@" > "$scratch/live" 2>"$scratch/live.err"
  status "recorded: $*" 0 back "$@" "$from"
  same 'the same as live' "$scratch/live" "$scratch/out"
  same 'and nothing else' "$scratch/empty" "$scratch/err"
}
again "$scratch/flat"
again "$scratch/flat" --by-process
again "$scratch/flat" --threads
again "$scratch/flat" --rows 2
again "$scratch/flat" -m prog
again "$scratch/flat" -l
again "$scratch/flat" -i
again "$scratch/chains" -g
again "$scratch/chains" -c
again "$scratch/chains" --tree
again "$scratch/chains" --tree --threads
again "$scratch/chains" --tree --by-process
again "$scratch/chains" --callers
again "$scratch/chains" --around bar\ [prog]
again "$scratch/chains" -g -o folded:- -q
status 'the report while it is recorded' 0 board -a -k --record "$scratch/both"
same 'is the report' "$own/kernel.out" "$scratch/out"
same 'and the recording the same' "$scratch/flat" "$scratch/both"

status 'out of a process, by event' 0 fake -e page-faults -q --record "$scratch/events" 7
status 'its report' 0 back "$scratch/events"
same 'the same as live' "$own/page-faults.out" "$scratch/out"
status 'by uneven periods' 0 fake -e cycles -q --record "$scratch/cycles" 7
status 'its report' 0 back "$scratch/cycles"
same 'the same as live' "$own/weighted.out" "$scratch/out"

status 'onto standard output' 0 board -a -k --record -
same 'is the same recording' "$scratch/flat" "$scratch/out"
same 'its report is on standard error' "$own/kernel.out" "$scratch/err"
status 'from standard input' 0 sh -c "'$PSUITE' tprof --sysroot '$own/root' - < '$scratch/flat'"
same 'is the same report' "$own/kernel.out" "$scratch/out"

# --- by what is here, and by a bundle
status 'without any of its files' 0 "$PSUITE" tprof "$scratch/flat"
has 'the kernel has its names all the same' 'do_read \[kernel\]$' "$scratch/out"
has 'and so has the rest' 'bar \[prog\]$' "$scratch/out"
has 'all of it' ' 0\.0% unresolved' "$scratch/out"
for of in flat chains; do
  cp "$scratch/$of" "$scratch/bundle.$of"
  status "a bundle of $of" 0 back --bundle "$scratch/bundle.$of"
  holds 'the recording, and more' "$(size "$scratch/bundle.$of") > $(size "$scratch/$of")"
  ok 'which it begins with' cmp -n "$(size "$scratch/$of")" "$scratch/$of" "$scratch/bundle.$of"
done
status 'the bundle alone' 0 "$PSUITE" tprof "$scratch/bundle.flat"
same 'is the live report' "$own/kernel.out" "$scratch/out"
status 'the bundle alone, its tree' 0 "$PSUITE" tprof --tree "$scratch/bundle.chains"
same 'is the live tree' "$own/tree.out" "$scratch/out"
cp "$scratch/bundle.flat" "$scratch/twice"
status 'a bundle of a bundle' 0 "$PSUITE" tprof --bundle "$scratch/twice"
status 'reads the same' 0 "$PSUITE" tprof "$scratch/twice"
same 'as ever' "$own/kernel.out" "$scratch/out"

# --- two recordings
fakes later -a -k -t 1 -q --record "$scratch/later"
status 'a difference' 0 back --diff "$scratch/flat" "$scratch/later"
same 'tells what changed' "$own/diff.out" "$scratch/out"
status 'of one with itself' 0 back --diff "$scratch/flat" "$scratch/flat"
same 'is none' "$own/diff-same.out" "$scratch/out"
status 'as JSON' 0 back --diff --json "$scratch/flat" "$scratch/later"
if command -v python3 >/dev/null; then ok 'is JSON' python3 -m json.tool "$scratch/out"; else skip 'is JSON' 'no python3'; fi
status 'into a file' 0 back --diff -o "$scratch/diff" "$scratch/flat" "$scratch/later"
same 'the same' "$own/diff.out" "$scratch/diff"
status 'in a format that has no difference' 2 back --diff -o tree:- "$scratch/flat" "$scratch/later"
has 'is refused' '^tprof: -o: tree: cannot show a difference$' "$scratch/err"

# --- cut off, damaged, of another version, none
cut() { # cut BYTES: what is left of the recording is reported, with a warning
  head -c "$1" "$scratch/flat" > "$scratch/cut"
  status "cut off at $1 bytes" 0 back "$scratch/cut"
}
whole=$(size "$scratch/flat")
cut $((whole / 2))
has 'reports what is there' '^fake clock, user and kernel mode, 1000 Hz: [1-9][0-9]+ samples' "$scratch/out"
has 'and warns' '^tprof: the recording: (cut off|no end)' "$scratch/err"
cut $((whole - 1))
has 'the last byte is missed' '^tprof: the recording: cut off or damaged at its end' "$scratch/err"
cut $((whole - 2))
has 'the end is missed' '^tprof: the recording: incomplete: its writer was killed or could not write; what was written is reported$' "$scratch/err"
head -n 7 "$own/kernel.out" > "$scratch/rows"; head -n 7 "$scratch/out" > "$scratch/cut.rows"
same 'all samples are there' "$scratch/rows" "$scratch/cut.rows"
cp "$scratch/cut" "$scratch/unended"
status 'one without end can be a bundle' 0 back --bundle "$scratch/unended"
status 'and be read' 0 "$PSUITE" tprof "$scratch/unended"
has 'by name' 'foo \[prog\]$' "$scratch/out"
cut 8
same 'nothing but the beginning' "$own/empty.out" "$scratch/out"
says() { # says WHAT STATUS MESSAGE ARGUMENT...: the first line on standard error
  local what=$1 want=$2 message=$3; shift 3
  status "$what" "$want" "$PSUITE" tprof "$@"
  text 'says so' "tprof: $message" "$(sed -n "s|$scratch/||g; 1p" "$scratch/err")"
}
head -c $((whole / 2 + 1)) "$scratch/flat" > "$scratch/cut"
"$PSUITE" tprof "$scratch/cut" 2>&1 >/dev/null | grep -q 'cut off' || head -c $((whole / 2 + 2)) "$scratch/flat" > "$scratch/cut"
says 'a bundle of one cut off' 1 'cut: cut off or damaged: nothing can be added to it' --bundle "$scratch/cut"
{ head -c 7 "$scratch/flat"; printf '\002'; tail -c +9 "$scratch/flat"; } > "$scratch/version2"
says 'a newer version' 1 'version2: recording of version 2; this psuite reads version 1' "$scratch/version2"
echo hello > "$scratch/text"
says 'a text' 1 'text: neither a recording nor a perf.data file' "$scratch/text"
says 'an empty file' 1 'empty: empty' "$scratch/empty"
says 'no file' 1 'none: No such file or directory' "$scratch/none"
says 'a bundle of a text' 1 'text: neither a recording nor a perf.data file' --bundle "$scratch/text"

# --- where it is written
says 'over a recording' 1 'flat: File exists' -a -t 0.1 --record "$scratch/flat"
has 'how it would be' '^tprof: hint: use --force to overwrite it$' "$scratch/err"
status 'with -f' 0 board -f -a -k -q --record "$scratch/both"
same 'it is' "$scratch/flat" "$scratch/both"
says 'into no folder' 1 'nowhere/r: No such file or directory' -a -t 0.1 --record "$scratch/nowhere/r"
says 'an output into no folder' 1 'nowhere/r: No such file or directory' -a -t 0.1 -o "folded:$scratch/nowhere/r"
says 'an output over a file' 1 'text: File exists' -a -t 0.1 -o "folded:$scratch/text"
status 'an output of a file that cannot be written' 1 back -o "folded:$scratch/nowhere/r" "$scratch/flat"
same 'the report is not lost' "$own/kernel.out" "$scratch/out"
status 'a report that cannot be written' 1 back -o "$scratch/nowhere/r" "$scratch/flat"
has 'goes to standard error' 'do_read \[kernel\]$' "$scratch/err"
status '-q keeps the named report' 0 back -q -o "$scratch/report" "$scratch/flat"
same 'which is whole' "$own/kernel.out" "$scratch/report"
status 'two outputs and a report' 0 back -o "folded:$scratch/folded" -o "tree:$scratch/tree" -c "$scratch/chains"
same 'the tree' "$own/tree.out" "$scratch/tree"
same 'the report' "$own/cumulative.out" "$scratch/out"
has 'folded' '^main;foo;bar 400$' "$scratch/folded"

# --- what does not go together
wrong() { local message=$1; shift; says "tprof ${*/$scratch\//}" 2 "$message" "$@"; }
wrong '-a samples every process: it cannot be used with PID or FILE' -a 5
wrong '-a samples every process: it cannot be used with PID or FILE' -a "$scratch/flat"
wrong '-a samples every process: it cannot be used with PID or FILE' -a -p 5
wrong '-x: COMMAND is missing' -x
wrong '--diff: takes two recordings, OLD and NEW' --diff "$scratch/flat"
wrong '--diff: takes two recordings, OLD and NEW' --diff -a
wrong '--bundle cannot be used with -a, -x, PID or another FILE' --bundle "$scratch/flat" 1
wrong '--bundle cannot be used with -a, -x, PID or another FILE' -a --bundle "$scratch/flat"
wrong '-n reads the files of one PID in DIR: it cannot be used with -a or -x' -n . -a
wrong '-n reads the files of one PID in DIR: it cannot be used with -a or -x' -n . -x true
wrong '--top cannot be used with -x: start COMMAND in another terminal, and give its PID' --top -x true
wrong '--top: flat: not a process id' --top "$scratch/flat"
says 'a recording of a recording' 1 'flat: already a recording: --record cannot be used with it' --record "$scratch/r" "$scratch/flat"
wrong '-m cannot be used with -g, -c, --tree and the like: it selects rows of the table of functions' -m prog --tree "$scratch/flat"
wrong '-l cannot be used with call chains, which are shown by functions' -l --callers "$scratch/flat"
wrong '--around cannot be used with --json, which has all chains' --around bar --json "$scratch/flat"
wrong 'only one of --record - and -o FORMAT:- can use standard output: name files for the others' --record - -o folded:- -a
wrong '-q needs -o or --record: without them there is no output' -q "$scratch/flat"
wrong '-g: k: no such method (fp, cfi, auto; joined, as in -g=fp); put other option letters before the g' -gk 1
wrong '-E: frob: no such engine (perf, ptrace)' -E frob 1
wrong '-o: folded: FILE is missing' -o folded: "$scratch/flat"
status 'a format that is none' 2 "$PSUITE" tprof -o frob:x "$scratch/flat"
has 'is told with those that are' '^tprof: -o: frob: no such format \(.*folded.*tree.*\); for a file name with a colon: -o \./frob:x$' "$scratch/err"
says 'a function without samples' 1 'nowhere: no samples in a function of this name' --around nowhere "$scratch/chains"
status 'an event that is none' 1 fake -e frob 7
has 'is named' '^tprof: frob: no such event$' "$scratch/err"
printf 'event cycles\nevent instructions errno=2\nevent cache-misses errno=13\n' > "$scratch/events"
PSUITE_FAKE=$scratch/events status 'events' 0 "$PSUITE_FAKE_BIN" tprof -e list
text 'are listed, with the reason where one cannot be sampled' 'event         kind      sampled here
cpu-clock     software  yes
cycles        hardware  yes
instructions  hardware  no: no such counter (processor or VM)
cache-misses  hardware  no: kernel.perf_event_paranoid forbids it
also tracepoints as GROUP:NAME (folders of /sys/kernel/tracing/events), and rHEX, a raw number' "$(cat "$scratch/out")"
PSUITE_FAKE=$scratch/events status 'for programs' 0 "$PSUITE_FAKE_BIN" kprof -e list --json
has 'as JSON' '"event":"cache-misses","kind":"hardware","available":false,"why":"kernel.perf_event_paranoid forbids it"' "$scratch/out"
wrong '-e list takes no operand' -e list 7
finish
