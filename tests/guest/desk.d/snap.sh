# A board's file at the desk: the same report, and a page that counts what the board sampled.
. "$TESTS/lib/check.sh"
from=$SHARE/snap own=$TESTS/native/snap
[ -e "$from/board.snap" ] || { skip 'a snap from the board' 'none came'; finish; }
status "the board's file" 0 "$PSUITE" snap "$from/board.snap"
same 'the report of the board' "$from/report" "$scratch/out"
status 'its page' 0 "$PSUITE" snap -q -o "$scratch/board.html" "$from/board.snap"
if command -v chromium >/dev/null; then
  PYTHONDONTWRITEBYTECODE=1 status 'selections' 0 timeout 300 python3 "$own/page.py" "$from/board.snap" "$scratch/board.html"
  text 'count what they select' '' "$(grep '^FAILED' "$scratch/out")"
  has 'to its end' '^end$' "$scratch/out"
else
  skip 'selections' 'no chromium'
fi
finish
