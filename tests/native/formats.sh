#!/bin/bash
# Written stacks in the programs that they are written for: pprof, callgrind_annotate, and a JSON schema's validator. What these say of each
# function is what the text says.
. "$(dirname "$0")/../lib/check.sh"
. "$(dirname "$0")/../lib/need.sh"
if ! need go=golang-go callgrind_annotate=valgrind /usr/lib/python3/dist-packages/jsonschema=python3-jsonschema >"$scratch/need" 2>&1; then
  skip 'formats' "$(tail -1 "$scratch/need")"; finish
fi
write=$(dirname "$PSUITE")/tests/stackwrite
stacks=$TESTS/golden/formats
export PPROF_TMPDIR=$scratch HOME=$scratch GOFLAGS=-mod=mod GOCACHE=$scratch

# want STACKS FORMAT: `SELF TOTAL NAME' of each function
want() { python3 "$TESTS/lib/formats.py" "text:$2" "$stacks/$1.stacks" | grep -v '^=' | tr -d '"' | sort; }
pprof() { go tool pprof -symbolize=none -nodecount=100000 -nodefraction=0 -edgefraction=0 "$@" 2>"$scratch/err"; }
# flat UNIT: pprof -top's rows as want's, of the unit's last digits: 7ns -> 7
flat() { awk '/flat%/ { on = 1; next } on { name = $6; for (i = 7; i <= NF; i++) name = name " " $i; sub(/ \((partial-)?inline\)$/, "", name)
  sub(/[a-zA-Z]+$/, "", $1); sub(/[a-zA-Z]+$/, "", $4); print $1, $4, name }' | sort; }

# --- pprof: odd names are shown as they are, but for templates, of which pprof makes its own
for name in plain timed calls bytes; do
  "$write" pprof "$stacks/$name.stacks" > "$scratch/p"
  unit=ns; [ $name != bytes ] || unit=B
  text "pprof: $name" "$(want $name pprof)" "$(pprof -top -unit=$unit "$scratch/p" | flat)"
done
"$write" pprof "$stacks/plain.stacks" > "$scratch/p"
text 'pprof: the first value' "$(want plain pprof | awk '{ $1 /= 1000000; $2 /= 1000000; print }' | sort)" "$(pprof -top -sample_index=samples "$scratch/p" | flat)"
pprof -raw "$scratch/p" > "$scratch/raw"
has 'pprof: the period' '^PeriodType: time nanoseconds$' "$scratch/raw"
has 'pprof: its length' '^Period: 1000000$' "$scratch/raw"
has 'pprof: the last value is shown first' '^samples/count time/nanoseconds\[dflt\]$' "$scratch/raw"
has 'pprof: a thread' '^ +thread:\[worker\]$' "$scratch/raw"
has 'pprof: its number' '^ +pid:\[100\] tid:\[[0-9]+\]$|^ +pid:\[100\]$' "$scratch/raw"
has 'pprof: a file with its build-id' '/bin/prog c0ffee11' "$scratch/raw"
has 'pprof: inlined functions stand at one address, innermost first' '^ +[0-9]+: 0x[0-9a-f]+ M=1 less /src/prog.c:3' "$scratch/raw"
text 'pprof: and the outer ones below' 'clamp work' "$(awk '/ M=1 less / { for (i = 0; i < 2; i++) { getline; printf "%s%s", i ? " " : "", $1 } exit }' "$scratch/raw")"
text 'pprof: one thread alone' 33000000 "$(pprof -top -unit=ns -tagfocus=worker "$scratch/p" | awk '/^Showing/ { sub(/ns,?/, "", $5); print $5 }')"
pprof -tree -unit=ns "$scratch/p" > "$scratch/tree"
has 'pprof: who calls' '^ +10000000ns +52.63% \| +main$' "$scratch/tree"
"$write" pprof "$stacks/empty.stacks" > "$scratch/p"
ok 'pprof: nothing' go tool pprof -raw -symbolize=none "$scratch/p"

# --- callgrind_annotate
annotated() { awk '/PROGRAM TOTALS/ { on = 1 } on && / [^ ]+:[^ ].* \[/' "$1" | sed -E 's/,//g; s/\( *[0-9.]+%\)//g; s/ \[[^ ]*\]+$//; s/ [^ :]*:/ /' |
  awk '$3 != "(all)" && $2 > 0 { n = $2; $1 = $2 = ""; sub(/^ */, ""); print n, $0 }' | sort; }
for name in plain timed calls bytes; do
  "$write" callgrind "$stacks/$name.stacks" > "$scratch/c"
  for part in no:1 yes:2; do
    callgrind_annotate --threshold=100 --inclusive=${part%:*} --auto=no "$scratch/c" > "$scratch/out" 2>"$scratch/err"
    text "callgrind_annotate: $name, inclusive=${part%:*}" "$(want $name callgrind | awk -v c=${part#*:} '$c { n = $c; $1 = $2 = ""; sub(/^ */, ""); print n, $0 }' | sort)" \
      "$(annotated "$scratch/out")"
    text "callgrind_annotate: $name, no complaint" '' "$(cat "$scratch/err")"
  done
done
"$write" callgrind "$stacks/plain.stacks" > "$scratch/c"
callgrind_annotate --tree=both --inclusive=yes "$scratch/c" > "$scratch/out"
has 'callgrind_annotate: who is called how often, at what cost' '>   /src/prog.c:clamp \(1x\)' "$scratch/out"
"$write" callgrind "$stacks/calls.stacks" > "$scratch/c"
callgrind_annotate --tree=both --inclusive=yes "$scratch/c" > "$scratch/out"
has 'callgrind_annotate: calls that were counted' '>   /src/prog.c:b \(100x\)' "$scratch/out"
"$write" callgrind "$stacks/odd.stacks" > "$scratch/c"
callgrind_annotate --threshold=100 "$scratch/c" > "$scratch/out" 2>"$scratch/err"
text 'callgrind_annotate: odd names, no complaint' '' "$(cat "$scratch/err")"
has 'callgrind_annotate: a template' 'std::map<int, std::vector<char> >::operator\[\]\(int&&\)|f;g' "$scratch/out"

# --- speedscope's schema
for name in plain odd timed calls bytes empty; do
  "$write" speedscope "$stacks/$name.stacks" > "$scratch/s"
  ok "speedscope: $name" /usr/bin/python3 -c 'import json, jsonschema, sys
jsonschema.Draft7Validator(json.load(open(sys.argv[1]))).validate(json.load(open(sys.argv[2])))' "$TESTS/data/formats/speedscope.schema.json" "$scratch/s"
done
sed 's/"unit":"bytes"/"unit":"octets"/; s/"unit":"nanoseconds"/"unit":"ns"/' "$scratch/s" > "$scratch/broken"
status 'speedscope: an unknown unit is seen' 1 /usr/bin/python3 -c 'import json, jsonschema, sys
jsonschema.Draft7Validator(json.load(open(sys.argv[1]))).validate(json.load(open(sys.argv[2])))' "$TESTS/data/formats/speedscope.schema.json" "$scratch/broken"
finish
