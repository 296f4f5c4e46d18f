# A report by functions counts samples at the start of their functions as it reads them; with -o the places are kept, and put
# into functions in the end. Both say the same, byte for byte.
. lib/check.sh
. lib/perf.sh
: "${WORK:=$TESTS/../build/work}"
if ! "$PSUITE" tprof -E perf -x true >/dev/null 2>"$scratch/err"; then
  skip 'reports by function' "$(cat "$scratch/err")"; finish
fi

# one_report WHAT FILE: as a table, by thread and as JSON
one_report() {
  local form
  for form in '' --threads --by-process --json '-m libc.so.6'; do
    # shellcheck disable=SC2086
    "$PSUITE" tprof $form "$2" > "$scratch/functions" 2>&1
    # shellcheck disable=SC2086
    "$PSUITE" tprof $form -fo "folded:$scratch/folded" "$2" > "$scratch/places" 2>&1
    ok "$1 $form: the same report" cmp "$scratch/functions" "$scratch/places"
    ok "$1 $form: of something" test "$(wc -c < "$scratch/places")" -gt 100
  done
}

compile='int f(int x) { return x * x; }'
printf '%s\n' "$compile" > "$scratch/f.c"
record() { # record WHAT OPTION...
  local what=$1; shift
  status "$what is recorded" 0 "$PSUITE" tprof -q -f --record "$scratch/rec" "$@" -x sh -c \
    "'$WORK/shares' 100; gcc -O2 -c -o '$scratch/f.o' '$scratch/f.c'"
  one_report "$what" "$scratch/rec"
}
record 'flat' -F 4999
record 'with the kernel' -k -F 4999
record 'with chains' -g -k -F 997
record 'with waits' -w -g -F 997
record 'several events' -e cpu-clock,page-faults -F 997

if command -v perf >/dev/null && perf_records "$scratch/perf.data" -F 4999 -e cpu-clock gcc -O2 -c -o "$scratch/f.o" "$scratch/f.c"; then
  one_report 'perf.data' "$scratch/perf.data"
  perf_records "$scratch/perf.data" -g -F 4999 -e cpu-clock gcc -O2 -c -o "$scratch/f.o" "$scratch/f.c"
  one_report 'perf.data with chains' "$scratch/perf.data"
  perf_records "$scratch/perf.data" --call-graph dwarf -F 997 -e cpu-clock "$WORK/shares" 200
  one_report 'perf.data with stacks' "$scratch/perf.data"
else
  skip 'perf.data' 'no perf here'
fi
finish
