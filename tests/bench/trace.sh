#!/bin/bash
# Pipe ping-pong, a pair on each of two CPUs, alone and traced by each tool in turn, ROUNDS (5) times: the slow-down, the events
# recorded and lost, bytes per event, the tool's own CPU time; then the time of reports of the recordings. Medians; slow-downs are of
# the same round. The load shows how busy the machine was.
set -u
: "${PSUITE:?the psuite to measure}" "${ROUNDS:=5}" "${TRIPS:=40000}"
work=${WORK:-$(dirname "$PSUITE")/work}
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
pairs() { for cpu in 0 1; do taskset -c $cpu "$work/waits" pingpong "$TRIPS" & done; wait; }
median() { sort -n | awk '{ v[NR] = $1 } END { if (NR) print v[int((NR + 1) / 2)] }'; }
# A bare reader: the same tracepoints, the same buffers, pages read and thrown away.
${CC:-cc} -O2 -o "$dir/raw_pages" "$(dirname "$0")/raw_pages.c" || exit
raw() {
  local i=/sys/kernel/tracing/instances/bench-$$ reader
  mkdir $i; echo mono > $i/trace_clock; echo 8192 > $i/buffer_size_kb
  for e in sched_switch sched_wakeup sched_wakeup_new sched_migrate_task sched_process_fork sched_process_exec; do echo 1 > $i/events/sched/$e/enable; done
  "$dir/raw_pages" $i "$(nproc)" & reader=$!
  "$@"; kill $reader; wait $reader 2>/dev/null; rmdir $i
}
psuite() { "$PSUITE" trace -f -o "$dir/psuite.rec" > "$dir/said" 2>&1 & local t=$!; sleep 0.5; "$@"; kill -TERM $t; wait $t; }
perf_sched() { perf record -q -a -R -c 1 -m 2048 -e 'sched:sched_switch,sched:sched_wakeup,sched:sched_wakeup_new,sched:sched_migrate_task,sched:sched_process_fork' -o "$dir/perf.data" -- "$@" > "$dir/said" 2>&1; }
bpftrace_() { bpftrace -e 'tracepoint:sched:sched_wakeup { @t[args->pid] = nsecs; } tracepoint:sched:sched_switch /@t[args->next_pid]/ { @h = hist(nsecs - @t[args->next_pid]); delete(@t[args->next_pid]); }' > "$dir/said" 2>&1 & local t=$!; sleep 2; "$@"; kill -TERM $t; wait $t; }
export -f pairs 2>/dev/null; export work TRIPS
time_of() { local from; from=$(date +%s%N); "$@" > /dev/null 2>&1; echo $(($(date +%s%N) - from)); }
measured() { # measured TOOL: ns of the pairs under it
  "$1" bash -c 'from=$(date +%s%N); for cpu in 0 1; do taskset -c $cpu "$work/waits" pingpong "$TRIPS" >/dev/null & done; wait; echo $(($(date +%s%N) - from)) > "'"$dir"'/ns"'
  cat "$dir/ns"
}
bare() { "$@"; }
tools='raw psuite'
command -v perf >/dev/null && tools+=' perf_sched'
no_bpftrace='not installed'
if command -v bpftrace >/dev/null; then
  if timeout 60 bpftrace -e 'tracepoint:sched:sched_switch { exit(); }' > "$dir/said" 2>&1; then tools+=' bpftrace_' no_bpftrace=''
  else no_bpftrace="cannot run here: $(grep -im1 error "$dir/said" || head -1 "$dir/said")"; fi
fi
echo "load $(cut -d' ' -f1 /proc/loadavg), $(nproc) CPUs, $TRIPS round trips a pair"
for ((round = 0; round < ROUNDS; round++)); do
  alone=$(measured bare)
  for tool in $tools; do
    ns=$(measured $tool)
    awk "BEGIN { print $ns / $alone }" >> "$dir/$tool.ratio"
  done
done
printf '\n| %s | %s |\n|---|---|\n' tool 'slow-down'
for tool in $tools; do printf '| %s | %.2f |\n' "${tool%_}" "$(median < "$dir/$tool.ratio")"; done
[ -z "$no_bpftrace" ] || echo "| bpftrace | $no_bpftrace |"
echo
events=$("$PSUITE" trace --json "$dir/psuite.rec" | sed 's/.*"events":\([0-9]*\),"lost":\([0-9]*\),.*/\1 \2/')
set -- $events
echo "psuite: $1 events, $2 lost, $(awk "BEGIN { printf \"%.1f\", $(stat -c %s "$dir/psuite.rec") / $1 }") bytes an event"
[ ! -e "$dir/perf.data" ] || echo "perf: $(perf report --stats -i "$dir/perf.data" 2>/dev/null | awk '/SAMPLE events:/ && !s { s = $3 } /LOST events:/ && !l { l = $3 } END { print s, "events,", l + 0, "records of losses" }'), $(stat -c %s "$dir/perf.data") bytes"
for ((round = 0; round < ROUNDS; round++)); do
  time_of "$PSUITE" trace "$dir/psuite.rec" >> "$dir/report.psuite"
  [ ! -e "$dir/perf.data" ] || time_of perf sched latency -i "$dir/perf.data" >> "$dir/report.perf"
done
echo "summary of it: psuite $(median < "$dir/report.psuite" | awk '{ printf "%.3f", $1 / 1e9 }') s, perf sched latency $(median < "$dir/report.perf" 2>/dev/null | awk '{ printf "%.3f", $1 / 1e9 }') s"
