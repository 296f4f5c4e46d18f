#!/bin/bash
# topo: its forms, byte for byte, from events and from each other; runs that contradict themselves.
. "$(dirname "$0")/../lib/check.sh"
golden=$TESTS/golden/topo
cd "$scratch" || exit

# --- the forms: of the report's two examples
for name in b1 b2; do
  for from in events machine human; do
    for form in machine human; do
      status "$name: $form of $from" 0 "$PSUITE" topo -o $form "$golden/$name.$from"
      same "$name: the $form of $from" "$golden/$name.$form" out
      text "$name: no warning" '' "$(cat err)"
    done
    status "$name: drawing values of $from" 0 "$PSUITE" topo -o draw "$golden/$name.$from"
    same "$name: the drawing values of $from" "$golden/$name.draw.tsv" out
  done
done
status 'the default' 0 "$PSUITE" topo "$golden/b1.events"
same 'is the human form' "$golden/b1.human" out
status 'standard input' 0 sh -c "'$PSUITE' topo -o machine - < '$golden/b2.events'"
same 'is read' "$golden/b2.machine" out
# As in the report: blank lines between records, and records that are broken at a blank.
sed 's/$/\n/; s/, \[/,\n[/g' "$golden/b1.machine" > broken
status 'broken records' 0 "$PSUITE" topo -o machine broken
same 'are read' "$golden/b1.machine" out

# --- images and data
for form in svg dot json; do
  status "$form" 0 "$PSUITE" topo -o $form:got "$golden/b1.events"
  same "$form: its bytes" "$golden/b1.$form" got
  rm got
done
ln -s "$PSUITE" topo-draw; ln -s "$PSUITE" topo-collect
status 'topo-draw' 0 ./topo-draw "$golden/b1.events"
same 'writes the image' "$golden/b1.svg" out
status 'topo-collect' 0 ./topo-collect "$golden/b1.events"
same 'writes the human form' "$golden/b1.human" out
status 'all relations' 0 "$PSUITE" topo -a -o svg "$golden/b1.events"
text 'are one more' "$(($(grep -c '<path class' "$golden/b1.svg") + 1))" "$(grep -c '<path class' out)"
has 'which is a broken line' '<path class="other"' out
status 'few functions' 0 "$PSUITE" topo --nodes 5 -o svg "$golden/b1.events"
text 'are as many' 5 "$(grep -c '<circle' out)"
text 'with all others at one of them' 23 "$(grep -oE '> \+[0-9]+<' out | tr -dc '0-9\n' | awk '{ sum += $1 } END { print sum }')"
if command -v xmllint >/dev/null; then ok 'the image is XML' xmllint --noout "$golden/b1.svg"
else ok 'the image is XML' python3 -c 'import sys, xml.dom.minidom as m; m.parse(sys.argv[1])' "$golden/b1.svg"; fi
# In the image, no line is inside a name: lines are seen as the points that their levels and ends are at.
names_are_free() { # names_are_free SVG
  python3 - "$1" <<'P'
import re, sys
svg = open(sys.argv[1]).read()
names = [(float(x), float(y), float(w)) for x, y, w in re.findall(r'<text x="(\d+)" y="(\d+)" textLength="(\d+)"', svg)]
bad = 0
for d in re.findall(r'<path class="[a-z ]+" d="([^"]*)"', svg):
    x = y = 0.0
    for kind, numbers in re.findall(r'([MHC])([-0-9. ]+)', d):
        n = [float(v) for v in numbers.split()]
        if kind == 'M':
            points = [(n[0], n[1])]
        elif kind == 'H':
            points = [(x + (n[0] - x) * i / 20, y) for i in range(21)]
        else:
            points = [tuple((1 - t) ** 3 * p + 3 * (1 - t) ** 2 * t * a + 3 * (1 - t) * t * t * b + t ** 3 * q
                            for p, a, b, q in zip((x, y), n[0:2], n[2:4], n[4:6])) for t in (i / 20 for i in range(21))]
        x, y = points[-1]
        bad += sum(nx < px < nx + w and ny - 9 < py < ny + 1 for px, py in points for nx, ny, w in names)
print(len(names), bad)
P
}
text 'no line crosses a name' '28 0' "$(names_are_free "$golden/b1.svg")"
"$PSUITE" topo -a -o svg:every.svg "$golden/b1.events"
text 'of all relations neither' '28 0' "$(names_are_free every.svg)"
sed 's|<path class="first" d="M\([0-9]*\)|<path class="first" d="M0|' "$golden/b1.svg" > crossed.svg
hasnt 'the check itself notices' '^28 0$' <(names_are_free crossed.svg)

# --- the view in the terminal
PSUITE_FAKE=$golden/view.scenario status 'a view' 0 "$PSUITE_FAKE_BIN" topo -w "$golden/b1.events"
same 'its screens' "$golden/view.out" out
hasnt 'nothing but what a terminal knows' 'STRANGE|not restored' "$golden/view.out"
PSUITE_FAKE=$golden/view.scenario status 'a view without times of relations' 0 "$PSUITE_FAKE_BIN" topo -w "$golden/b1.machine"
has 'has those of functions' '^ *3.906 ms +10 +fop_ioctl' out
status 'no terminal' 1 "$PSUITE" topo -w "$golden/b1.events"
has 'is reported' '^topo: standard output is not a terminal' err
status '-w and -o' 2 "$PSUITE" topo -w -o svg "$golden/b1.events"

# --- the page
status 'the page' 0 "$PSUITE" topo -o html "$golden/b1.events"
mv out page
has 'has its title' '<title>ioctl</title>' page
sed -n '/^<script>$/,/^<\/script>$/p' page | sed '/^<\/*script>$/d' > scripts
: "${SOURCE:=$(cd "$TESTS/.." && pwd)}"
ok 'its scripts are the sources, the shared one first' cmp scripts <(cat "$SOURCE"/src/core/{text/page/shared,topo/page/page}.js)
text 'it names no other machine' '' "$(grep -oE '(https?:)?//[a-z0-9.-]+\.[a-z]+[^ ]*' page | grep -v www.w3.org)"
printf '</script><b> 0 0 7 0 1\n</script><b> 0 0 3\n' > events
status 'a name that is markup' 0 "$PSUITE" topo -o html events
text 'does not end its element' 3 "$(grep -c '</script>' out)"
status '--diff' 0 "$PSUITE" topo --diff -o html "$golden/b1.events" "$golden/b1.machine"
has 'says so' '"compared":true' out
has 'has the values before' '"ioctl",6977606,812887,10,0,0,-1,0,.6977606,812887,10.' out
status '--diff of one file' 2 "$PSUITE" topo --diff -o html "$golden/b1.events"
status '--diff as text' 2 "$PSUITE" topo --diff "$golden/b1.events" "$golden/b1.machine"

# --- files
status 'several files' 0 "$PSUITE" topo -o machine:m -o draw:d -o plain "$golden/b1.events"
same 'machine' "$golden/b1.machine" m
same 'draw' "$golden/b1.draw.tsv" d
same 'without a format' "$golden/b1.human" plain
text 'nothing else' '' "$(cat out err)"
status 'a file that exists' 1 "$PSUITE" topo -o machine:d "$golden/b1.events"
has 'is kept' '^topo: d: File exists' err
status '-f' 0 "$PSUITE" topo -f -o machine:d "$golden/b1.events"
same 'overwrites it' "$golden/b1.machine" d
status 'its own output' 0 "$PSUITE" topo -o human d
same 'is read' "$golden/b1.human" out

# --- runs: a whole one beside each kind that is dropped
whole='f 1 0 7 0 100
g 1 1 7 1 110
g 1 1 5
f 1 0 20'
printed="f, total time: 20, contrib time: 15, depths: [0], call count: 1, callers: [], callees: ['g']
g, total time: 5, contrib time: 5, depths: [1], call count: 1, callers: ['f'], callees: []"
dropped() { # dropped WHY EVENT...: in this run, all around the whole one
  local why=$1 first=$2; shift 2
  { echo "$first"; echo "$whole"; printf '%s\n' "$@"; } > events
  status "$why" 0 "$PSUITE" topo events
  text "$why: the whole run is counted" "$printed" "$(cat out)"
  text "$why: is reported" "topo: events: 1 run dropped: $why" "$(cat err)"
}
dropped 'an exit without its entry' 'g 0 0 5' 'f 0 0 20'
dropped 'an exit without its entry' 'f 0 0 7 0 100' 'g 0 1 7 1 110' 'f 0 0 20'
dropped 'an exit without its entry' 'f 0 0 7 0 100' 'g 0 1 7 1 110' 'h 0 1 20'
dropped 'an entry out of order' 'f 0 1 7 0 100' 'f 0 1 20'
dropped 'an entry out of order' 'f 0 0 7 0 100' 'g 0 2 7 1 100'
dropped 'an entry out of order' 'f 0 0 7 0 100' 'g 0 1 7 2 100'
dropped 'an entry out of order' 'f 0 0 7 1 100' 'f 0 0 20'
dropped 'the record ends inside it' 'f 0 0 7 0 100' 'g 0 1 7 1 110' 'g 0 1 5'
dropped 'callees took longer than their caller' 'f 0 0 7 0 100' 'g 0 1 7 1 110' 'g 0 1 50' 'f 0 0 49'
{ echo "$whole"; echo '# 3 runs dropped: events were lost'; echo '# 1 run dropped: events were lost'; } > events
status 'runs that were not kept' 0 "$PSUITE" topo events
text 'are reported' 'topo: events: 4 runs dropped: events were lost' "$(cat err)"
for line in '# 3 runs dropped: a reason' '# 1 runs dropped: events were lost' '# runs dropped: events were lost' '# 99999999999999999999 runs dropped: events were lost' '#'; do
  { echo "$whole"; echo "$line"; } > events
  status "the line $line" 1 "$PSUITE" topo events
  has 'is no event' '^topo: events: line 5: not an event of topo$' err
done
for run in 2 3 4; do printf 'f %s 0 7 0 100\n' $run; done > events
status 'no whole run' 1 "$PSUITE" topo events
text 'is an error' 'topo: events: 3 runs dropped: the record ends inside it
topo: events: no complete run of a function' "$(cat err)"
# Runs of two threads, event by event; recursion.
printf '%s\n' 'f 0 0 7 0 100' 'f 1 0 8 0 101' 'g 1 1 8 1 102' 'f 0 1 7 1 103' 'f 0 1 3' 'g 1 1 4' 'f 0 0 9' 'f 1 0 10' > events
status 'two runs at a time' 0 "$PSUITE" topo -o machine events
text 'are both counted' "FuncStats('f', 22, 15, [0, 1, 0], 3, ['f'], ['f', 'g'])
FuncStats('g', 4, 4, [1], 1, ['f'], [])" "$(cat out)"
# Names of any kind, as Python quotes them
printf '%s\n' "it's 0 0 7 0 1" 'a "b" 0 1 7 1 1' 'a "b" 0 1 1' 'a\b 0 2 7 1 1' 'a\b 0 2 1' "it's 0 0 3" > events
status 'names with quotes' 0 "$PSUITE" topo -o machine:names events
text 'are quoted' "FuncStats(\"it's\", 3, 1, [0], 1, [], ['a \"b\"', 'a\\\\b'])
FuncStats('a \"b\"', 1, 1, [1], 1, [\"it's\"], [])
FuncStats('a\\\\b', 1, 1, [1], 1, [\"it's\"], [])" "$(cat names)"
status 'and read' 0 "$PSUITE" topo -o machine names
same 'as they were' names out
if command -v python3 >/dev/null; then
  text 'Python reads them' "it's" "$(python3 -c 'FuncStats = lambda *a: a; print(eval(open("names").readline())[0])')"
fi

# --- what is no file of topo
wrong() { # wrong TEXT MESSAGE
  printf "$1" > text
  status "wrong: $1" 1 "$PSUITE" topo text
  text "wrong: $1: the message" "topo: text: $2" "$(tail -1 err)"
}
wrong 'hello\n' 'line 1: not an event of topo'
wrong 'f 0 0 7 0 100\nf 0 0 99999999999999999999\n' 'line 2: not an event of topo'
wrong "FuncStats('f', 5, 6, [0], 1, [], [])\n" 'line 1: more local time than total time'
wrong "FuncStats('f', 5, 5, [0], 1, [], ['g'])\n" 'line 2: the record of a function that is named before is missing'
wrong "\nFuncStats('f', 5, 5, [0, 0], 1, [], [])\n" 'line 2: the call count is not the number of depths'
wrong "FuncStats('f', 5, 5, [0], 1, [], [])\nFuncStats('f', 5, 5, [0], 1, [], [])\n" 'line 2: a function a second time'
wrong "FuncStats('f', 5, 5, [9999999], 1, [], [])\n" 'line 1: a call depth is too large'
wrong "FuncStats('f, 5, 5, [0], 1, [], [])\n" 'line 1: a name in quotes is missing'
wrong "FuncStats('f', 5, 5, [0], 1, [], []\n" 'line 2: a ) is missing'
wrong 'f, total time: 5, contrib time: x\n' 'line 1: a number is missing'
wrong '' 'no complete run of a function'
finish
