# trace: Plan 9's stream, pages that kernels wrote (tests/tools/tracegrab.sh) on the fake platform, recordings, and what it says
# when it cannot.
. lib/check.sh
golden=$TESTS/golden/trace own=$TESTS/applets/trace

fake() { local s=$1; shift; PSUITE_FAKE=$own/$s.scenario "$PSUITE_FAKE_BIN" trace "$@"; }

# --- Plan 9's
status "Plan 9's stream" 0 "$PSUITE" trace -v "$golden/sched.trace"
same 'its lines' "$golden/verbose.out" "$scratch/out"
status 'by -d' 0 "$PSUITE" trace -d "$golden/sched.trace" -v
same 'the same' "$golden/verbose.out" "$scratch/out"
perl -e 'local $/; $_ = <STDIN>; print pack("N*", map { @$_[0, 1, 3, 2] } map { [unpack "V4", $_] } unpack "(a16)*")' \
  < "$golden/sched.trace" > "$scratch/big"
status 'big-endian' 0 "$PSUITE" trace -v "$scratch/big"
same 'the same' "$golden/verbose.out" "$scratch/out"
status 'its summary' 0 "$PSUITE" trace "$golden/sched.trace"
same 'with what is always told' "$own/plan9.summary" "$scratch/out"

# --- its runs as Chrome's trace
status 'for Chrome' 0 "$PSUITE" trace -o chrome:- "$golden/sched.trace"
has 'a death is told beside it' '^task died 42 1.011s Dead$' "$scratch/err"
python3 - "$scratch/out" > "$scratch/spans" <<'EOF'
import decimal, json, sys
trace = json.load(open(sys.argv[1]), parse_float=decimal.Decimal)
for e in trace['traceEvents']:
    if e['ph'] == 'X' and e['cat'] == 'run':
        start = trace['otherData']['start_ns'] + int(e['ts'] * 1000)
        print(e['tid'], start, start + int(e['dur'] * 1000), sep='\t')
EOF
sort -t "$(printf '\t')" -k2n "$golden/spans.tsv" | awk 'NF' > "$scratch/want"
sort -t "$(printf '\t')" -k2n "$scratch/spans" > "$scratch/got"
same "the runs that Plan 9's trace draws, without that which a death ends" "$scratch/want" "$scratch/got"

# --- the same while it comes, through a pipe
# In the foreground timeout(1) sends no SIGCONT after its signal. That undoes the SIGSTOP with which LeakSanitizer stops a
# process that ends, and both then wait for ever.
mkfifo "$scratch/pipe"
timeout --foreground 20 "$PSUITE" trace -v "$scratch/pipe" > "$scratch/out" 2> "$scratch/err" & reader=$!
exec 7<> "$scratch/pipe" # both ways: opening waits for no reader
head -c 72 "$golden/sched.trace" >&7 # four events and a half
for _ in $(seq 400); do [ "$(cat "$scratch/out" 2>/dev/null | wc -l)" -lt 4 ] || break; sleep 0.05; done
head -n 4 "$golden/verbose.out" > "$scratch/want"
same 'events are printed before the stream has ended' "$scratch/want" "$scratch/out"
tail -c +73 "$golden/sched.trace" >&7
exec 7>&-
wait $reader; text 'its end ends the trace' 0 $?
same 'all events' "$golden/verbose.out" "$scratch/out"
rm "$scratch/out" # or what the last left there is counted
timeout --foreground 20 "$PSUITE" trace -v "$scratch/pipe" > "$scratch/out" 2> "$scratch/err" & reader=$!
exec 7<> "$scratch/pipe" # both ways: opening waits for no reader
head -c 72 "$golden/sched.trace" >&7
for _ in $(seq 400); do [ "$(cat "$scratch/out" 2>/dev/null | wc -l)" -lt 4 ] || break; sleep 0.05; done
kill -TERM $reader; wait $reader; text 'a signal ends it in order' 0 $?
exec 7>&-
status 'a recording through a pipe' 0 sh -c "cat $golden/board-arm64.rec | $PSUITE trace -e -"
same 'the same events' "$golden/board-arm64.events" "$scratch/out"
status 'neither, through a pipe' 1 sh -c "echo hello, world, hello | $PSUITE trace -"
status 'nothing, through a pipe' 1 sh -c ": | $PSUITE trace -"

# --- some processes of a file
awk '$1 == 7 || $1 == 42 || /^task died 42 /' "$golden/verbose.out" > "$scratch/want"
status 'two processes of a stream' 0 "$PSUITE" trace -d "$golden/sched.trace" -v 7 42
same 'their lines' "$scratch/want" "$scratch/out"
awk '$3 == 121 || / User /' "$golden/board-arm64.events" > "$scratch/want"
status 'by -p' 0 "$PSUITE" trace "$golden/sched.trace" -p 7 -v -p 42
awk '$1 == 7 || $1 == 42 || /^task died 42 /' "$golden/verbose.out" > "$scratch/both"
same 'the same lines' "$scratch/both" "$scratch/out"
status 'a process of a recording' 0 "$PSUITE" trace -d "$golden/board-arm64.rec" -e 121
same 'its events' "$scratch/want" "$scratch/out"
awk '($3 >= 118 && $3 <= 122) || / User /' "$golden/board-arm64.events" > "$scratch/want"
status 'one that started others' 0 "$PSUITE" trace -d "$golden/board-arm64.rec" -e 118
same 'its events and theirs' "$scratch/want" "$scratch/out"

# --- what boards recorded (tests/guest opens the same two on boards)
for board in arm64 armhf; do
  status "recorded on $board" 0 "$PSUITE" trace -v --all "$golden/board-$board.rec"
  same "$board: the lines that it printed itself" "$golden/board-$board.verbose" "$scratch/out"
  grep -vE ' (Migrate|Fork|Exec|Softs|Softe)$' "$golden/board-$board.verbose" > "$scratch/plan9"
  status "$board: Plan 9's names" 0 "$PSUITE" trace -v "$golden/board-$board.rec"
  same "$board: -v alone prints no others" "$scratch/plan9" "$scratch/out"
  grep -vE ' (Migrate|Fork|Exec)$' "$golden/board-$board.verbose" > "$scratch/interrupts"
  status "$board: with interrupts" 0 "$PSUITE" trace -v --interrupts "$golden/board-$board.rec"
  same "$board: softirqs are printed when they are asked for" "$scratch/interrupts" "$scratch/out"
  status "$board: a summary of the whole system" 0 "$PSUITE" trace "$golden/board-$board.rec"
  hasnt "$board: has no line for each death" '^task died' "$scratch/out"
  died=$(awk '/^task died/ { print $3; exit }' "$golden/board-$board.verbose")
  grep "^task died $died " "$golden/board-$board.verbose" > "$scratch/died"
  status "$board: a summary of one process" 0 "$PSUITE" trace -d "$golden/board-$board.rec" "$died"
  grep '^task died' "$scratch/out" > "$scratch/got"
  same "$board: has the line of its death" "$scratch/died" "$scratch/got"
done

# --- one stream: with -x all on standard error
for lines in -v -e '-v --json'; do
  fake command $lines -x true > "$scratch/out" 2> "$scratch/err"
  holds "$lines -x: events on standard error" "$(grep -c 26961 "$scratch/err") > 100"
  text "$lines -x: nothing on standard output" '' "$(head -3 "$scratch/out")"
  status "$board: events" 0 "$PSUITE" trace -e "$golden/board-$board.rec"
  same "$board: the events that it printed itself" "$golden/board-$board.events" "$scratch/out"
done

# --- processes of which some are missing
status 'two missing of three' 0 fake command -s 1 -v 999999 26961 999998
has 'the first is reported' '^trace: process 999999: No such process$' "$scratch/err"
has 'the last is reported' '^trace: process 999998: No such process$' "$scratch/err"
holds 'the other is traced' "$(grep -c '^26961 ' "$scratch/out") > 100"
cp "$scratch/out" "$scratch/want"
status 'by -p, with options behind an operand' 0 fake command -p 26961 999999 -v -s 1
same 'it is the same' "$scratch/want" "$scratch/out"
status 'all missing' 1 fake command -s 1 -v 999999 999998
text 'no events' '' "$(cat "$scratch/out")"

# --- system calls by the names of the machine that recorded them, and of its 32-bit programs
calls() { # calls MACHINE FLAGS NUMBER [TEXT]: a recording of one call, and of a text before
  python3 - "$@" > "$scratch/calls" <<'EOF'
import sys
machine, flags, number, texts = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:]
def varint(n):
    out = b''
    while n > 127: out += bytes([n & 127 | 128]); n >>= 7
    return out + bytes([n])
text = lambda s: varint(len(s)) + s.encode()
record = lambda kind, body: varint(kind) + varint(len(body)) + body
CALL, WHAT, MORE, CPU, FLAGS = 16, 64, 128, 1, 16
event = bytes([CALL | WHAT | MORE, CPU | FLAGS]) + varint(2 * 1000) + varint(2 * 7) + varint(number) + varint(0) + bytes([flags])
sys.stdout.buffer.write(b'pstrace\1' + record(1, text('machine') + text(machine)) + b''.join(record(4, text(t)) for t in texts) + record(3, event) + record(5, b''))
EOF
  "$PSUITE" trace -e "$scratch/calls" | sed 's/.* Call //'
}
text 'of x86-64' openat "$(calls x86_64 0 257)"
text 'of a 32-bit program there' openat "$(calls x86_64 8 295)"
text 'of arm64' openat "$(calls aarch64 0 56)"
text 'of a 32-bit program there' openat "$(calls aarch64 8 322)"
text 'of armhf' openat "$(calls armv7l 0 322)"
text 'of a machine without a table' 257 "$(calls mips 0 257)"
text 'a number without a name' 9999 "$(calls x86_64 0 9999)"
calls aarch64 0 56 >/dev/null
status 'in JSON' 0 "$PSUITE" trace -e --json "$scratch/calls"
has 'with its number' '"what":56,"call":"openat"' "$scratch/out"
status 'for Chrome' 0 "$PSUITE" trace -o chrome:- "$scratch/calls"
has 'too' '"number":56,"call":"openat"' "$scratch/out"

# --- functions of the kernel among them: by the number of a text
text 'a function' vfs_read "$(calls x86_64 0 $((1 << 31 | 1)) vfs_read)"
status 'for Chrome' 0 "$PSUITE" trace -o chrome:- "$scratch/calls"
has 'by its name' '"call":"vfs_read"' "$scratch/out"
status 'as a picture' 0 "$PSUITE" trace -o svg:- "$scratch/calls"
has 'with its name' '<title>Call vfs_read</title>' "$scratch/out"
text 'one without a text' 2147483656 "$(calls x86_64 0 $((1 << 31 | 8)) vfs_read)"

# --- pages of kernels: arm64, armhf (whose longs are 4 bytes), and one that had too little room
for kernel in arm64 armhf lost; do
  more=--interrupts; [ $kernel != lost ] || more=
  status "$kernel: summary" 0 fake $kernel -s 1 $more # the clock is the scenario's
  same "$kernel: its rows" "$own/$kernel.summary" "$scratch/out"
  status "$kernel: events" 0 fake $kernel -s 1 -e
  same "$kernel: each" "$own/$kernel.events" "$scratch/out"
  status "$kernel: a recording" 0 fake $kernel -s 1 -o "$scratch/$kernel.rec" $more
  status "$kernel: read again" 0 "$PSUITE" trace "$scratch/$kernel.rec"
  sed 's/by fake tracefs/by recording/; s/events in [0-9.]* s/events in T/' "$own/$kernel.summary" | awk '/^cpu/ { exit } { print }' > "$scratch/want"
  sed 's/events in [0-9.]* s/events in T/' "$scratch/out" | awk '/^cpu/ { exit } { print }' > "$scratch/got"
  same "$kernel: the same" "$scratch/want" "$scratch/got"
  fake $kernel -s 1 -e $more > "$scratch/live"
  "$PSUITE" trace -e "$scratch/$kernel.rec" > "$scratch/again"
  same "$kernel: event by event" "$scratch/live" "$scratch/again"
  events=$(wc -l < "$scratch/again") bytes=$(stat -c %s "$scratch/$kernel.rec")
  holds "$kernel: at most 16 bytes an event ($bytes / $events)" "$bytes <= 16 * $events"
done
has 'a loss stands where it happened' ' 0 -1  Lost [0-9]+$' "$own/lost.events"
fake lost -s 1 >/dev/null 2>"$scratch/err"
has 'and is told' '^trace: [0-9]+ events lost at 2 places: use a larger -b' "$scratch/err"

status 'latencies' 0 fake arm64 -s 1 --latency --rows 1
same 'as histograms' "$own/arm64.latency" "$scratch/out"
status 'JSON' 0 fake arm64 -s 1 --json --rows 2
same 'the same as JSON' "$own/arm64.json" "$scratch/out"
status 'events as JSON' 0 fake arm64 -s 1 -e --json
text 'as many as lines' "$(wc -l < "$own/arm64.events")" "$(wc -l < "$scratch/out")"
has 'each an object' '^\{"psuite":1,"applet":"trace","time_ns":[0-9]+,"kind":"Run","cpu":0,"pid":[0-9]+,"name":"[^"]+","priority":[0-9]+\}$' "$scratch/out"

# --- late wake-ups, and who ran instead
status 'delays' 0 fake arm64 -s 1 --delays=0.00005 --rows 8
same 'with who ran meanwhile' "$own/arm64.delays" "$scratch/out"
status 'those of a recording' 0 "$PSUITE" trace --delays=0.00005 --rows 8 "$scratch/arm64.rec"
tail -n +2 "$own/arm64.delays" > "$scratch/want"; tail -n +2 "$scratch/out" > "$scratch/got"
same 'the same' "$scratch/want" "$scratch/got"
status 'as JSON' 0 "$PSUITE" trace --delays --json "$scratch/arm64.rec"
cp "$scratch/out" "$scratch/delays.json"
status 'whose times add up' 0 python3 - "$scratch/delays.json" <<'EOF'
import json, sys
report = json.load(open(sys.argv[1]))
delays = report["delays"]
assert 10 < len(delays) <= 100 and "late_wakeups" not in report, len(delays)
assert [d["late_ns"] for d in delays] == sorted((d["late_ns"] for d in delays), reverse=True)
longest = {}
for d in delays:
    assert d["at_ns"] - d["since_ns"] == d["late_ns"] and d["kind"] == "wake-up", d
    assert sum(r["run_ns"] for r in d["meanwhile"]) + d["others_run_ns"] + d["idle_ns"] <= d["late_ns"], d
    longest[d["pid"]] = max(longest.get(d["pid"], 0), d["late_ns"])
tasks = {t["pid"]: t["wakeup"]["max_ns"] for t in report["tasks"] if t["wakeup"]["count"]}
assert max(tasks.values()) == delays[0]["late_ns"]
for pid, ns in longest.items(): assert tasks[pid] == ns, (pid, ns, tasks[pid])
EOF
read -r at task < <(awk '$1 ~ /^[0-9]+\.[0-9]+$/ { print $1, $4; exit }' "$own/arm64.delays")
status 'a page at one of them' 0 "$PSUITE" trace --delays=0.00005 --at "$at" -o "html:$scratch/at.html" "$scratch/arm64.rec"
has 'opens there' "id=\"data\" data-pid=\"$task\" data-at=\"[0-9]+\" data-took=\"[0-9]+\"" "$scratch/at.html"
text 'and lists them all' "$(sed -n 's/^\([0-9]*\) wake-ups took.*/\1/p' "$own/arm64.delays")" "$(grep -c '^<tr tabindex="0" data-pid' "$scratch/at.html")"

# --- recordings that are cut
for cut in 9 100 1000; do
  head -c $(($(stat -c %s "$scratch/arm64.rec") - cut)) "$scratch/arm64.rec" > "$scratch/cut"
  status "cut by $cut bytes" 0 "$PSUITE" trace -e "$scratch/cut"
  has 'is told' "^trace: $scratch/cut: its end is missing or damaged$" "$scratch/err"
  head -n "$(wc -l < "$scratch/out")" "$scratch/live" >/dev/null
done
printf 'pstrace\2' > "$scratch/newer"
status 'of another version' 1 "$PSUITE" trace "$scratch/newer"
has 'is told' '^trace: recording of version 2; this psuite reads version 1$' "$scratch/err"
echo 'no trace at all, but some text' > "$scratch/text"
status 'no recording' 1 "$PSUITE" trace "$scratch/text"
has 'is told' "^trace: $scratch/text: neither a recording of trace nor Plan 9's events$" "$scratch/err"
status 'no file' 1 "$PSUITE" trace "$scratch/none"

# --- options
status 'over an existing file' 1 fake arm64 -s 1 -o "$scratch/text"
status 'with -f' 0 fake arm64 -s 1 -f -o "$scratch/text"
status '-x without a command' 2 "$PSUITE" trace -x
status '-x to read a file' 2 "$PSUITE" trace -d "$scratch/cut" -x ls
status '-s of a recording' 2 "$PSUITE" trace -s 1 "$scratch/cut"
status '-o of a recording' 2 "$PSUITE" trace -o "$scratch/x" "$scratch/cut"
status 'a buffer too large' 2 "$PSUITE" trace -b 9000
status 'mark without a text' 2 "$PSUITE" trace mark
status 'the text of a mark' 1 fake arm64 mark --frob -t
hasnt 'has no options' 'no such option' "$scratch/err"
status '-t of a process that is not there' 1 fake arm64 -t 999999
has 'is reported' '^trace: -t: process 999999: No such process$' "$scratch/err"
has 'with the letter of seconds' '^trace: hint: -s SECONDS is the time limit$' "$scratch/err"
status 'mark without a trace' 1 fake arm64 mark here
cp -r "$own" "$scratch/tty"
{ echo 'tty 80x24'; cat "$own/arm64.scenario"; } > "$scratch/tty/tty.scenario"
PSUITE_FAKE=$scratch/tty/tty.scenario status 'messages on a terminal' 0 "$PSUITE_FAKE_BIN" trace -s 1 -o "$scratch/tty/rec"
has 'say what is traced' '^tracing all processes for 1 s, Ctrl-C ends' "$scratch/err"
has 'and what was written' "wrote $scratch/tty/rec \\(psuite trace $scratch/tty/rec\\)\$" "$scratch/err"
printf 'fail trace_open EACCES\n' > "$scratch/closed.scenario"
PSUITE_FAKE=$scratch/closed.scenario status 'tracing refused' 1 "$PSUITE_FAKE_BIN" trace -s 1
has 'is told' '^trace: trace_open: Permission denied$' "$scratch/err"
# --- a warning fits a terminal's line, with numbers of five digits too
PSUITE_FAKE=$TESTS/applets/trace/lost.scenario status 'switches that are missing' 0 "$PSUITE_FAKE_BIN" trace --summary -s 1
has 'are counted' '^trace: [0-9]+ switches missing in the kernel' "$scratch/err"
holds 'in 80 columns' "$(grep 'switches missing' "$scratch/err" | sed 's/[0-9][0-9]*/12345/' | wc -L) <= 80"
finish
