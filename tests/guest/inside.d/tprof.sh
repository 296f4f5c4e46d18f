# tprof on a board's kernel: the workload that knows its answer, Thumb and A32 alike, as a command and by its pid.
number() { grep -o "\"$1\":[0-9.]*" "$2" | head -1 | cut -d: -f2; }
row_share() { # row_share FUNCTION FILE: in per cent, of a text report
  awk -F'\t' -v name="$1" '{ split($3, w, " ") } w[1] == name { print $2 + 0; found = 1; exit } END { if (!found) print 0 }' "$2"
}
for program in $work/shares*; do
  name=${program##*/}
  # Five tries: an emulated processor on a busy host stalls, which its clock counts and no sample sees. Each share is
  # held against the program's own clock and against the construction.
  for try in 1 2 3 4 5; do
    rm -f /tmp/report
    tprof -F 4999 -o /tmp/report -x "$program" 150 >$out 2>$err; got=$?
    read -r own_main _ own_one _ own_two _ < $out
    shares="$(row_share in_main /tmp/report) $(row_share share_one /tmp/report) $(row_share share_two /tmp/report)"
    near=$(echo "$shares $own_main $own_one $own_two" | awk '
      function off(a, b, c) { return (a - b) ^ 2 > 36 && (a - c) ^ 2 > 36 }
      { print off($1, $4, 16.7) + off($2, $5, 33.3) + off($3, $6, 50) }')
    [ "$got.$near" != 0.0 ] || break
  done
  text "$name under tprof -x" 0 "$got"
  text "$name: shares $shares, $own_main $own_one $own_two by its own clock; how many are off" 0 "$near"
  has "$name: how it was measured" '^perf cpu-clock, user mode, [0-9]+ Hz: [0-9]+ samples, 0 lost, ' /tmp/report
  "$program" 100000 >/dev/null &
  pid=$!
  status "$name by its pid" 0 tprof -t 1 --json $pid
  kill $pid
  holds "$name: samples of both threads" "$(number samples $out) > 200"
  holds "$name: its names are found" "$(number unresolved_pct $out) < 5"
done
status 'no such process' 1 tprof 99999
has 'is named' '^tprof: process 99999: No such process$' $err
