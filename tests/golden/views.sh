# The text views of stacks: cases.tsv has a name and stackview's arguments a line, NAME.out what is printed.
. "$(dirname "$0")/../lib/check.sh"
: "${WORK:=$TESTS/../build/work}"
cd "$TESTS/golden/views" || exit
tools=$WORK/../tests

while IFS=$'\t' read -r name arguments; do
  read -ra words <<< "$arguments"
  "$tools/stackview" "${words[@]}" > "$scratch/out" 2>&1
  [ "${UPDATE:-}" != 1 ] || [ -e "$name.out" ] || : > "$name.out"
  same "$name" "$name.out" "$scratch/out"
done < cases.tsv

# --- the writers are these views
for writer in flat tree callers; do
  status "writer $writer" 0 "$tools/stackwrite" "$writer" mixed.txt
  same "prints the same: $writer" "$writer.out" "$scratch/out"
done

# --- no line of a view that was told a width is wider
wide() { awk -v most="$1" 'length > most' "$2.out" | head -3; }
text 'a flat profile of 80 columns' '' "$(wide 80 flat-cumulative)"
text 'a tree of 80 columns' '' "$(wide 80 tree-whole)"
text 'callers of 60 columns' '' "$(wide 60 callers-depth)"
text 'a difference of 80 columns' '' "$(wide 80 diff-all)"

# --- rows: lines of functions behind the two of the head, without `(all)' and what is hidden
lines_of() { awk 'NR > 2 && !/[(](all[)]|[0-9]+ branch)/' "$1.out" | wc -l; }
text 'a tree of 4 rows' 4 "$(lines_of tree-rows)"
text 'callers of 3 rows' 3 "$(lines_of callers-rows)"

# --- the sums
ms() { awk '!/^#/ { n += $NF } END { print n }' "$1"; }
text 'self shares are 100%' 100 "$(awk 'NR > 2 { n += $2 } END { printf "%.0f", n }' flat.out)"
has 'the whole is all samples' "^$(ms mixed.txt).0 ms, $(ms mixed.txt) samples;" flat.out
if command -v python3 >/dev/null; then ok 'the JSON is JSON' python3 -m json.tool diff-json.out; else skip 'the JSON is JSON' 'no python3'; fi
finish
