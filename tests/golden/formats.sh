#!/bin/bash
# The written formats of stacks, byte for byte, and read back: what each says of every function and thread is what the text says.
# pprof's bytes are compared without their gzip, which is zlib's; its readers are in native/formats.sh, like callgrind's.
. "$(dirname "$0")/../lib/check.sh"
: "${WORK:=$TESTS/../build/work}"
write=$(dirname "$PSUITE")/tests/stackwrite
read="$TESTS/lib/formats.py"
cd "$TESTS/golden/formats" || exit

for stacks in *.stacks; do
  name=${stacks%.stacks}
  for format in folded json pprof callgrind speedscope firefox; do
    status "$name as $format" 0 "$write" "$format" "$stacks"
    if [ "$format" = pprof ]; then cp "$scratch/out" "$scratch/pprof"; ok "$name: is gzip" sh -c "gzip -dc < '$scratch/pprof' > '$scratch/out'"; fi
    same "$name: $format's bytes" "$name.$format" "$scratch/out"
  done
done
[ -z "${PSUITE_SANITIZE:-}" ] || { skip 'reading them back' 'these bytes are the ordinary build`s, which does it'; finish; }

for stacks in *.stacks; do
  name=${stacks%.stacks} threads=
  grep -q '^[^#!]*|' "$stacks" && threads=--threads
  for format in folded json speedscope firefox; do
    python3 "$read" "text:$format" "$stacks" > "$scratch/want"
    ok "$name: $format is well-formed" sh -c "python3 '$read' $format '$name.$format' $threads > '$scratch/got'"
    text "$name: $format's sums" "$(cat "$scratch/want")" "$(cat "$scratch/got")"
  done
done
# The page of a call graph: its data
for stacks in *.stacks; do
  name=${stacks%.stacks}
  python3 "$read" text:topo "$stacks" > "$scratch/want"
  status "$name as topo" 0 "$write" topo "$stacks"
  mv "$scratch/out" "$scratch/page"
  ok "$name: topo is well-formed" sh -c "python3 '$read' topo '$scratch/page' > '$scratch/got'"
  text "$name: topo's sums" "$(cat "$scratch/want")" "$(cat "$scratch/got")"
done
holds 'the sums are of something' "$(python3 "$read" text:json plain.stacks | wc -l) > 20"

# flat, tree and callers are the views of those names, golden_flame looks at flame.
sed -nE 's/^WRITER\((\w+),.*/\1/p' "$TESTS/../src/core/export/writers.def" > "$scratch/formats"
holds 'there are formats' "$(wc -l < "$scratch/formats") > 10"
text 'formats of writers.def that this test does not write' '' \
  "$(grep -vxE 'folded|json|pprof|callgrind|speedscope|firefox|topo|flat|tree|callers|flame' "$scratch/formats")"
text 'formats of writers.def that -o of man/psuite-tprof.1 lacks' '' \
  "$(grep -vxf <(sed -n '/\\-\\-output/,/lists all formats/p' "$TESTS/../man/psuite-tprof.1" | grep -oE '\w+') "$scratch/formats")"

# The checker itself notices
"$write" firefox plain.stacks | sed 's/"prefix":\[null,0/"prefix":[null,9/' > "$scratch/broken"
status 'a parent behind its child is seen' 1 python3 "$read" firefox "$scratch/broken"
"$write" speedscope plain.stacks | sed 's/"weights":\[[0-9]*,/"weights":[1,/' > "$scratch/broken"
status 'a wrong weight is seen' 1 python3 "$read" speedscope "$scratch/broken"
"$write" topo plain.stacks | sed 's/"functions":\[\["\([^"]*\)",[0-9]*,/"functions":[["\1",0,/' > "$scratch/broken"
status 'less total than local time is seen' 1 python3 "$read" topo "$scratch/broken"
"$write" json plain.stacks | sed 's/"self":\[5,/"self":[6,/' > "$scratch/broken"
status 'a wrong sum is seen' 1 python3 "$read" json "$scratch/broken"
finish
