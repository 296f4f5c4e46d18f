# time on a board's kernel: Plan 9's line, exit statuses, memory and the counters it has.
status 'time of a command' 0 time sh -c 'exit 0'
has 'its line' '^[0-9]+\.[0-9]{2}u [0-9]+\.[0-9]{2}s [0-9]+\.[0-9]{2}r 	 sh -c exit 0$' $err
status 'its exit status' 3 time sh -c 'exit 3'
has 'is told' '  # status=exit 3$' $err
status 'a signal' 139 time sh -c 'kill -SEGV $$'
has 'is told by name' '  # status=signal 11 SIGSEGV' $err
status 'not found' 127 time nosuchcommand
for program in $work/burn $work/burn-a32; do
  [ -x "$program" ] || continue
  for try in 1 2 3 4 5; do # what stops an emulated processor is user time here
    status "${program##*/} for 300 ms" 0 time --json "$program" 300
    ns=$(grep -o '"user_ns":[0-9]*' $err | head -1 | cut -d: -f2)
    [ "$ns" -ge 500000000 ] || break
  done
  holds "${program##*/}: its user time ($ns ns)" "$ns > 200000000 && $ns < 500000000"
done
status 'touching 5000 pages' 0 time -v $work/touch_pages 5000
faults=$(awk '/^minor faults/ { print $3 }' $err)
holds "its faults ($faults)" "$faults >= 5000 && $faults < 5600"
status 'counters over a series' 0 time -n 5 -ccycles,task-clock $work/touch_pages 100
if [ "$ARCH" = amd64 ]; then
  skip 'cycles' 'an emulated PC has no counters'
else
  has 'cycles' '^cycles +[kMG]? *[1-9]' $err
fi
