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
finish
