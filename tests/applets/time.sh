# time on the fake platform: every report against its golden, every failure's words and status.
. "$(dirname "$0")/../lib/check.sh"
G=$TESTS/golden/time

# on SCENARIO ARGUMENT...: the applet on that scenario
on() { local scenario=$1; shift; PSUITE_FAKE=$G/$scenario.scenario "$PSUITE_FAKE_BIN" time "$@"; }
# golden NAME STATUS SCENARIO ARGUMENT...: what it writes to stderr is golden/time/NAME.out, nothing to stdout
golden() {
  local name=$1 want=$2; shift 2
  status "$name: status" "$want" on "$@"
  same "$name" "$G/$name.out" "$scratch/err"
  ok "$name: nothing on standard output" test ! -s "$scratch/out"
}

status "no command: status" 2 on one
text "no command: Plan 9's usage" "usage: time command" "$(head -1 "$scratch/err")"
status "options and no command" 2 on one -v
text "options and no command: the same usage" "usage: time command" "$(head -1 "$scratch/err")"
has "and where the options are" "^time: see \`psuite help time'$" "$scratch/err"

golden line 3 one false a b c d e f
golden core 139 core crash
golden verbose 3 one -v prog
golden counters 3 one -c prog
golden shared 0 shared -v -ccycles,instructions prog
golden never 0 never -ccycles prog
golden dead 0 dead -ccycles,instructions,branches,branch-misses prog
golden dead-series 0 dead -n 2 -ccycles,instructions,branches,branch-misses prog
golden series 4 series -i -n 10 -w 2 prog arg
golden series-verbose 4 series -n 10 -i -w 2 -v prog arg
golden stopped 4 series -n 10 -w 2 prog arg
golden two 0 two -n 3 -ccycles,instructions -- a b -- c d
golden markdown 0 two -n 3 --markdown -- a 'b|c' -- c d
golden heading 0 two -n 2 -- sh -c 'a; b' -- "it's" '' -- x $'2\nlines'
golden markdown-backtick 0 two -n 3 --markdown -- sh -c 'echo `a`' -- sh -c 'echo ``'
golden markdown-rounds 0 slower -n 10 --markdown -- old -- new
golden verdict-faster 0 faster -n 10 -- sh -c old -- new
golden verdict-words 0 faster -n 10 -- sh -c 'old; it' -- new
long=a-command-with-a-name-that-is-too-long-for-a-sentence
golden verdict-long 0 slower -n 10 -- old -- $long
golden verdict-equal 0 slower -n 10 -- same -- same
golden csv 0 two -n 3 --csv -- a 'b,c' -- c '"d"'
golden csv-parameter 0 two -n 1 --parameter n=1..2 --parameter 'how=x,"y"' --csv prog {n} {how}
golden series-counters 0 counted -n 3 -ctask-clock,page-faults,cycles,instructions prog
golden parameter 0 two -n 1 --parameter n=1..2 --parameter how=x,y prog {n} {how}
golden gate-pass 0 equal --gate 3% -- old -- new
golden gate-fail 3 slower --gate 3 -- old -- new
golden gate-cpu 0 cpu-gate --gate 3% --cpu -- old -- new
golden json-gate 4 noisy --gate 3% --json -- old -- new
golden gate-failed 1 broken-gate --gate 3% -- old -- new
golden interrupt 130 interrupt -n 10 prog
golden warmup-interrupt 130 interrupt -n 10 -w 5 prog
golden key-single 0 key prog
golden progress 0 progress -n 5 prog

# what runs already
golden running 0 running -p 42,43 -ctask-clock,context-switches,page-faults,cycles,instructions,cache-misses
golden intervals 0 running -p 42,43 -I 1 -ctask-clock,context-switches,page-faults,cycles,instructions,cache-misses
golden csv-running 0 running -p 42,43 --csv -ctask-clock,cycles,cache-misses
golden csv-intervals 0 running -p 42,43 -I 1 --csv -ctask-clock,cycles,cache-misses
golden json-running 0 running -p 42,43 --json -ctask-clock,cycles,cache-misses
golden json-intervals 0 running -p 42,43,42 -I 1 --json -ctask-clock,cycles,cache-misses
golden machine 0 machine -a
golden machine-intervals 0 machine -a -I 1
golden machine-clocks 0 machine -a -t 1 -ccpu-clock,task-clock,page-faults
golden json-machine 0 machine -a --json -ccpu-clock,page-faults
golden asleep 0 asleep -p 42 -ccycles,task-clock
golden gone 1 gone -p 42 -ccycles
golden refused 1 refused -a -ccycles
status "intervals of which some were missed" 0 on machine -a -I 500ms -t 1 -cpage-faults
text "these are one, and the totals follow" 2 "$(grep -c 'page-faults' "$scratch/err")"
status "-p with -o" 0 on running -p 42 -ccycles -I 1 -o "$scratch/running"
has "-p with -o: intervals" '^    1\.500  cycles ' "$scratch/running"
has "-p with -o: totals" '^process 42, at first 5 threads: ' "$scratch/running"
ok "-p with -o: nothing on standard error" test ! -s "$scratch/err"
status "-p with -o FILE again" 1 on running -p 42 -ccycles -o "$scratch/running"
status "a PID that fails leaves no file" 1 on gone -p 42 -ccycles -o "$scratch/gone"
ok "it is not there" test ! -e "$scratch/gone"
# refuses WORDS ARGUMENT...: a usage error with these words
refuses() { local words=$1; shift; status "$*" 2 on running "$@"; text "$*: why" "time: $words" "$(head -1 "$scratch/err")"; }
for list in '' , 0 -1 1, ,1 1,,2 x 1x ' 1' 2147483648 99999999999999999999; do
  refuses "-p: $list: not a PID, nor PIDs with commas between" -p "$list"
done
refuses '-p: at most 64 processes' -p "$(seq -s, 65)"
refuses '-a: it counts all processes: without -p' -a -p 42
refuses '-p: sleep: it takes no COMMAND; -t SECONDS ends it' -p 42 sleep 5
refuses '-a: sleep: it takes no COMMAND; -t SECONDS ends it' -a -- sleep 5
refuses '-I: not less than 1ms' -p 42 -I 1us
refuses '-t: only with -p or -a' -t 5 sleep 5
refuses '-I: only with -p or -a' -I 1 sleep 5
for option in -v '-n 3' '-w 1' -i '--gate 3%' --cpu --show-output '--prepare x' '--setup x' '--cleanup x' '--parameter n=1,2' --markdown; do
  refuses "${option%% *}: not with -a" $option -a
done

golden json 3 one --json -c prog "a b"
golden json-two 0 two --json -n 3 -ccycles,instructions -- a b -- c d
for name in json-running json-machine; do
  text "$name is one JSON value" 1 "$(python3 -c 'import json, sys; print(len([json.loads(line) for line in sys.stdin]))' <"$G/$name.out")"
done
text "json-intervals is one a line, whose counts add up to the last" 'True 4' "$(python3 -c '
import json, sys
*part, total = [json.loads(line) for line in sys.stdin]
print(sum(p["real_ns"] for p in part) == total["real_ns"] == part[-1]["end_ns"], len(part) + 1)' <"$G/json-intervals.out")"
for name in json json-two json-gate; do
  if command -v python3 >/dev/null; then
    ok "$name is JSON" python3 -m json.tool "$G/$name.out"
  else
    skip "$name is JSON" "no python3"
  fi
done

# `--' belongs to the command unless it ended our own options in a series
status "a command's own --" 0 on shared git log -- file
has "is printed with it" 'git log -- file' "$scratch/err"
status "also with -n" 0 on two -n 1 git log -- file
has "as one command" '1 run of `git log -- file' "$scratch/err"
status "also without -n behind --" 0 on shared -- git log -- file
has "likewise one command" 'git log -- file' "$scratch/err"

golden notfound 127 notfound prog
golden denied 126 denied prog
golden nofork 1 nofork prog
golden noexec 126 noexec prog
golden vanished 127 vanished -n 3 prog
golden broken 1 broken prog
golden badevent 2 one -cnonsense prog
golden emptyevent 2 one -ccycles, prog
golden badruns 2 one -n 0 prog
golden lonewarmup 2 one -w 3 prog
golden nocommand 2 one -n 3 -- a -- -- b
golden badoption 2 one -z prog
golden gate-less-cpu 2 one --cpu -n 9 -- a -- b
golden badgate 2 one --gate 0 -- a -- b
golden gate-runs 2 one --gate 3% -n 9 -- a -- b
golden gate-one 2 one --gate 3% prog
golden badparameter 2 one -n 1 --parameter n=3..1 prog
golden manycommands 2 one -n 1 --parameter n=1..100 --parameter m=1..100 prog
for option in -i --show-output '--prepare x' '--setup x' '--cleanup x' '--parameter n=1,2' --markdown --csv; do
  status "$option without a series: status" 2 on one $option prog
  has "$option without a series" "only with -n$" "$scratch/err"
done

status "-o FILE" 3 on one -o "$scratch/report" prog a
same "-o FILE: the report" "$G/output.out" "$scratch/report"
ok "-o FILE: nothing on standard error" test ! -s "$scratch/err"
status "-o FILE again" 1 on one -o "$scratch/report" prog b
has "-o FILE again: says so" '^time: .*/report: File exists$' "$scratch/err"
has "-o FILE again: the hint" 'use --force to overwrite it' "$scratch/err"
same "-o FILE again: kept" "$G/output.out" "$scratch/report"
status "-f" 3 on one -f -o "$scratch/report" prog b
has "-f: written" 'prog b' "$scratch/report"
status "-o -" 3 on one -o - prog a
same "-o -: on standard output" "$G/output.out" "$scratch/out"
status "-o in a folder that is not there" 1 on one -o "$scratch/no/report" prog
if [ -w /dev/full ]; then
  status "a full disk" 1 on shared -f -o /dev/full prog
  has "a full disk is told" 'No space left' "$scratch/err"
  status "a report that standard error does not take" 1 bash -c '"$0" time true 2> /dev/full' "$PSUITE"
  status "the command's own status stays" 4 bash -c '"$0" time sh -c "exit 4" 2> /dev/full' "$PSUITE"
fi

status "help" 0 on one --help
has "help: the usage" '^usage: time \[-v\]' "$scratch/out"
ok "help: at most 80 columns" awk 'length > 80 { exit 1 }' "$scratch/out"
for f in "$G"/*.out; do
  case $f in */json* | */csv*.out | */verdict-long.out | */progress.out | */*intervals.out) continue;; esac
  ok "$(basename "$f"): at most 80 columns" awk 'length > 80 { exit 1 }' "$f"
done
finish
