# Calls of a board's kernel at the desk: drawn as on the board.
. "$TESTS/lib/check.sh"
from=$SHARE/topo
[ -e "$from/read.events" ] || { skip 'calls from the board' 'none came'; finish; }
status "the board's events" 0 "$PSUITE" topo -o machine "$from/read.events"
same 'have the same times and counts' "$from/read.machine" "$scratch/out"
for format in svg html; do
  status "drawn as $format" 0 "$PSUITE" topo -f -o "$format:$scratch/drawn" "$from/read.events"
  same "$format: the board's, byte for byte" "$from/read.$format" "$scratch/drawn"
done
status 'the machine form' 0 "$PSUITE" topo -o draw "$from/read.machine"
has 'is drawn, too' '^vfs_read' "$scratch/out"
finish
