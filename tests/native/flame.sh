#!/bin/bash
# Flame graphs in a browser: opened as a file, inside a page, and as a page's picture.
. "$TESTS/lib/check.sh"
own=$TESTS/native/flame write=$(dirname "$PSUITE")/tests/stackwrite
command -v chromium >/dev/null || { skip 'flame graphs in a browser' 'no chromium'; finish; }

# browse URL: what its document has become, in $scratch/dom. The network is not asked for anything.
browse() {
  timeout 200 chromium --headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking \
    --disable-component-update --disable-sync --allow-file-access-from-files --window-size=1000,800 \
    --user-data-dir="$scratch/profile" --dump-dom "$1" >"$scratch/dom" 2>"$scratch/err" </dev/null
}
# checks WHERE: the lines that check.js has left
checks() {
  local kind what
  while read -r kind what; do
    case $kind in
      ok) pass "$1: $what" ;;
      FAILED) fail "$1: $what" ;;
    esac
  done < <(sed -n '/id="said"/,/^end/{s/.*id="said"[^>]*>//;s/&gt;/>/g;s/&lt;/</g;p}' "$scratch/dom")
  has "$1: to its end" '^end' "$scratch/dom"
}

status 'a graph' 0 "$write" flame "$own/program.txt"
cp "$scratch/out" "$scratch/graph.svg"
sed '/<\/svg>/d' "$scratch/graph.svg" > "$scratch/alone.svg"
{ echo '<desc id="said"></desc><script><![CDATA['; cat "$own/check.js"; echo ']]></script></svg>'; } >> "$scratch/alone.svg"
ok 'a file opens' browse "file://$scratch/alone.svg"
checks 'a file'

{ echo '<!DOCTYPE html><meta charset="utf-8"><body style="margin:40px"><pre id="said"></pre><div style="width:700px">'
  cat "$scratch/graph.svg"; echo '</div><script>'; cat "$own/check.js"; echo '</script>'; } > "$scratch/inside.html"
ok 'a page opens' browse "file://$scratch/inside.html"
checks 'in a page'

status 'on a phone' 0 python3 "$own/phone.py" "$scratch/graph.svg"
hasnt 'on a phone' '^FAILED' "$scratch/out"
has 'on a phone: to its end' '^ok nothing is wrong' "$scratch/out"

cat > "$scratch/picture.html" <<'P'
<!DOCTYPE html><p id="size"></p><img src="graph.svg" onload="size.textContent = this.naturalWidth + ' x ' + this.naturalHeight"
 onerror="size.textContent = 'broken'">
P
ok 'a picture is shown' browse "file://$scratch/picture.html"
size=$(sed -n '1s/.* width="\([0-9]*\)" height="\([0-9]*\)".*/\1 x \2/p' "$scratch/graph.svg")
has 'in its size' "<p id=\"size\">$size</p>" "$scratch/dom"
finish
