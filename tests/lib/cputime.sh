# cputime.sh: CPU time as an oracle of samplings. Beside other work a process has any share of the CPUs: a test that wants many
# samples waits for CPU time, and compares it over the time that was sampled. Sourced after check.sh.

# user_ms PID: its user time, ended threads included, in steps of 10 ms
user_ms() { awk -v hz="$(getconf CLK_TCK)" '{ sub(/.*\) /, ""); print int($12 * 1000 / hz) }' "/proc/$1/stat" 2>/dev/null || echo 0; }
# cpu_ms PID: its CPU time likewise, which the kernel counts exactly
cpu_ms() { awk -v hz="$(getconf CLK_TCK)" '{ sub(/.*\) /, ""); print int(($12 + $13) * 1000 / hz) }' "/proc/$1/stat" 2>/dev/null || echo 0; }

# samples_now SAMPLER PID: whether the process SAMPLER has its perf events, or holds process PID by ptrace
samples_now() {
  [ "$(grep -c 'perf_event' "/proc/$1/maps")" -ge "$(nproc)" ] 2>/dev/null || grep -qs "^TracerPid:.[^0]" "/proc/$2/status"
}

# sampled_while FUNCTION PID COMMAND...: COMMAND samples process PID, or what it will, while FUNCTION runs, and is interrupted then;
# its status. Its output is left in $scratch/out and err.
sampled_while() {
  local function=$1 pid=$2 sampler end=$((SECONDS + 60)); shift 2
  last_command="$*"
  env --default-signal=INT "$@" >"$scratch/out" 2>"$scratch/err" & sampler=$! # a script's background job ignores ^C
  until samples_now $sampler "$pid" || ! kill -0 $sampler 2>/dev/null || [ $SECONDS -ge $end ]; do sleep 0.05; done
  "$function"
  kill -INT $sampler 2>/dev/null; wait $sampler
}

# sampled_until PID MS COMMAND...: until the process has had MS of user time since, 100 seconds at most
sampled_until() {
  local worked_pid=$1 worked_ms=$2; shift 2
  sampled_while works_for "$worked_pid" "$@"
}
works_for() {
  local end=$((SECONDS + 100)) until; until=$(($(user_ms "$worked_pid") + worked_ms))
  while [ "$(user_ms "$worked_pid")" -lt $until ] && kill -0 "$worked_pid" 2>/dev/null && [ $SECONDS -lt $end ]; do sleep 0.1; done
}

# user_ms_error MS: how far so much user time by the kernel may be from that of a process which is in user mode nine tenths of its
# time or more. It has steps of 10 ms at both ends, and the kernel samples which part of CPU time is user time, at 100 Hz at least:
# 4 sigma of that.
user_ms_error() { awk "BEGIN { printf \"%d\", 20 + 4 * 10 * sqrt(0.1 * 0.9 * $1 / 10) }"; }
