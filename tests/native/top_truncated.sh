# tprof --top beside a program whose file is truncated while the view has it mapped, as linkers and copies do: the report comes.
. "$(dirname "$0")/../lib/check.sh"
. "$(dirname "$0")/../lib/need.sh"
: "${WORK:=$TESTS/../build/work}" "${PSUITE_SANITIZE:=}"
need python3 || exit
if [ "${PSUITE_SANITIZE#*address}" != "$PSUITE_SANITIZE" ]; then
  skip 'a file that shrinks' 'crashes are not contained under the address sanitizer'; finish
fi
if ! "$PSUITE" tprof -a -t 0.1 >/dev/null 2>"$scratch/err"; then
  skip 'sampling everything' "$(cat "$scratch/err")"; finish
fi
cp "$WORK/burn" "$scratch/shrinks"
status 'the view ends' 0 python3 "$TESTS/native/top_truncated.py" "$PSUITE" "$scratch/shrinks" "$scratch/top.rec"
hasnt 'no part of the report crashed' 'report: crashed' "$scratch/out"
has 'the file is named' 'shrinks: crashed with SIGBUS: it may have been rewritten' <(tr -s '[:space:]' ' ' < "$scratch/out") # a terminal folds it
has 'its time is in the report' '\(no symbol\) \[shrinks\]' "$scratch/out"
status 'the recording is read' 0 "$PSUITE" tprof --rows all "$scratch/top.rec"
hasnt 'other programs have names there' '^ *total: 0$' "$scratch/out"
has 'the function of this test`s own Python' '_PyEval_EvalFrameDefault|\[(libpython|python)' "$scratch/out"
finish
