#!/bin/bash
# trace's timeline on the scripted terminal, live and of recordings; how it is chosen; and files it writes.
. "$(dirname "$0")/../lib/check.sh"
own=$TESTS/golden/trace_view golden=$TESTS/golden/trace

# view NAME ARG...: under NAME.scenario the screens are NAME.out
view() {
  local name=$1; shift
  PSUITE_FAKE=$own/$name.scenario status "$name" 0 "$PSUITE_FAKE_BIN" trace "$@"
  cat "$scratch/err" >> "$scratch/out"
  same "$name: the screens" "$own/$name.out" "$scratch/out"
  hasnt "$name: nothing but what a terminal knows" 'STRANGE|not restored' "$own/$name.out"
}
view plan9 "$golden/sched.trace" # on a terminal a picture is what is wanted
view vt100 -w "$golden/sched.trace"
view live
view triggered --late 0.00001
cd "$scratch"
view saved # its key s, twice
for saved in 1 2; do
  events=$(sed -n "s/.*saved: psuite-trace-$saved.rec, \([0-9]*\) events.*/\1/p" "$own/saved.out" | head -1)
  status "what was saved, $saved" 0 "$PSUITE" trace -e psuite-trace-$saved.rec
  head -n "${events:-0}" "$TESTS/applets/trace/arm64.events" > "$scratch/want"
  same "$saved: the first $events events" "$scratch/want" "$scratch/out"
done
holds 'the second has more' "$(stat -c %s psuite-trace-2.rec) > $(stat -c %s psuite-trace-1.rec)"
cd - >/dev/null

status 'no terminal' 1 "$PSUITE" trace -w "$golden/sched.trace"
has 'is said' '^trace: standard output is not a terminal$' "$scratch/err"
has 'with a way' '^trace: hint: .*-o html:FILE' "$scratch/err"
status 'a picture or a text' 2 "$PSUITE" trace -w -v "$golden/sched.trace"
status 'a format that is none' 2 "$PSUITE" trace -o pdf:x "$golden/sched.trace"
has 'is told with those that are' 'pdf: no such format \(html svg chrome\)' "$scratch/err"
status 'a span of no file' 2 "$PSUITE" trace --from 1 "$golden/sched.trace"
status 'late in no time' 2 "$PSUITE" trace --late 0 "$golden/sched.trace"

# --- files, of Plan 9's events and of a kernel's
status 'three at once' 0 "$PSUITE" trace -o "html:$scratch/p.html" -o "svg:$scratch/p.svg" -o "chrome:$scratch/p.json" "$golden/sched.trace"
text 'nothing is printed' '' "$(grep -v 'task died\|Illegal event' "$scratch/out")"
same 'SVG' "$own/plan9.svg" "$scratch/p.svg"
same 'Chrome' "$own/plan9.json" "$scratch/p.json"
has 'HTML' '^<p>5 tasks, 9 runs in 61.500ms</p>$' "$scratch/p.html"
status 'over an existing file' 1 "$PSUITE" trace -o "svg:$scratch/p.svg" "$golden/sched.trace"
status 'with -f' 0 "$PSUITE" trace -f -o "svg:$scratch/p.svg" "$golden/sched.trace"
status 'to standard output' 0 "$PSUITE" trace -o svg:- "$golden/sched.trace"
has 'it comes' '^<svg ' "$scratch/out"
status 'a full disk' 1 "$PSUITE" trace -f -o chrome:/dev/full "$golden/sched.trace"
has 'is told' '^trace: /dev/full: No space left on device$' "$scratch/err"
PSUITE_FAKE=$TESTS/applets/trace/arm64.scenario status 'of a tracing, its last 10 ms' 0 "$PSUITE_FAKE_BIN" trace -s 1 --keep 0.01 -o "chrome:$scratch/k.json"
ok 'no more than that' python3 -c 'import json, sys
e = [e for e in json.load(open(sys.argv[1]))["traceEvents"] if e["ph"] == "X" and e["cat"] == "run"]
assert len(e) > 5 and max(x["ts"] + x["dur"] for x in e) <= 10000.001, len(e)' "$scratch/k.json"
PSUITE_FAKE=$TESTS/applets/trace/arm64.scenario status 'until a late wake-up' 0 "$PSUITE_FAKE_BIN" trace -s 1 --late 0.00001 -o "svg:$scratch/l.svg"
has 'which is told' '^trace: [0-9.]+ s: [0-9]+ .* waited to run [0-9.]+.?s on CPU [0-9]' "$scratch/err"
finish
