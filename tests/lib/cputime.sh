# cputime.sh: CPU time as an oracle of samplings. Beside other work a process has any share of the CPUs: a test that wants many
# samples waits for CPU time, and compares it over the time that was sampled. Sourced after check.sh.

# user_ms PID: its user time, ended threads included, in steps of 10 ms
user_ms() { awk -v hz="$(getconf CLK_TCK)" '{ sub(/.*\) /, ""); print int($12 * 1000 / hz) }' "/proc/$1/stat" 2>/dev/null || echo 0; }

# samples_now SAMPLER PID: whether the process SAMPLER has its perf events, or holds process PID by ptrace
samples_now() {
  grep -q 'perf_event' "/proc/$1/maps" 2>/dev/null || grep -q "^TracerPid:.[^0]" "/proc/$2/status"
}

# sampled_until PID MS COMMAND...: COMMAND samples the process until that has had MS of user time since, and is interrupted;
# its status. 100 seconds at most. Its output is left in $scratch/out and err.
sampled_until() {
  local pid=$1 ms=$2 sampler end=$((SECONDS + 100)) until; shift 2
  last_command="$*"
  env --default-signal=INT "$@" >"$scratch/out" 2>"$scratch/err" & sampler=$!
  until samples_now $sampler "$pid" || ! kill -0 $sampler 2>/dev/null || [ $SECONDS -ge $end ]; do sleep 0.05; done
  until=$(($(user_ms "$pid") + ms))
  while [ "$(user_ms "$pid")" -lt $until ] && kill -0 $sampler 2>/dev/null && [ $SECONDS -lt $end ]; do sleep 0.1; done
  kill -INT $sampler; wait $sampler
}

# user_ms_error MS: how far so much user time by the kernel may be from that of a process which is in user mode nine tenths of its
# time or more. It has steps of 10 ms at both ends, and the kernel samples which part of CPU time is user time, at 100 Hz at least:
# 4 sigma of that.
user_ms_error() { awk "BEGIN { printf \"%d\", 20 + 4 * 10 * sqrt(0.1 * 0.9 * $1 / 10) }"; }
