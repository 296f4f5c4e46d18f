# iostats by fuse on this machine, a workload that knows its messages: exactly these are counted. One at a time: who samples the whole
# machine opens programs by way of their processes' mounts, which are messages, too.
. "$(dirname "$0")/../lib/check.sh"
: "${WORK:=$TESTS/../build/work}"
[ "$(id -u)" = 0 ] || { skip 'iostats by fuse' 'not root'; finish; }
"$PSUITE" iostats -b fuse true >/dev/null 2>"$scratch/err" || { skip 'iostats by fuse' "$(head -1 "$scratch/err")"; finish; }
i() { timeout -k 5 400 "$PSUITE" iostats -b fuse "$@"; }

# messages REPORT: `MESSAGE COUNT', a line each
messages() { awk '/^Message/ { on = 1; next } on && !NF { exit } on { print $1, $2 }' "$1"; }
mkdir "$scratch/files"
status 'iostats -b fuse of a program that does nothing' 0 i "$WORK/iomessages"
messages "$scratch/err" > "$scratch/before"
status 'iostats -b fuse of a workload that knows its messages' 0 i "$WORK/iomessages" "$scratch/files" "$scratch/expected"
cp "$scratch/err" "$scratch/report"
text 'opens, reads, writes and bytes of each file are those that the workload knows of' "$(grep / "$scratch/expected" | sort)" "$(grep -F " $scratch/files/" "$scratch/report" | sort)"
# The file of the expectations is itself made, written to and closed: once, at the end.
for m in create open clunk remove wstat; do
  want=$(awk -v m=$m '$1 == m { print $2 }' "$scratch/expected")
  [ $m != create ] && [ $m != clunk ] || want=$((want + 1))
  got=$(messages "$scratch/report" | cat "$scratch/before" - | awk -v m=$m '$1 == m { n = $2 - n } END { print n + 0 }')
  text "count of $m messages is the one that the workload knows of" "$want" "$got"
done
tail -3 "$scratch/report" > "$scratch/last"
has 'the last line of the report has the method and what it does not count' '^messages counted by fuse; not counted: .*inherited descriptors, copies of standard ones above 2$' "$scratch/last"
finish
