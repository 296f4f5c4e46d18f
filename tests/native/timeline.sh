#!/bin/bash
# Timelines in a browser: everything a person can do with a small one; how long pictures of a million events take.
. "$TESTS/lib/check.sh"
own=$TESTS/native/timeline view=$(dirname "$PSUITE")/tests/schedview
command -v chromium >/dev/null || { skip 'timelines in a browser' 'no chromium'; finish; }

# browse FILE: what its document has become, in $scratch/dom. The network is not asked for anything.
browse() {
  timeout 300 chromium --headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking \
    --disable-component-update --disable-sync --window-size=1280,800 --user-data-dir="$scratch/profile" --dump-dom "file://$1" \
    >"$scratch/dom" 2>"$scratch/err" </dev/null
}
told() { sed -n '/id="told"/,/^end/{s/.*id="told"[^>]*>//;s/&gt;/>/g;s/&lt;/</g;p}' "$scratch/dom"; }
# with SCRIPT PAGE: the page with another script at its end
with() { sed '/<\/body>/,$d' "$2"; echo '<script>window.ready = performance.now();</script><script>'; cat "$1"; echo '</script></body></html>'; }

status 'a page' 0 "$view" "$TESTS/golden/timeline/known.txt" page
with "$own/check.js" "$scratch/out" > "$scratch/known.html"
ok 'it opens' browse "$scratch/known.html"
while read -r kind what; do
  case $kind in
    ok) pass "$what" ;;
    FAILED) fail "$what" ;;
  esac
done < <(told)
has 'to its end' '^end' <(told)

# --- stopped by a late wake-up: the page opens there, and on a phone
PSUITE_FAKE=$TESTS/golden/trace_view/triggered.scenario status 'a late wake-up' 0 "$PSUITE_FAKE_BIN" trace --late 0.00001 -o "html:$scratch/late.html"
read -r pid at took < <(sed -n 's/.*id="data" data-pid="\([0-9]*\)" data-at="\([0-9]*\)" data-took="\([0-9]*\)".*/\1 \2 \3/p' "$scratch/late.html")
text 'its page says which' 141 "$pid"
status 'its page' 0 timeout 300 python3 "$own/late.py" "$scratch/late.html" "$pid" "$at" "$took"
while read -r kind what; do
  case $kind in
    ok) pass "$what" ;;
    FAILED) fail "$what" ;;
  esac
done < "$scratch/out"
has 'to its end' '^ok nothing is wrong' "$scratch/out"

# --- the same with the list of delays: a row leads to its place
PSUITE_FAKE=$TESTS/golden/trace_view/triggered.scenario status 'with all delays' 0 "$PSUITE_FAKE_BIN" trace --delays=0.00001 --late 0.00001 -f -o "html:$scratch/late.html"
status 'its page' 0 timeout 300 python3 "$own/late.py" "$scratch/late.html" "$pid" "$at" "$took"
while read -r kind what; do
  case $kind in
    ok) pass "$what" ;;
    FAILED) fail "$what" ;;
  esac
done < "$scratch/out"
has 'rows of the list are tried' '^ok wide: a row of the list' "$scratch/out"

# --- a million events: 40 tasks on 4 CPUs
awk 'BEGIN { srand(7); for (p = 1; p <= 40; p++) print "name", p, "worker-" p
  t = 1000000; for (c = 0; c < 4; c++) { on[c] = 0; for (p = c + 1; p <= 40; p += 4) idle[c, n[c]++] = p }
  for (i = 0; i < 375000; i++) { c = int(rand() * 4); t += 0.5 + rand() * 2
    k = int(rand() * n[c]); p = idle[c, k]; if (p == on[c]) continue
    printf "%.3f %d Ready cpu=%d by=%d\n", t, p, c, on[c] + 1
    if (on[c]) printf "%.3f %d %s cpu=%d by=%d state=S\n", t + 0.1, on[c], rand() < 0.5 ? "Sleep" : "Slice", c, p
    printf "%.3f %d Run cpu=%d\n", t + 0.1, p, c; on[c] = p } }' > "$scratch/many.txt"
events=$(grep -c '^[0-9]' "$scratch/many.txt")
holds 'a million events' "$events >= 1000000"
status 'their page' 0 "$view" "$scratch/many.txt" page
size=$(stat -c %s "$scratch/out")
holds 'fewer than 10 bytes an event' "$size < $events * 10"
# cpu PICTURES: CPU milliseconds of a browser that draws so many
cpu() {
  { echo "const PICTURES = $1;"; cat "$own/frames.js"; } > "$scratch/frames.js"
  with "$scratch/frames.js" "$scratch/many" > "$scratch/many.html"
  TIMEFORMAT='%3U %3S'
  { time browse "$scratch/many.html" 2>/dev/null; } 2>&1 | awk '{ print 1000 * ($1 + $2) }'
}
mv "$scratch/out" "$scratch/many"
opened=$(cpu 0)
told > "$scratch/figures"
has 'it opens, with all runs' '^runs 3[0-9]{5}$' "$scratch/figures"
drawn=$(cpu 200)
has 'and is drawn' '^end' <(told)
each=$(awk "BEGIN { print ($drawn - $opened) / 200 }")
echo "figures: $events events, $size bytes; opened in $opened ms of CPU time, a picture in $each ms"
# An idle machine needs a tenth of that.
holds 'opened in thirty seconds' "$opened < 30000"
holds 'a picture takes a sixth of a second' "$each < 167"
finish
