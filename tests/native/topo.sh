#!/bin/bash
# The page of a call graph in a browser: each gesture with 10, 150 and 5,000 functions.
. "$TESTS/lib/check.sh"
own=$TESTS/native/topo
command -v chromium >/dev/null || { skip 'call graphs in a browser' 'no chromium'; finish; }
for size in '10 14' '150 260' '5000 20000'; do
  count=${size% *}
  python3 "$own/graph.py" $size 7 > "$scratch/$count.machine"
  status "$count functions: the page" 0 "$PSUITE" topo -o "html:$scratch/$count.html" "$scratch/$count.machine"
  timeout 250 python3 "$own/page.py" "$scratch/$count.html" "$count" > "$scratch/told" 2> "$scratch/err" || fail "$count functions: a browser" "$(tail -3 "$scratch/err")"
  while read -r kind what; do
    case $kind in
      ok) pass "$what" ;;
      FAILED) fail "$what" ;;
      figures:) echo "figures: $what" ;;
    esac
  done < "$scratch/told"
  has "$count functions: to the end" '^end' "$scratch/told"
done

# --- two collections: details and colours of the difference
sed -E "s/^(FuncStats\\('strncpy', )155425, 155425/\\1466275, 466275/; s/'xc_sync'/'xc_sync_new'/g" "$TESTS/golden/topo/b1.machine" > "$scratch/later.machine"
status 'two collections' 0 "$PSUITE" topo --diff -o "html:$scratch/change.html" "$TESTS/golden/topo/b1.machine" "$scratch/later.machine"
status 'their page' 0 timeout 100 python3 "$own/change.py" "$scratch/change.html"
text 'no fault' '' "$(grep -v '^ok' "$scratch/out")"

# --- two start functions, each too high for a window
{
  for start in 'loader 60' 'program 60000'; do
    set -- $start
    callees=$(for i in {10..79}; do printf "'%s_%s', " "$1" "$i"; done)
    echo "FuncStats('$1', $(($2 * 100)), $2, [0], 1, [], [${callees%, }])"
    for i in {10..79}; do echo "FuncStats('$1_$i', $2, $2, [1], 1, ['$1'], [])"; done
  done
} > "$scratch/roots.machine"
status 'two start functions' 0 "$PSUITE" topo -o "html:$scratch/roots.html" "$scratch/roots.machine"
status 'their page' 0 timeout 100 python3 "$own/roots.py" "$scratch/roots.html"
text 'begins at the one with most total time' '2 ok' "$(grep -c ^ok "$scratch/out") $(cut -d' ' -f1 "$scratch/out" | sort -u)"
finish
