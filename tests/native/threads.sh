#!/bin/bash
# Where psuite has several threads of its own: the server that counts file calls by fuse, and sampling by ptrace. The build with
# the thread sanitizer runs this one and its neighbours of the label `sanitized'; what it reports, in whichever process, is a failure.
. lib/check.sh
: "${WORK:=$TESTS/../build/work}"
export TSAN_OPTIONS="log_path=$scratch/race"
raced() { text "$1: no report of a race" '' "$(cat "$scratch"/race.* 2>/dev/null | head -40)"; rm -f "$scratch"/race.*; }

if [ "$(id -u)" = 0 ] && [ -c /dev/fuse ]; then
  mkdir "$scratch/files"
  cat > "$scratch/asks" <<'S'
cd "$1/files" && for n in 1 2 3 4 5 6; do
  (mkdir $n && for i in 1 2 3 4 5 6 7 8; do echo $n > $n/$i; cat $n/$i all 2>/dev/null; echo $n >> all; mv $n/$i $n/new.$i; ls -l . $n > /dev/null; done; rm -r $n) &
done
wait
S
  for try in 1 2 3; do
    rm -f "$scratch/files/all"
    status "six who ask at once, try $try" 0 timeout 120 "$PSUITE" iostats -b fuse sh "$scratch/asks" "$scratch"
    text 'all was written' 48 "$(wc -l < "$scratch/files/all")"
  done
  raced 'iostats by fuse'
else
  skip 'iostats by fuse' 'not root, or no /dev/fuse'
fi

if "$PSUITE" tprof -E ptrace -x true >/dev/null 2>"$scratch/err"; then
  for program in 'shares 300' churn 'handled 1'; do
    status "$program, by ptrace" 0 timeout 60 "$PSUITE" tprof -E ptrace -g -F 997 -fo "$scratch/report" -x sh -c "timeout 1 $WORK/$program; true"
    has "$program: it was sampled" '^[0-9.]+ ms, [1-9][0-9]* samples; ptrace' "$scratch/report"
  done
  raced 'sampling by ptrace'
else
  skip 'sampling by ptrace' "$(head -1 "$scratch/err")"
fi
finish
