#!/bin/bash
# Sampling by ptrace and by perf events, each with a thread of its own. The build with the thread sanitizer runs this one and
# its neighbours of the label `sanitized'; what it reports, in whichever process, is a failure.
. lib/check.sh
: "${WORK:=$TESTS/../build/work}"
export TSAN_OPTIONS="log_path=$scratch/race"
raced() { text "$1: no report of a race" '' "$(cat "$scratch"/race.* 2>/dev/null | head -40)"; rm -f "$scratch"/race.*; }

if "$PSUITE" tprof -E ptrace -x true >/dev/null 2>"$scratch/err"; then
  for program in 'shares 300' churn 'handled 1'; do
    status "$program, by ptrace" 0 timeout 300 "$PSUITE" tprof -E ptrace -g -F 997 -fo "$scratch/report" -x sh -c "timeout 1 $WORK/$program; true"
    has "$program: it was sampled" '^[0-9.]+ m?s, [1-9][0-9]* samples; ptrace' "$scratch/report"
  done
  raced 'sampling by ptrace'
else
  skip 'sampling by ptrace' "$(head -1 "$scratch/err")"
fi

timeout 300 "$PSUITE" tprof -a -t 0.1 >/dev/null 2>"$scratch/err"; tried=$?
if [ $tried != 1 ]; then # a race has another status
  for options in '-F 4999 -g' '-F 4999' '-F 997 -w -g'; do
    status "by perf, $options" 0 timeout 300 "$PSUITE" tprof $options -fo "$scratch/report" -x sh -c "timeout 1 $WORK/shares 300; true"
    has "$options: it was sampled" '[:,] [1-9][0-9]* samples(, |; perf)' "$scratch/report"
  done
  status 'recorded' 0 timeout 300 "$PSUITE" tprof -F 4999 -g --record "$scratch/recording" -x sh -c "timeout 1 $WORK/shares 300; true"
  status 'read again' 0 "$PSUITE" tprof "$scratch/recording"
  raced 'sampling by perf events'
else
  skip 'sampling by perf events' "$(head -1 "$scratch/err")"
fi
finish
