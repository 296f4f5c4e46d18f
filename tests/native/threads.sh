#!/bin/bash
# Sampling by ptrace, which has a thread of its own. The build with the thread sanitizer runs this one and its neighbours of the
# label `sanitized'; what it reports, in whichever process, is a failure.
. lib/check.sh
: "${WORK:=$TESTS/../build/work}"
export TSAN_OPTIONS="log_path=$scratch/race"
raced() { text "$1: no report of a race" '' "$(cat "$scratch"/race.* 2>/dev/null | head -40)"; rm -f "$scratch"/race.*; }

if "$PSUITE" tprof -E ptrace -x true >/dev/null 2>"$scratch/err"; then
  for program in 'shares 300' churn 'handled 1'; do
    status "$program, by ptrace" 0 timeout 60 "$PSUITE" tprof -E ptrace -g -F 997 -fo "$scratch/report" -x sh -c "timeout 1 $WORK/$program; true"
    has "$program: it was sampled" '^[0-9.]+ m?s, [1-9][0-9]* samples; ptrace' "$scratch/report"
  done
  raced 'sampling by ptrace'
else
  skip 'sampling by ptrace' "$(head -1 "$scratch/err")"
fi
finish
