# The tests' own library, check.sh: what a check that fails prints, and what ./dev reads of the results.
. lib/check.sh
mkdir -p "$scratch/tests/native" "$scratch/results"
cat > "$scratch/tests/native/sample.sh" <<E
. "$TESTS/lib/check.sh"
helper() {
  text 'in a function' 1 "\$1"
}
text 'passes' 1 1
text 'differs' 1 2
helper 3
status 'a status' 0 sh -c 'echo reason >&2; exit 3'
has 'a line' wanted "\$scratch/err"
skip 'a part' 'it is not here'
finish
E
printf '. "%s/lib/check.sh"\ntrap "echo cleaned" EXIT\ntext same 1 1\nexit 0\n' "$TESTS" > "$scratch/tests/native/early.sh"
printf '. "%s/lib/check.sh"\ntext same 1 1\nfinish\n' "$TESTS" > "$scratch/tests/native/good.sh"
results() { sed -E 's/^cpu [0-9]+$/cpu N/' "$scratch/results/$1" | paste -sd'|'; }
run() { (cd "$scratch/tests" && env -u V -u UPDATE TESTS="$scratch/tests" RESULTS="$scratch/results" "$@"); }

status 'a test with checks that failed' 1 run bash native/sample.sh
hasnt 'what passed is not shown' '^ok' "$scratch/out"
text 'lines of the failed checks' \
  "$(printf 'tests/native/%s\n' {'sample.sh:6','sample.sh:3, called at tests/native/sample.sh:7','sample.sh:8','sample.sh:9'})" \
  "$(sed -n 's/^    at //p' "$scratch/out")"
has 'values that differ' '^    got:  2$' "$scratch/out"
has 'the command and its status' '^    sh -c echo reason >&2; exit 3: exit status 3, want 0$' "$scratch/out"
has 'what it printed' '^    reason$' "$scratch/out"
has 'the command whose output lacks a line' '^    the output of: sh -c' "$scratch/out"
text 'its results' 'skipped a part: it is not here|cpu N|1 passed, 4 failed, 1 skipped' "$(results native_sample)"
status 'V=1' 1 run V=1 bash native/sample.sh
has 'shows what passed' '^ok passes$' "$scratch/out"
status 'a test that passes' 0 run bash native/good.sh
text 'one line' '1 passed, 0 failed, 0 skipped' "$(cat "$scratch/out")"
status 'a test that does not come to its end has failed' 1 run bash native/early.sh
has 'its own trap was run' '^cleaned$' "$scratch/out"
text 'its results' 'cpu N|1 passed, 1 failed, 0 skipped' "$(results native_early)"
finish
