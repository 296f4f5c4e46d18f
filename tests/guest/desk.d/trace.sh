# A board's recording at the desk: event by event what it was on the board.
. "$TESTS/lib/check.sh"
from=$SHARE/trace
[ -e "$from/trace.rec" ] || { skip 'a trace from the board' 'none came'; finish; }
status "the board's recording" 0 "$PSUITE" trace -e "$from/trace.rec"
same 'event by event the same' "$from/events" "$scratch/out"
status 'as lines' 0 "$PSUITE" trace -v "$from/trace.rec"
same 'line by line the same' "$from/verbose" "$scratch/out"
for format in html svg chrome; do
  mkdir -p "$scratch/drawn"
  status "drawn as $format" 0 "$PSUITE" trace -f -o "$format:$scratch/drawn/$format" "$from/trace.rec"
  same "$format: the board's, byte for byte" "$from/drawn.$format" "$scratch/drawn/$format"
done
status 'as JSON' 0 "$PSUITE" trace --json "$from/trace.rec"
same 'the same' "$from/json" "$scratch/out"
finish
