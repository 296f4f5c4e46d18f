# tprof --top beside programs from many files: what it holds of those that ended is bounded.
. "$(dirname "$0")/../lib/check.sh"
. "$(dirname "$0")/../lib/need.sh"
: "${WORK:=$TESTS/../build/work}"
need python3 || exit
if ! "$PSUITE" tprof -a -t 0.1 >/dev/null 2>"$scratch/err"; then
  skip 'sampling everything' "$(cat "$scratch/err")"; finish
fi
status 'the view beside 80 files of 60,000 symbols' 0 python3 "$TESTS/native/top_forgets.py" "$PSUITE" "$WORK/symbols" "$scratch"
read -r files left ended code < "$scratch/out"
text 'each was mapped' 80 "$files"
holds "$left are still: their symbols take 16 MB, others have left" "$left > 0 && $left <= 60"
holds "what left is in the report, at $ended%" "$ended > 0"
text 'status' 0 "$code"
finish
