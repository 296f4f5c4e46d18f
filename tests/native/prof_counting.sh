# startcp and startmp of prof(3)'s device, in programs that `psuite ns' runs: the counts are those of prof --coverage, the bytes those
# of a program whose blocks are known; what is not counted, and that programs which are left go on.
. lib/check.sh
. lib/need.sh
: "${WORK:=$TESTS/../build/work}"
need python3 readelf || finish
export LD_BIND_NOW=1 # else threads race for the program's stubs

# ns LINE...: the lines, as commands; heap's exit status is 3
script() { (IFS=';'; cd "$scratch" && timeout 300 "$PSUITE" ns -f -c "$*" >"$scratch/out" 2>"$scratch/err"); }
heap="run sh -c '\"$WORK/heap\" 3; true'"
list="write #P/ctl module heap covered"
# same_counts WHAT FILE TIMES: the pairs that `cat' printed one behind the other are those of prof --coverage, so many times
same_counts() {
  ok "$1" python3 - "$scratch/record" "$scratch/$2" "$3" "$(readelf -lW "$WORK/heap" | awk '$1 == "LOAD" && / R E / { print $3; exit }')" <<'END'
import sys
record, counted, times, start = sys.argv[1:]
pairs = [line.split() for line in open(record) if not line.startswith(('psuite', 'processes', 'unset', 'module'))]
want = ''.join(f'{int(at, 16) - int(start, 16)} {int(n) * int(times)}' for at, n in pairs)
assert len(pairs) > 100 and open(counted).read() == want
END
}

status 'prof --coverage' 3 timeout 300 "$PSUITE" prof --coverage -q --record "$scratch/record" -x "$WORK/heap" 3
ok 'a program' script "$list" 'write #P/ctl startcp' "$heap" 'cat #P/00000001/histogram > one' 'write #P/ctl stop' \
  'cat #P/00000001/histogram > stopped' 'ls #P' 'cat #P/00000001/path'
same_counts 'its instructions, threads' one 1
same_counts 'stop keeps them' stopped 1
text 'one module' "#P/ctl #P/00000001 $(realpath "$WORK/heap")" "$(paste -sd' ' "$scratch/out")"
ok 'twice, behind a program that ran before, and one that is second in the list' \
  script "$list" "$heap" 'write #P/ctl startcp' "$heap" "run '$WORK/covered' 1 10" "$heap" 'write #P/ctl stop' "$heap" 'ls #P' \
  'cat #P/00000001/histogram > two'
same_counts 'the sum of two' two 2
text 'the other one is no module' '#P/ctl #P/00000001' "$(grep '#P' "$scratch/out" | paste -sd' ')"
ok 'one kind at a time; end drops all' script "$list" 'write #P/ctl startcp' 'write #P/ctl startcp' 'write #P/ctl interval 5' "$heap" \
  'cat #P/00000001/histogram > again' 'write #P/ctl end' 'ls #P'
same_counts 'an interval changes nothing' again 1
text 'nothing is left' '#P/ctl' "$(cat "$scratch/out")"

# --- forks, an exec, signals: the first instruction of a function is executed as often as it is called
read -r leaf _ < <(readelf -sW "$WORK/covered" | awk '$8 == "leaf" { print $2 }')
ok 'a program that forks, and executes itself' script 'write #P/ctl module covered' 'write #P/ctl startcp' "run '$WORK/covered' 3 100" \
  'write #P/ctl stop' 'cat #P/00000001/histogram > covered'
start=$(readelf -lW "$WORK/covered" | awk '$1 == "LOAD" && / R E / { print $3; exit }')
has 'leaf' "$((0x$leaf - start)) 500" "$scratch/covered"

# --- a program that is left goes on, with its threads, its child and its timer
# finishes WHAT: it has no tracer, and comes to its end
finishes() {
  until_ok grep -q . "$scratch/pid"
  until_ok sh -c 'grep -q "^TracerPid:	0$" /proc/$(cat "$1/pid")/status || grep -q ticks "$1/ticks"' sh "$scratch" || fail "$1: it has a tracer"
  until_ok grep -q '^ticks' "$scratch/ticks" || fail "$1: it does not end"
}
background="run sh -c '\"$WORK/covered\" 3 2000000 > ticks & echo \$! > pid; sleep 1'"
ok 'stop' script 'write #P/ctl module covered' 'write #P/ctl startcp' "$background" 'write #P/ctl stop' 'cat #P/00000001/histogram > first' \
  'sleep 0.5' 'cat #P/00000001/histogram > second'
finishes stop
ok 'counts end there' cmp "$scratch/first" "$scratch/second"
holds 'it had begun' "$(wc -c < "$scratch/first") > 100"
rm -f "$scratch/ticks" "$scratch/pid"
ok 'the end of ns' script 'write #P/ctl module covered' 'write #P/ctl startcp' "$background"
finishes 'the end of ns'
rm -f "$scratch/ticks" "$scratch/pid"
(cd "$scratch" && exec "$PSUITE" ns -c "write #P/ctl module covered;write #P/ctl startcp;$background" >/dev/null 2>&1) & ns=$!
until_ok test -s "$scratch/pid"
kill -KILL "$ns"; wait "$ns" 2>/dev/null
finishes 'a SIGKILL of ns'

# --- memory: bytes of each place that allocates, now and at most, in the order of addresses
# memory WORD PROGRAM: `FUNCTION now most' of each place, and the module's own
memory() {
  (cd "$scratch" && timeout 300 "$PSUITE" ns -f --records -c "write #P/ctl module heap covered;write #P/ctl $1;$2;write #P/ctl stop;cat #P/00000001/histogram > cells" 2>"$scratch/err") || return
  python3 - "$scratch/cells" "$start_of_heap" <(readelf -sW "$WORK/heap") <<'END'
import sys
cells = dict(map(int, line.split()) for line in open(sys.argv[1]))
functions = [(int(w[1], 16), int(w[2]), w[7]) for w in map(str.split, open(sys.argv[3])) if len(w) == 8 and w[3] == 'FUNC' and int(w[2])]
print('module', cells.get(0, 0), cells.get(1, 0))
for most in sorted(c for c in cells if c > 1 and c % 2):
    at = (most - 1) // 2 - 1 + int(sys.argv[2], 16)
    print(next(name for start, size, name in functions if start < at <= start + size), cells.get(most - 1, 0), cells[most])
END
}
start_of_heap=$(readelf -lW "$WORK/heap" | awk '$1 == "LOAD" && / R E / { print $3; exit }')
kinds=$(printf '%s\n' 'kinds 0 300' 'kinds 0 100' 'kinds 0 128' 'kinds 0 200' 'kinds 0 40' 'kinds 0 5000')
for word in startmp startmp31; do
  memory "$word" "$heap" > "$scratch/places"
  text "$word: the module has the block that is left" 'module 12345 12345' "$(head -1 "$scratch/places")"
  text "$word: resizing" 'resize 0 10000' "$(grep '^resize' "$scratch/places")"
  text "$word: each kind of call" "$kinds" "$(grep '^kinds' "$scratch/places")"
  text "$word: what is left is its place's" 'leaf 12345 12345' "$(grep -E ' 12345 12345$' "$scratch/places" | tail -1)"
done
memory startmp "run '$WORK/covered' 1 10" > /dev/null; text 'a program that is second: no module' 1 $?
memory startmp "run sh -c '$WORK/heap 3 child; true'" > "$scratch/places"
text 'a child counts its own blocks: one of 777 more, at the same place' 'module 13122 13122' "$(head -1 "$scratch/places")"

# --- what is refused
script 'write #P/ctl startcp'; text 'without a list: refused' 1 $?
has 'and says why' '^ns: #P/ctl: no program was named' "$scratch/err"
has 'with a remedy' '^ns: hint: write .module PROGRAM. to the same file first' "$scratch/err"
# --- an ordinary user
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
  mkdir "$scratch/user"; chmod 755 "$scratch"; chmod 777 "$scratch/user"
  status 'a user who is not root' 0 sh -c "cd '$scratch/user' && exec setpriv --reuid 65534 --clear-groups timeout 120 '$PSUITE' ns -c \"$list; write #P/ctl startcp; run sh -c '$WORK/heap 3; true'; write #P/ctl stop; cat #P/00000001/histogram > counts\""
  same_counts 'has the same counts' user/counts 1
fi
finish
