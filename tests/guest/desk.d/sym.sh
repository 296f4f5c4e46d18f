# A board's core file at the desk: the same chains, by what was copied from the board.
. "$TESTS/lib/check.sh"
from=$SHARE/sym
[ -e "$from/core" ] || { skip 'a core file from the board' 'none came'; finish; }
status "the board's core file" 0 "$PSUITE" sym --debug-dir "$scratch/none" --sysroot "$from/root" --core "$from/core"
same 'the same chains as on the board' "$from/chains" "$scratch/out"
text 'no warning' '' "$(cat "$scratch/err")"
finish
