# The sampler on a board's kernel, record by record, by its counters too.
number() { grep -Eo "(^| )$1=[0-9]+" $out | head -1 | cut -d= -f2; }
dump=/test/sampledump
status 'a clock, all CPUs, with the kernel' 0 $dump -a -k -s -t 2
holds "every CPU is sampled ($(number idle) idle of $(number cpus))" "$(number cpus) == $(grep -c ^processor /proc/cpuinfo) && $(number user) + $(number kernel) + $(number idle) > 500"
status 'a program that asks the kernel' 0 $dump -k -s $work/asks 1000
holds "is in it ($(number kernel) of $(($(number user) + $(number kernel))))" "$(number kernel) > 40"
for program in $work/chains*; do
  status "chains of ${program##*/}" 0 $dump -c -s $program 1000
  # ARM's kernel expects frames as old compilers made them, and reads wrong callers from today's.
  case $ARCH/${program##*/} in
    armhf/* | amd64/chains_bare) holds "samples are there ($(number user), $(number chained) with chains)" "$(number user) > 40" ;;
    *) holds "are there ($(number chained) of $(number user))" "$(number user) > 40 && $(number chained) > 0.9 * $(number user)" ;;
  esac
done
if [ "$ARCH" = amd64 ]; then
  skip 'cycles' 'an emulated PC has no counters'
else
  for event in cycles cycles:u "$(cd /sys/bus/event_source/devices && ls -d arm*/events/cpu_cycles | sed 's,/events/,/,' | head -1)/" cpu_cycles r11; do
    status "$event, as often as asked" 0 $dump -s -F 500 -e $event $work/burn 1000
    text "$event is the method" "method=perf $event hz=500" "$(head -1 $out)"
    holds "$event: $(number user) samples of 500 a second, $(number weight) cycles" "$(number user) > 20 && $(number weight) > 10000000"
  done
  status 'cycles, all CPUs' 0 $dump -a -k -s -F 500 -e cycles -t 2 $work/burn 1000
  holds "$(number user) samples" "$(number user) > 20"
fi
status 'a tracepoint' 0 $dump -s -e sched:sched_switch sh -c 'sleep 0.01; sleep 0.01; sleep 0.01'
holds "each switch ($(number kernel)), in the kernel" "$(number kernel) >= 3 && $(number kernel) < 100"
status 'page faults' 0 $dump -s -e page-faults $work/touch_pages 1000
holds "each one ($(number user))" "$(number user) >= 1000 && $(number user) < 1200"
