#!/bin/bash
# The script that stats --web, flame graphs and timelines share: at least two pages use each function, and no page redefines one.
. "$(dirname "$0")/../lib/check.sh"
: "${SOURCE:=$(cd "$TESTS/.." && pwd)}"
core=$SOURCE/src/core
status 'the shared script and the pages' 0 python3 "$TESTS/golden/pages.py" "$core"
text 'no fault' '' "$(cat "$scratch/out")"

# --- each kind of fault is seen, in a copy of the sources
# seen WHAT WANTED FILE SED_COMMAND
seen() {
  rm -rf "$scratch/core"; mkdir -p "$scratch/core"
  (cd "$core" && cp --parents text/page/*.js stats/page/*.js export/flame/*.js timeline/html/*.js topo/page/*.js snap/page/*.js "$scratch/core")
  sed -i "$4" "$scratch/core/$3"
  status "$1" 1 python3 "$TESTS/golden/pages.py" "$scratch/core"
  text "$1: the fault" "$2" "$(cat "$scratch/out")"
}
shared=text/page/shared.js flame=export/flame/flame.js timeline=timeline/html
seen 'a function of one page' 'oneTwoFive: used by timeline alone' stats/page/page.js 's/oneTwoFive(0.1, 1000)/[1]/; s/ oneTwoFive,//'
seen 'a function of no page' 'thirdOf: used by no page' $shared 's/^  const percent/  const thirdOf = (v) => v \/ 3;\n&/; s/return { /&thirdOf, /'
seen 'one that is not even returned' 'thirdOf: not used in shared.js' $shared 's/^  const percent/  const thirdOf = (v) => v \/ 3;\n&/'
seen 'a name that is not taken from psuite' 'clamp: not taken from psuite in flame.js' $flame 's/{ clamp, /{ /'
seen 'a name that is taken and not used' 'percent: not used in page.js of stats' stats/page/page.js 's/percent(g/share(g/'
seen 'a name that does not exist' 'paint: flame.js takes it, the shared script has none' $flame 's/{ clamp, /{ paint, clamp, /; s/^  draw();/  paint();\n&/'
seen 'a function of a page' 'clamp: page.js of timeline has its own' $timeline/page.js 's/^  const span = .*/&\n  const clamp = (v) => v;/'
seen 'one of several' 'say: page.js of timeline has its own' $timeline/page.js 's/^  let matches = null,/  let matches = null, say = 1,/'
seen 'a function inside another' 'percent: flame.js has its own' $flame 's/^  function draw() {/&\n    function percent(x) { return x; }/'
seen 'the end of a script element' 'shared.js: </ or ]]> would end its element' $shared 's/^  "use strict";/&\n  \/\/ <\/script>/'
finish
