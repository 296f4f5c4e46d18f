#!/bin/bash
# stats without a screen: options, forms of a sample, folders as machines, recordings.
. "$(dirname "$0")/../lib/check.sh"
m2=$TESTS/data/stats/m2
: "${SOURCE:=$(cd "$TESTS/.." && pwd)}"

# --- wrong usage
status 'a scale of 0' 2 "$PSUITE" stats -S 0
has 'is said' '^stats: -S: 0: not a number from 1e-6 to 1e6$' "$scratch/err"
status 'a scale that is none' 2 "$PSUITE" stats -S x
status 'an unknown graph' 2 "$PSUITE" stats -x
status 'two forms' 2 "$PSUITE" stats --json --csv
status 'a replay that records' 2 "$PSUITE" stats --replay a --record b
status '--force alone' 2 "$PSUITE" stats --force
status 'an interval of 0 is passed over, one of x is not' 2 "$PSUITE" stats -T 0 -T x

for form in '' --csv --openmetrics '--once m2/1' '--json --replay x'; do
  status "--processes with: $form" 2 "$PSUITE" stats --processes $form
  has 'is refused' '^stats: --processes: only with --once, --json, on a terminal, ' "$scratch/err"
done

status 'a letter of seconds elsewhere' 2 "$PSUITE" stats -t 5 --once
text 'is said' "stats: 5: not a machine
stats: see \`psuite help stats'
stats: hint: -T 5 is the interval; --samples N ends; -t, -n, -p, -s are graphs" "$(cat "$scratch/err")"

# --- machines
status 'no such folder' 1 "$PSUITE" stats --once "$scratch/none"
has 'is left out' "^stats: $scratch/none: left out: file does not exist$" "$scratch/err"
mkdir "$scratch/empty"
status 'a folder without files beside one' 0 "$PSUITE" stats --once -T 0.1 -m "$scratch/empty" "$m2/1"
has 'is left out, too' "^stats: $scratch/empty: left out: #c/sysstat: file does not exist$" "$scratch/err"
has 'the other is told' '^mem +338MB +75  memory used$' "$scratch/out"
cd "$m2/.." || exit
status 'all graphs of a machine' 0 "$PSUITE" stats --once -T 0.1 m2/1
same 'its text' "$TESTS/applets/stats/once.out" "$scratch/out"
status 'several machines' 0 "$PSUITE" stats --csv -T 0.1 -lmw --samples 2 m2/0 --namespace=m2/1
text 'options follow operands, too' 'm2/0 m2/1' "$(awk -F'"' 'NR > 1 { print $2 }' "$scratch/out" | sort -u | paste -sd' ')"
status 'named twice' 0 "$PSUITE" stats --csv -T 0.1 -lmw --samples 2 --namespace=m2/0 m2/1
sed -E 's/^[0-9.]+/TIME/' "$scratch/out" > "$scratch/csv"
same 'as CSV' "$TESTS/applets/stats/two.csv" "$scratch/csv"

# --- forms
status 'JSON' 0 "$PSUITE" stats --json -T 0.1 --samples 2 -clz m2/1
sed -E 's/"time":[0-9.]+/"time":TIME/' "$scratch/out" > "$scratch/json"
same 'its lines' "$TESTS/applets/stats/lines.json" "$scratch/json"
for order in '--once --json' '--json --once'; do
  status "one sample: $order" 0 "$PSUITE" stats -T 0.1 $order -clz m2/1
  text 'is one line' 1 "$(wc -l < "$scratch/out")"
  sed -E 's/"time":[0-9.]+/"time":TIME/' "$scratch/out" > "$scratch/json"
  tail -1 "$TESTS/applets/stats/lines.json" > "$scratch/want"
  same 'the second of the lines, with its rates' "$scratch/want" "$scratch/json"
done
status 'one sample as CSV' 0 "$PSUITE" stats -T 0.1 --once --csv -lmw m2/1
text 'has its head' 'time 2' "$(sed -n '1s/,.*//p' "$scratch/out") $(wc -l < "$scratch/out")"
status 'OpenMetrics' 0 "$PSUITE" stats --openmetrics -T 0.1 m2/1
same 'its text' "$TESTS/applets/stats/openmetrics.out" "$scratch/out"
if [ -e /dev/full ]; then
  status 'a full disk is told' 1 bash -c "'$PSUITE' stats --json -T 0.1 --samples 2 m2/1 > /dev/full"
  text 'once' 'stats: standard output: No space left on device' "$(cat "$scratch/err")"
fi
status 'without a terminal' 0 timeout 20 "$PSUITE" stats -T 0.1 --samples 2 m2/1
text 'a line a sample: load alone' 2 "$(grep -cE '^[0-2][0-9]:[0-5][0-9]:[0-5][0-9] m2/1  load [0-9.]+$' "$scratch/out")"
text 'and nothing else' 2 "$(wc -l < "$scratch/out")"
status 'of two machines' 0 timeout 20 "$PSUITE" stats -T 0.1 --samples 1 -lm m2/0 m2/1
text 'a line each' 'm2/0 m2/1' "$(awk '{ print $2 }' "$scratch/out" | paste -sd' ')"
has 'with the graphs of the view' ' m2/1  load [0-9.]+  mem 338MB$' "$scratch/out"
status 'a reader of lines that goes away' 0 bash -c "timeout 20 '$PSUITE' stats -T 0.05 m2/1 | head -1 > /dev/null"
text 'says nothing' '' "$(cat "$scratch/err")"
status 'the name in the environment' 0 env sysname=zork "$PSUITE" stats --csv -T 0.05 --samples 1 -l
has 'is this machine' ',"zork",' "$scratch/out"

# --- reasons: whole, else cut behind a word
mkdir -p "$scratch/folder/dev"; cp m2/1/dev/sysstat "$scratch/folder/dev/"
printf 'sysstat 4 syscall: %s; a hint\n' "$(printf 'word%d ' {1..60})" > "$scratch/folder/dev/absent"
awk '{ $4 = -1; print }' m2/1/dev/sysstat > "$scratch/folder/dev/sysstat"
status 'a long reason' 0 "$PSUITE" stats --once -T 0.05 -s "$scratch/folder"
has 'is cut behind a word' ' word1 .* word[0-9]+ \.\.\.$' "$scratch/out"
status 'a reader that goes away ends it' 0 bash -c "timeout 20 '$PSUITE' stats --json -T 0.05 m2/1 | head -1 > /dev/null"

# --- recordings
status 'a recording' 0 "$PSUITE" stats --record "$scratch/rec" -T 0.1 --samples 3 m2/0 m2/1
status 'is not overwritten' 1 "$PSUITE" stats --record "$scratch/rec" -T 0.1 --samples 3 m2/0
has 'which is said' "^stats: $scratch/rec: File exists$" "$scratch/err"
status 'unless asked' 0 "$PSUITE" stats --record "$scratch/rec" --force -T 0.1 --samples 3 m2/0 m2/1
graphs=$("$PSUITE" stats --csv -T 0.1 --samples 1 m2/0 | head -1 | cut -d, -f5- | tr , ' ')
text 'it has all graphs' "$(wc -w <<< "$graphs")" "$(awk '/^end/ { exit } n && !/^source/ { print } /^source/ { n++ }' "$scratch/rec" | sort -u -k1,1 | wc -l)"
status 'is told again' 0 "$PSUITE" stats --replay "$scratch/rec" --csv -lmw
text 'with the same values' "$(grep -c . "$TESTS/applets/stats/two.csv") $(cut -d, -f5- "$TESTS/applets/stats/two.csv" | sort -u)" \
  "$(($(wc -l < "$scratch/out") - 2)) $(cut -d, -f5- "$scratch/out" | sort -u)"
"$PSUITE" stats --json -T 0.1 --samples 2 -l --record "$scratch/beside" m2/1 > "$scratch/a"
"$PSUITE" stats --replay "$scratch/beside" --json > "$scratch/b"
same 'JSON while recording and of the recording' "$scratch/a" "$scratch/b"
status 'a recording on standard output' 0 bash -c "'$PSUITE' stats --record - -T 0.1 --samples 2 m2/1 | '$PSUITE' stats --replay - --once"
head -c $(($(wc -c < "$scratch/rec") - 40)) "$scratch/rec" > "$scratch/cut"
text 'of one that was cut off the last sample is left out' 2 "$("$PSUITE" stats --replay "$scratch/cut" --json -l | wc -l)"
head -1 "$scratch/rec" > "$scratch/head"
if [ "$(getconf LONG_BIT)" = 64 ]; then # a day of 10 samples a second has 1.6 GB; what has no newline is cut off
  cp "$scratch/rec" "$scratch/large"; truncate -s 1100M "$scratch/large"
  text 'of more than 1 GB all samples are there' "$("$PSUITE" stats --replay "$scratch/rec" --json -l | wc -l)" "$("$PSUITE" stats --replay "$scratch/large" --json -l | wc -l)"
  rm "$scratch/large"
else
  skip 'more than 1 GB' 'the address space is small'
fi
status 'one without samples' 1 "$PSUITE" stats --replay "$scratch/head" --once
status 'no recording' 1 "$PSUITE" stats --replay m2/1/dev/swap --once
has 'is said' '^stats: m2/1/dev/swap: not a recording of stats$' "$scratch/err"

# --- what else names each graph
unnamed() { # unnamed FILE: the graphs that no word of it is
  local graph
  for graph in $graphs; do grep -qE "(^|[^[:alnum:]_])$graph([^[:alnum:]_]|$)" "$1" || echo "$graph"; done
}
"$PSUITE" stats --help=all | grep -E '^  -. ' > "$scratch/letters"
sed -n '/^\.SH OPTIONS/,/^\.SH KEYS/p' "$SOURCE/man/psuite-stats.1" > "$scratch/options"
sed -n '/const HUES/,/};/p' "$SOURCE/src/core/stats/page/page.js" > "$scratch/hues"
holds 'there are graphs' "$(wc -w <<< "$graphs") > 30"
text 'graphs that no letter of src/applets/stats.c names' '' "$(unnamed "$scratch/letters")"
text 'graphs that OPTIONS of man/psuite-stats.1 lacks' '' "$(unnamed "$scratch/options")"
text 'graphs that HUES of src/core/stats/page/page.js lacks' '' "$(unnamed "$scratch/hues")"
text 'letters of the options, which both usages of src/applets/stats.c list, but -O, -S, -T and -h' \
  "$(grep -oE '^  -[^OSTh,]' "$scratch/letters" | tr -d ' -' | sort | sed 's/^/2 /')" \
  "$("$PSUITE" stats --help | grep -oE '\[-[[:alnum:]]+\]' | fold -w1 | grep '[[:alnum:]]' | sort | uniq -c | sed 's/^ *//')"

# --- a large machine
mkdir -p "$scratch/large/dev" "$scratch/none/dev"
seq 0 999 | awk '{ printf "%11d %11d %11d %11d %11d %11d %11d %11d %11d %11d \n", $1, 7, 7, 7, 7, 7, 7, 900, 30, 2 }' > "$scratch/large/dev/sysstat"
: > "$scratch/none/dev/sysstat"
status 'a thousand CPUs' 0 "$PSUITE" stats --csv -T 0.1 --samples 2 -clI "$scratch/large"
has 'are added up' ',1000,0,0,900,30,2$' "$scratch/out"
status 'no CPU at all' 0 "$PSUITE" stats --once -T 0.1 -c "$scratch/none"
has 'is said' '^context +- +-  no CPUs$' "$scratch/out"
finish
