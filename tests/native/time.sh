# time on this machine: the command's status, streams and signals are its own; known workloads measure as known.
. "$(dirname "$0")/../lib/check.sh"
: "${WORK:=$TESTS/../build/work}"
export PSUITE scratch # for sh -c '...', which has them as they are, with blanks
t() { "$PSUITE" time "$@"; }

# field REPORT LABEL: the amount on that line of a -v or -c table
field() { sed -n "s/^$2  *\(<= \)\{0,1\}\([0-9][0-9]*\).*/\2/p" "$1"; }

# --- status ---
status "exit 0" 0 t true
status "exit 3" 3 t sh -c 'exit 3'
has "exit 3: the line" '^[0-9]+\.[0-9]{2}u [0-9]+\.[0-9]{2}s [0-9]+\.[0-9]{2}r 	 sh -c exit 3  # status=exit 3$' "$scratch/err"
status "SIGTERM" 143 t "$WORK/end_by" 15
has "SIGTERM: the line" '# status=signal 15 SIGTERM$' "$scratch/err"
(cd "$scratch" && ulimit -c 0 && "$PSUITE" time "$WORK/end_by" 11 2>err); text "SIGSEGV" 139 $?
has "SIGSEGV: the line" '# status=signal 11 SIGSEGV$' "$scratch/err"
if [ -n "${PSUITE_SANITIZE:-}" ]; then
  skip "SIGSEGV with a core" "the sanitizer forbids core files to all that is started"
elif core=$(cat /proc/sys/kernel/core_pattern) && [[ $core != "|"* && ( $core != /* || -d ${core%/*}/ ) ]] && (ulimit -c unlimited) 2>/dev/null; then
  (cd "$scratch" && ulimit -c unlimited && "$PSUITE" time "$WORK/end_by" 11 2>err)
  has "SIGSEGV with a core" '# status=signal 11 SIGSEGV \(core dumped\)$' "$scratch/err"
else
  skip "SIGSEGV with a core" "core files go to a program here, or nowhere"
fi
status "not found" 127 t psuite-no-such-program
text "not found: says so" "time: psuite-no-such-program: No such file or directory" "$(cat "$scratch/err")"
status "a line in quotes is not found" 127 t 'psuite-no-such-program -x'
has "and a shell is the remedy" "^time: hint: write it without quotes, or run a shell: sh -c 'psuite-no-such-program -x'$" "$scratch/err"
status "events behind a blank are no command" 127 t -c page-faults,cpu-clock true
has "and how they are given" '^time: hint: events are joined to the option: -cpage-faults,cpu-clock$' "$scratch/err"
status "another word gets no such hint" 127 t -c psuite-no-such-program
hasnt "which is for events" 'hint' "$scratch/err"
status "a folder" 126 t /
status "not executable" 126 t /etc/passwd
text "not executable: says so" "time: /etc/passwd: Permission denied" "$(cat "$scratch/err")"

# --- PATH, scripts ---
mkdir "$scratch/a" "$scratch/b"
printf 'echo "script $1 $2"\n' >"$scratch/b/tool"; chmod +x "$scratch/b/tool"
printf 'echo no\n' >"$scratch/a/tool"
PATH=$scratch/a:$scratch/b:$PATH status "a script without #!, behind one that may not be executed" 0 t tool "x y" z
text "the script's arguments" "script x y z" "$(cat "$scratch/out")"
PATH=$scratch/a:$PATH status "only one that may not be executed" 126 t tool
PATH=$scratch/nowhere: status "an empty part of PATH is here" 127 t psuite-no-such-program
(cd "$scratch/b" && PATH= "$PSUITE" time tool 1 2 >"$scratch/out" 2>/dev/null); text "an empty PATH is here" "script 1 2" "$(cat "$scratch/out")"
printf '#!/no/such/interpreter\n' >"$scratch/b/lost"; chmod +x "$scratch/b/lost"
status "an interpreter that is not there" 127 t "$scratch/b/lost"

# --- streams ---
text "standard input and output" "HELLO" "$(echo hello | t tr a-z A-Z 2>/dev/null)"
t sh -c 'echo out; echo err >&2' >"$scratch/o" 2>"$scratch/e"
text "standard output is the command's" "out" "$(cat "$scratch/o")"
text "standard error: the command's first" "err" "$(head -1 "$scratch/e")"
text "no descriptor of ours is left to it" "$(ls /proc/self/fd | wc -l)" "$(t -n 1 --show-output -c ls /proc/self/fd 2>/dev/null | wc -l)"

# --- signals ---
# in_group SIGNAL WHOM COMMAND...: starts it in a session of its own, sends the signal to the group or to psuite only
in_group() {
  local signal=$1 whom=$2 pid; shift 2
  rm -f "$scratch/ready" # of a series that went on after the last signal was sent
  setsid "$PSUITE" time "$@" >"$scratch/out" 2>"$scratch/err" &
  pid=$!
  until_ok test -e "$scratch/ready"
  rm -f "$scratch/ready"
  if [ "$whom" = group ]; then kill -"$signal" -- -"$pid"; else kill -"$signal" "$pid"; fi
  wait "$pid"
}
set +m
if command -v setsid >/dev/null; then
  # A shell's background job starts with SIGINT ignored, which stays so for the command: env takes the default back.
  if env --default-signal=INT,QUIT true 2>/dev/null; then
    with_default() { local signal=$1 whom=$2; shift 2; local keep=$PSUITE
      printf '#!/bin/sh\nexec env --default-signal=INT,QUIT "%s" "$@"\n' "$keep" >"$scratch/front"; chmod +x "$scratch/front"
      PSUITE=$scratch/front; in_group "$signal" "$whom" "$@"; local got=$?; PSUITE=$keep; return $got; }
    with_default INT group sh -c 'touch "$scratch/ready"; exec sleep 20'; text "^C: status" 130 $?
    has "^C: the line is printed" '# status=signal 2 SIGINT$' "$scratch/err"
    with_default INT group sh -c 'trap "exit 5" INT; touch "$scratch/ready"; while :; do sleep 0.1; done'; text "^C caught by the command" 5 $?
    has "^C caught: the line" '# status=exit 5$' "$scratch/err"
    with_default QUIT group sh -c 'ulimit -c 0; touch "$scratch/ready"; exec sleep 20'; text "the quit key" 131 $?
    with_default INT psuite sh -c 'touch "$scratch/ready"; sleep 0.3'; text "an interrupt for time alone does not end the command" 0 $?
    with_default INT group -n 50 sh -c 'touch "$scratch/ready"; exec sleep 0.2'; text "^C in a series: status" 130 $?
    has "^C in a series: a report" '\(interrupted: 50 were requested\)$' "$scratch/err"
  else
    skip "^C" "no env --default-signal"
  fi
  in_group TERM psuite sh -c 'touch "$scratch/ready"; exec sleep 20'; text "SIGTERM is passed on" 143 $?
  has "SIGTERM: the line" '# status=signal 15 SIGTERM$' "$scratch/err"
  in_group INT group sh -c 'touch "$scratch/ready"; sleep 0.3'; text "an ignored SIGINT stays ignored" 0 $?
  in_group HUP group nohup sh -c 'touch "$scratch/ready"; sleep 0.3'; text "under nohup" 0 $?
  (trap '' HUP; in_group HUP group -n 2 sh -c 'touch "$scratch/ready"; sleep 0.3'); text "nohup of us" 0 $?
  hasnt "nohup of us: all runs were made" 'interrupted' "$scratch/err"
else
  skip "signals" "no setsid"
fi
text "dispositions are handed on" "$(trap '' HUP CHLD; grep SigIgn /proc/self/status)" \
  "$(trap '' HUP CHLD; t -n 1 --show-output grep SigIgn /proc/self/status 2>/dev/null)"
text "so is the signal mask" "$(grep SigBlk /proc/self/status)" "$(t grep SigBlk /proc/self/status 2>/dev/null)"

# A command that stops itself stops time, so that the shell sees it; both go on together.
"$PSUITE" time "$WORK/end_by" stop 2>"$scratch/err" & pid=$!
until_ok grep -q '^State:.T' /proc/$pid/status
has "a stopped command stops time" '^State:.T' /proc/$pid/status
command_pid=$(for p in /proc/[0-9]*; do [ "$({ tr "\0" " " <"$p/cmdline"; } 2>/dev/null)" = "$WORK/end_by stop " ] && basename "$p"; done)
kill -CONT $command_pid; wait $pid; text "and it goes on with it" 0 $?
has "the line after that" 'end_by stop$' "$scratch/err"

# --- known workloads ---
for try in 1 2 3; do # what stops a virtual machine may be a process's user time
  t -v "$WORK/burn" 500 2>"$scratch/err"
  [ "$(field "$scratch/err" user)" -ge 560000000 ] || break
done
user=$(field "$scratch/err" user); real=$(field "$scratch/err" real); system=$(field "$scratch/err" system)
holds "burn: user time within 10%" "$user > 0.45e9 && $user < 0.56e9"
holds "burn: one processor's time fits into the real time" "$user + $system < $real * 1.02 + 1e7"
t -v "$WORK/burn" 300 child 2>"$scratch/err"
holds "descendants are counted" "$(field "$scratch/err" user) > 0.27e9"
t -v sleep 0.2 2>"$scratch/err"
holds "sleep: real time at least" "$(field "$scratch/err" real) >= 0.2e9"
holds "sleep: little user time" "$(field "$scratch/err" user) < 0.1e9"
pages=$((50 * 1024 * 1024 / 4096))
t -v -cpage-faults "$WORK/touch_pages" $pages 2>"$scratch/err"
peak=$(field "$scratch/err" "peak RSS")
holds "peak RSS of 50 MiB within 5%" "$peak > 0.95 * $pages * 4096 && $peak < 1.05 * $pages * 4096"
faults=$(field "$scratch/err" page-faults) minor=$(field "$scratch/err" "minor faults")
if [ -n "$faults" ]; then
  # some machines map several pages a fault; then both ways of counting do so alike
  holds "page-faults agrees with minor faults" "$faults > 0.9 * $minor - 100 && $faults < 1.1 * $minor + 100"
  holds "page-faults of touched pages" "$faults < 1.05 * $pages + 400"
  t -cpage-faults "$WORK/touch_pages" 1000 5 2>"$scratch/err"
  t -cpage-faults "$WORK/touch_pages" 1000 1 2>"$scratch/one"
  five=$(field "$scratch/err" page-faults) one=$(field "$scratch/one" page-faults)
  holds "counters follow all children" "$five > 4 * $one * 0.8 && $five < 5.2 * $one"
  t -n 6 -cpage-faults -o - --json "$WORK/touch_pages" 1000 >"$scratch/json"
  least=$(grep -o '"count":[0-9]*' "$scratch/json" | cut -d: -f2 | sort -n | head -1)
  most=$(grep -o '"count":[0-9]*' "$scratch/json" | cut -d: -f2 | sort -n | tail -1)
  holds "every run of a series is counted, alone" "$least > 0 && $most < $least * 1.2 + 50"
else
  skip "page-faults" "perf events are not permitted"
fi
t -v "$WORK/peak_floor" 2>"$scratch/err"
has "a peak below the floor is told as such" '^peak RSS +<= [0-9]+' "$scratch/err"

# --- series ---
t -n 8 -w 1 --json -f -o "$scratch/json" -- sleep 0.01 -- sleep 0.3
text "all runs are there" 16 "$(grep -o '"real_ns":[0-9]' "$scratch/json" | wc -l)"
compared=$(python3 - "$scratch/json" <<'P'
import json, math, statistics, sys
one, two = json.load(open(sys.argv[1]))['commands']
pairs = list(zip(*([r['real_ns'] for r in c['runs']] for c in (one, two))))
more, less = sum(a < b for a, b in pairs), sum(a > b for a, b in pairs) # a run that was stopped takes longer than any sleep
p = min(1, 2 * sum(math.comb(more + less, k) for k in range(min(more, less) + 1)) / 2 ** (more + less))
median = [statistics.median(r['real_ns'] for r in c['runs']) for c in (one, two)]
ratio = two['ratio_to_first']['real_ns']
print(abs(ratio['of_medians'] - median[1] / median[0]) < 1e-3, (ratio['pairs_more'], ratio['pairs_less']) == (more, less), abs(ratio['p'] - p) < 1e-6, more >= 6)
P
)
text "sleep 0.3 takes longer than sleep 0.01, by the ratio of their medians, in as many rounds as it did" 'True True True True' "$compared"
status "a command line in quotes is not found" 127 t -n 1 'sleep 0.01'
has "and a hint has the shell" "^time: hint: .*sh -c 'sleep 0.01'" "$scratch/err"
command -v python3 >/dev/null && ok "the report is JSON" python3 -m json.tool "$scratch/json"
t -n 4 -- sh -c 'echo a >>"$scratch/order"' -- sh -c 'echo b >>"$scratch/order"' 2>/dev/null
text "commands take turns, and change places" "abbaabba" "$(tr -d '\n' <"$scratch/order")"
status "a failing run ends a series" 7 t -n 3 sh -c 'echo x >>"$scratch/tries"; exit 7'
text "only that was made" 1 "$(wc -l <"$scratch/tries")"
has "and how to go on" '^time: stopped at the first run that failed; -i goes on$' "$scratch/err"
rm "$scratch/tries"
status "with -i it does not" 7 t -i -n 3 sh -c 'echo x >>"$scratch/tries"; exit 7'
text "all were made" 3 "$(wc -l <"$scratch/tries")"
has "and counted" '^failed: 3 of 3 runs, the last with exit 7$' "$scratch/err"

# --- what runs around the runs ---
status "prepared" 0 t -n 2 -w 1 --setup 'echo s >>"$scratch/log"' --prepare 'echo p{n} >>"$scratch/log"' --cleanup 'echo c >>"$scratch/log"' \
  --parameter n=1,2 sh -c 'echo r{n} >>"$scratch/log"'
text "in their order" "s p1r1p2r2 p2r2p1r1 p1r1p2r2 c" \
  "$(tr -d '\n' <"$scratch/log" | sed -E 's/^s/s /; s/c$/ c/; s/((p[12]r[12]){2})(p)/\1 \3/; s/(p2r2p1r1)(p)/\1 \2/')"
status "a preparation that fails" 1 t -n 2 --prepare 'exit 3' touch "$scratch/ran"
text "is told" "time: --prepare: exit status 3" "$(cat "$scratch/err")"
ok "and nothing ran" test ! -e "$scratch/ran"
status "a setup that fails" 1 t -n 2 --setup 'exit 4' --cleanup 'touch "$scratch/cleaned"' touch "$scratch/ran"
text "is told, too" "time: --setup: exit status 4" "$(cat "$scratch/err")"
ok "and nothing ran then" test ! -e "$scratch/ran"
status "output is hidden" 0 t -n 2 --prepare 'echo prepared' sh -c 'echo out; echo err >&2'
text "on standard output" "" "$(cat "$scratch/out")"
text "not on standard error" 2 "$(grep -c '^err$' "$scratch/err")"
status "or shown" 0 t -n 2 --show-output echo out
text "each time" 2 "$(grep -c '^out$' "$scratch/out")"
status "as many as fill a time" 0 t -n 1s --json -f -o "$scratch/json" sleep 0.02
holds "ten or more, of a second" "$(grep -o '"real_ns":[0-9][0-9]*,"user' "$scratch/json" | sed 's/[^0-9]//g' | awk '{ n++; s += $1 } END { print (n >= 10 && (n == 10 || s > 0.9e9)) }') == 1"

# --- a gate ---
status "much slower" 3 t --gate 3% -- sleep 0.01 -- sleep 0.2
has "is found" '^gate 3%: slower: ' "$scratch/err"
status "much faster" 0 t --gate 3% -- sleep 0.2 -- sleep 0.01
has "passes" '^gate 3%: not slower: ' "$scratch/err"

# --- a terminal ---
if command -v script >/dev/null && script -qec true /dev/null >/dev/null 2>&1; then
  script -qec '"$PSUITE" time -n 9 sleep 0.3' /dev/null >"$scratch/tty" </dev/null
  has "progress on a terminal" 'time: [0-9] of 9 runs' "$scratch/tty"
else
  skip "progress on a terminal" "no script"
fi
t -n 9 sleep 0.3 2>"$scratch/err"
hasnt "no progress elsewhere" ' of 9 runs,' "$scratch/err"
finish
