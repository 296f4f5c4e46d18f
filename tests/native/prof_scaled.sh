# What prof tells of adaptive calls (proftype=adaptive) is what they took: prof_scaled's outer takes all of its processor time,
# inner half of that. Once by samples, where the machine gives them, and once without, when some calls are timed. A machine with
# other work stretches what was being timed: the best of TRIES. Where others took 2% of each of these, nothing can be said.
. lib/check.sh
: "${WORK:=$TESTS/../build/work}" "${TRIES:=25}"
program=$WORK/prof/prof_scaled

total() { "$PSUITE" prof --json prof.* 2> /dev/null | sed "s/.*\"functions\":\[//; s/{/\n{/g" | sed -n "s/^{\"name\":\"$1\".*\"total_ns\":\([0-9]*\).*/\1/p" | head -1; }
mkdir "$scratch/run"; cd "$scratch/run" || exit
# within HOW VARIABLE...: how far outer and inner are off at best, with these in the environment
within() {
  local how=$1 i off best=9 ran=0 quiet=0; shift
  for ((i = 0; i < TRIES; i++)); do
    rm -f prof.*
    env proftype=adaptive "$@" "$program" > said || break
    ran=$((ran + 1))
    off=$(awk -v outer="$(total outer)" -v inner="$(total inner)" '
      function far(a, b) { return a > b ? a / b - 1 : 1 - a / b }
      $1 == "cpu_ns" { x = far(outer, $3); y = far(inner, $3 / 2); print (x > y ? x : y) }' said)
    awk '$1 == "cpu_ns" { cpu = $3 } $1 == "waited_ns" { exit !($2 < cpu * 0.02) }' said && quiet=$((quiet + 1))
    best=$(awk -v a="$off" -v b="$best" 'BEGIN { print (a < b ? a : b) }')
    awk "BEGIN { exit !($best < 0.05) }" && break
  done
  text "$how: it ran" yes "$([ $ran -gt 0 ] && echo yes)"
  if [ $quiet = 0 ] && awk "BEGIN { exit $best < 0.05 }"; then
    skip "$how: adaptive's times" "others took 2% of the time of each of $ran runs and more, and they are off by $best"
  else
    holds "$how: adaptive's times are within 5% (off by $best, of $ran runs, $quiet of them quiet)" "$best < 0.05"
  fi
  "$PSUITE" prof --json prof.* > json 2> /dev/null
}
within 'as the machine is'
has 'the report says how' \
  'exact calls, (adaptive by [1-9][0-9]* samples|elapsed by|adaptive by .*not sampled: (perf events|a timer interrupt takes|too few timer))' json
has 'and by how much inner may be off' '"name":"inner".*"error_ns":[1-9]' json
within 'without samples' profsample=0
has 'the report says so' 'exact calls, (elapsed|adaptive) by .*not sampled: (profsample=0|perf events)' json
has 'and the error' '"name":"inner".*"error_ns":[1-9]' json
finish
