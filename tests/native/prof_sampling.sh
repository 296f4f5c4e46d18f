# How libpsprof samples the threads of a program: how often, by what a sample costs on this machine or by profsample, and what
# a program that is sampled sees of it. Then that no time exceeds what it is part of, also beside other work.
. lib/check.sh
: "${WORK:=$TESTS/../build/work}"
programs=$WORK/prof
mkdir "$scratch/run"; cd "$scratch/run" || exit

# recorded PROGRAM [ARGUMENT...]: its word is in said, its report in json, and its head in head
recorded() {
  rm -f prof.*
  status "$*" 0 "$programs/$1" "${@:2}"
  cp "$scratch/out" said; cp "$scratch/err" complaint
  "$PSUITE" prof --json prof.* > json 2> remarks
  "$PSUITE" prof -c prof.* 2>&1 | head -1 > head
}
number() { grep -oE "\"$1\":[0-9]+" json | head -1 | cut -d: -f2; }

# adaptive needs samples of kernel mode, too
may_sample_kernel() { [ "$(id -u)" = 0 ] || [ "$(cat /proc/sys/kernel/perf_event_paranoid)" -le 1 ]; }

# --- how often
recorded prof_funcs
case $(cat head) in
  *'perf events '*'are not permitted') skip 'what samples cost' 'no perf events here' ;;
  *) holds 'a sample takes 5% of the time between two, or there is none' \
      "$(number sample_cost_ns) > 0 && $(number sample_cost_ns) <= 50000 ? $(number sample_ns) >= 100000 && $(number sample_ns) <= 1000000 && $(number sample_cost_ns) * 20 <= $(number sample_ns) : $(number sample_ns) == 0" ;;
esac
export profsample
has_cpu_time() { [ "$(number cpu_ns)" -gt 0 ]; }
ok 'the CPU time of the process' has_cpu_time
profsample=0 recorded prof_funcs
text 'profsample=0: no samples' '0 0' "$(number sample_ns) $(number sample_cost_ns)"
text 'and no complaint' '' "$(cat complaint)"
profsample=soon recorded prof_funcs
text 'no number' 'psprof: profsample: not a number of microseconds up to 1000000: using the default' "$(cat complaint)"
profsample=1000 recorded prof_modes 20
if [ "$(number sample_ns)" = 1000000 ]; then
  pass 'profsample=1000: a sample each millisecond'
  profsample=3 recorded prof_funcs
  text 'no more than ten in a millisecond' 100000 "$(number sample_ns)"
  profsample=100 proftype=adaptive recorded prof_modes 100
  if may_sample_kernel; then has 'the report says how many samples there were' 'adaptive by [1-9][0-9]* samples \(0\.1 ms\)' head
  else has 'adaptive has no samples where those of kernel mode are refused' 'adaptive by .*, not sampled: perf events of kernel mode are not permitted' head; fi
else
  has 'perf events are refused, and the report says so' 'not sampled: perf events are not permitted' head
fi

# --- without samples the cost of the probes is the lesser of two measurements, when recording begins and when it ends
for type in elapsed kernel; do
  profsample=0 proftype=$type recorded prof_slowed
  holds "$type: a measurement that was disturbed does not count" "$(number inside_ps) + $(number outside_ps) < 2000000"
done

# --- duration: elapsed time, also where the clock of the calls is the thread's own
for type in elapsed kernel; do
  profsample=0 proftype=$type recorded prof_modes 20
  holds "$type: duration_ns" "$(number duration_ns) >= 40000000"
done

# --- what the program sees
descriptors() { awk '/descriptors/ { print $2 }' said | sort -u; }
profsample=0 recorded prof_together 1
without=$(descriptors)
for type in elapsed kernel adaptive; do
  profsample=1000 proftype=$type recorded prof_together 50
  text "$type: no descriptor is open that the program did not open" "$without" "$(descriptors)"
done
profsample=1000 recorded prof_together 1500
text 'of 1500 threads that are there at once all are recorded' 3000 \
  "$(sed 's/{"name"/\n&/g' json | sed -n 's/^{"name":"leaf".*"calls":\([0-9]*\).*/\1/p' | tail -1)"
[ "$(number sample_ns)" = 0 ] || holds 'and at most 1024 have events' "$(number threads_unsampled) >= 1501 - 1024"
[ "$(number sample_ns)" = 0 ] || has 'which the report says' '^prof: .*: [0-9]+ threads could not be sampled: ' remarks

# A filter of system calls that a program comes under may kill it for opening an event. One that is there from the start, as in
# a container, has refused it already, or has not.
filters() { awk '$1 == "Seccomp:" { print $2 }' /proc/self/status; }
profsample=1000 recorded prof_filtered
if [ "$(filters)" = 0 ] && ! grep -q '^unfiltered' said; then
  [ "$(number sample_ns)" = 0 ] || text 'of its two threads one has no event' 1 "$(number threads_unsampled)"
else
  skip 'a filter of system calls' "there is one already, or none can be had"
fi

# --- times: of prof_scaled, all of whose time is on a CPU, and which says how much that was
total() { sed 's/.*"functions":\[//; s/{"name"/\n&/g' json | sed -n "s/^{\"name\":\"$1\".*\"total_ns\":\([0-9]*\).*/\1/p"; }
loops=()
stop_loops() { [ ${#loops[@]} = 0 ] || kill "${loops[@]}"; loops=(); }
trap 'stop_loops; rm -rf "$scratch"' EXIT
for ((cpu = 0; cpu < 2 * $(nproc); cpu++)); do (trap - EXIT; while :; do :; done) & loops+=($!); done
exceeds() { awk "BEGIN { exit !($(number total_ns) > $cpu_ns * 1.01 + 2000000) }"; }
for how in 'adaptive 0' 'adaptive 200' 'elapsed 200' 'kernel 200'; do
  for _ in {1..10}; do # both clocks are read beside other work
    proftype=${how% *} profsample=${how#* } recorded prof_scaled
    cpu_ns=$(awk '$1 == "cpu_ns" { print $3 }' said)
    exceeds || break
  done
  [ "$how" != 'elapsed 200' ] || [ "$(number sample_ns)" != 0 ] || continue # then it has no way to know
  holds "$how: the whole is no more than the program's time on a CPU" "$(number total_ns) <= $cpu_ns * 1.01 + 2000000"
  holds "$how: inner is a part of outer, and outer of main" "$(total inner) <= $(total outer) && $(total outer) <= $(total main)"
done
stop_loops
finish
