# A board's recording at the desk: event by event what it was on the board.
. "$TESTS/lib/check.sh"
from=$SHARE/trace
[ -e "$from/trace.rec" ] || { skip 'a trace from the board' 'none came'; finish; }
status "the board's recording" 0 "$PSUITE" trace -e "$from/trace.rec"
same 'event by event the same' "$from/events" "$scratch/out"
status 'as JSON' 0 "$PSUITE" trace --json "$from/trace.rec"
same 'the same' "$from/json" "$scratch/out"
finish
