# tprof on a board's kernel: the workload that knows its answer, Thumb and A32 alike, as a command and by its pid.
number() { grep -o "\"$1\":[0-9.]*" "$2" | head -1 | cut -d: -f2; }
row_share() { # row_share FUNCTION FILE: in per cent, of a text report
  awk -F'\t' -v name="$1" '{ split($3, w, " ") } w[1] == name { print $2 + 0; found = 1; exit } END { if (!found) print 0 }' "$2"
}
for program in $work/shares*; do
  name=${program##*/}
  status "$name under tprof -x" 0 tprof -F 4999 -fo /tmp/report -x "$program" 150
  read -r own_main _ own_one _ own_two _ < $out
  # By its own clock or by construction: an emulated processor stalls, which its clock counts and no sample sees.
  for f in "in_main $own_main 16.7" "share_one $own_one 33.3" "share_two $own_two 50.0"; do
    set -- $f
    got=$(row_share "$1" /tmp/report)
    holds "$name: $1 has $got %, $2 by its own clock" "($got - $2) ^ 2 <= 25 || ($got - $3) ^ 2 <= 25"
  done
  has "$name: how it was measured" '^perf cpu-clock, user mode, [0-9]+ Hz: [0-9]+ samples, 0 lost, ' /tmp/report
  "$program" 100000 >/dev/null &
  pid=$!
  status "$name by its pid" 0 tprof -t 1 --json $pid
  kill $pid
  holds "$name: samples of both threads" "$(number samples $out) > 500"
  holds "$name: its names are found" "$(number unresolved_pct $out) < 5"
done
status 'no such process' 1 tprof 99999
has 'is named' '^tprof: process 99999: No such process$' $err
