#!/bin/bash
# Flame graphs, byte for byte but for the style and the script, which must be the sources'.
. "$(dirname "$0")/../lib/check.sh"
: "${SOURCE:=$(cd "$TESTS/.." && pwd)}"
own=$TESTS/golden/flame write=$(dirname "$PSUITE")/tests/stackwrite
cd "$own" || exit

# embedded N FILE: what stands in the Nth CDATA section
embedded() { awk -v n="$1" '/<!\[CDATA\[$/ { s++; next } /^\]\]>/ { if (s == n) exit; next } s == n { if (!body) body = 1; print }' "$2"; }
body() { sed '/<!\[CDATA\[$/,/^\]\]>/d' "$1"; }

# Callees stand below their callers, side by side.
cat > "$scratch/read.py" <<'P'
import sys, xml.dom.minidom
def read(path):
    svg = xml.dom.minidom.parse(path).documentElement
    rows = [g for g in svg.getElementsByTagName("g") if g.parentNode.getAttribute("class") == "rows"]
    above = [(0, 1180)]
    for row in rows:
        spans = []
        for r in (r for r in row.childNodes if r.nodeName == "rect"):
            x, w = float(r.getAttribute("x")), float(r.getAttribute("width"))
            assert w >= 0.3 and len(r.getElementsByTagName("title")) == 1, r.toxml()
            assert not spans or x >= spans[-1][1] - .002, r.toxml()
            assert any(x >= a - .002 and x + w <= b + .002 for a, b in above), r.toxml()
            spans.append((x, x + w))
        above = spans
for path in sys.argv[1:]:
    read(path)
P
graph() { # graph NAME FILE [BEFORE]
  local name=$1; shift
  status "$name" 0 "$write" flame "$@"
  cp "$scratch/out" "$scratch/$name.svg"
  body "$scratch/out" > "$scratch/body"
  same "$name: as before" "$own/$name.svg" "$scratch/body"
}
for name in escapes cplusplus recursion kernel nothing one thin; do graph $name $name.txt; done
graph compared after.txt before.txt
graph same after.txt after.txt
graph disjoint after.txt disjoint.txt
graph vanished nothing.txt before.txt
ok 'all are XML, their boxes in each other' python3 "$scratch/read.py" "$scratch"/*.svg
embedded 1 "$scratch/one.svg" > "$scratch/css"; ok 'the style' cmp "$SOURCE/src/core/export/flame/flame.css" "$scratch/css"
embedded 2 "$scratch/one.svg" > "$scratch/js"; ok 'the script of all pages' cmp "$SOURCE/src/core/text/page/shared.js" "$scratch/js"
embedded 3 "$scratch/one.svg" > "$scratch/js"; ok 'the script' cmp "$SOURCE/src/core/export/flame/flame.js" "$scratch/js"
hasnt 'nothing is fetched' 'href|url\(|@import|<image|fetch\(|XMLHttp' "$scratch/one.svg"
text 'addresses are names of namespaces only' 'http://www.w3.org/1999/xhtml http://www.w3.org/2000/svg' \
  "$(grep -o 'https\?://[^"]*' "$scratch/one.svg" | sort -u | paste -sd ' ')"

# --- what could be big stays small
python3 - > "$scratch/big.txt" <<'P'
import random
random.seed(1)
name = ["std::vector<proto::Message%d, std::allocator<proto::Message%d> >::insert@/lib/l%d.so" % (i, i, i % 40) for i in range(3000)]
for _ in range(9000):
    x, chain = 0, []
    for i in range(random.randint(5, 40)):
        x = (x * 31 + int(abs(random.gauss(0, 1.3))) * 7 + i) % 3000
        chain.append(name[x])
    print(";".join(chain), random.randint(1, 20))
P
status 'a hundred thousand frames' 0 "$write" flame "$scratch/big.txt"
has 'those not drawn are counted' '; [0-9]{2,3},[0-9]{3} frames not drawn, the widest 0\.[0-9]{2}%<' "$scratch/out"
holds 'and the file is small' "$(stat -c %s "$scratch/out") < 500000"
ok 'it is XML, its boxes in each other' python3 "$scratch/read.py" "$scratch/out"
python3 -c 'print("main;" + ";".join("visit" + str(i % 7) for i in range(5000)), 7)' > "$scratch/deep.txt"
status 'five thousand levels' 0 "$write" flame "$scratch/deep.txt"
has 'as many as can be' '; 3,00[0-9] frames not drawn, the widest 100.00%<' "$scratch/out"
holds 'the rows' "$(grep -c '<g transform' "$scratch/out") == 2000"
finish
