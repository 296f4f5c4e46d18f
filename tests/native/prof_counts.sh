# proftype=count: calls by caller, exact whatever leaves functions or changes stacks; and what prof makes of them.
. lib/check.sh
: "${WORK:=$TESTS/../build/work}"
programs=$WORK/prof dump=$WORK/../tests/profdump
export proftype=count

# counted NAME PROGRAM [ARGUMENT...]: the counts are what the program says; there are no chains to lose anything of
counted() {
  name=$1; shift
  rm -rf "$scratch/run"; mkdir "$scratch/run"
  (cd "$scratch/run" && exec "$@") > "$scratch/said" 2> "$scratch/complaint"
  sed -n '/^calls/p; /^threads/p; $a missed 0' "$scratch/said" > "$scratch/wanted"
  { "$dump" -t "$scratch"/run/prof.* | grep '^[0-9]'; "$dump" "$scratch"/run/prof.*; } > "$scratch/dump" 2>&1
  text "$name" '' "$(awk -f lib/profcompare.awk "$scratch/dump" "$scratch/wanted")"
  text "$name: places and functions alone" 2 "$(awk '$1 ~ /^[0-9]+$/ && $1 > m { m = $1 } END { print m }' "$scratch/dump")"
}
counted 'modules that go and come' "$programs/prof_loads-so"
counted 'recursion' "$programs/prof_deep"
counted 'longjmp' "$programs/prof_jumps"
counted 'signals' "$programs/prof_signals"
counted 'signals on a stack of their own' "$programs/prof_signals" a
counted 'threads' "$programs/prof_threads" 3
counted 'contexts' "$programs/prof_contexts"
for how in exit _exit abort segv kill; do counted "ends by $how" "$programs/prof_ends" $how; done
counted 'fork' "$programs/prof_forks"
counted 'stop and start' "$programs/prof_switched"
rm -rf "$scratch/run"; mkdir "$scratch/run"; (cd "$scratch/run" && "$programs/prof_switched" >"$scratch/known")
status 'its marks' 0 "$PSUITE" prof --marks "$scratch"/run/prof.*
text 'in their order' 'ms thread mark half end' "$(awk 'NR == 1 { printf "%s %s %s", $1, $2, $3 } NR > 1 && $1 + 0 >= before { before = $1; printf " %s", $3 }' "$scratch/out")"
"$PSUITE" prof --json "$scratch"/run/prof.* >"$scratch/json"
has 'in JSON, too' '"marks":\[\{"name":"half","tid":[0-9]+,"ns":[0-9]+\},\{"name":"end",' "$scratch/json"

# Many functions by one pointer, many places: the table is too small at first.
cat > "$scratch/many.sh" <<'M'
n=3000
for ((i = 0; i < n; i++)); do echo "static void f$i(void) { __asm__ volatile(\"\"); }"; done
echo 'static void (*const all[])(void) = {'; for ((i = 0; i < n; i++)); do echo "f$i,"; done
echo '}; int main(void) { for (int r = 0; r < 50; r++) { for (int i = 0; i < 3000; i++) all[i]();'
for ((i = 0; i < n; i++)); do echo "f$i();"; done; echo '} return 0; }'
M
bash "$scratch/many.sh" > "$scratch/many.c"
if gcc -O0 -finstrument-functions "$scratch/many.c" "$WORK/../libpsprof.a" -pthread -o "$scratch/many" 2>"$scratch/err"; then
  rm -rf "$scratch/run"; mkdir "$scratch/run"; (cd "$scratch/run" && ../many)
  "$dump" "$scratch"/run/prof.* > "$scratch/dump"
  text 'calls of many functions by one pointer and from as many places' '3000 300000' \
    "$(awk '$1 == "calls" && $2 ~ /^f[0-9]+$/ && $3 == 100 { n++; c += $3 } END { print n, c }' "$scratch/dump")"
else
  skip 'many arcs' "$(head -1 "$scratch/err")"
fi

cd "$scratch/run" && rm -f prof.* && "$programs/prof_basic" > /dev/null
"$PSUITE" prof prof.* > flat; "$PSUITE" prof -d prof.* > graph; "$PSUITE" prof -c prof.* > by 2>&1
has 'the functions have their calls' ' 151	bar$' flat
hasnt 'a caller that is not recorded is no function' 'libc_start' flat
has 'callers have their callees' '^\. foo:0/100$' graph
has 'the report says what it is' 'calls only, by caller' by
finish
