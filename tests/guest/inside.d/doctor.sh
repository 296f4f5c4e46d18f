# doctor in a guest (root, tracefs not mounted): sourced by inside.sh, which gives pass and fail.
doctor_has() {
  if printf '%s\n' "$doctor_text" | grep -Eq "$2"; then pass "doctor: $1"; else fail "doctor: $1" "no line matches: $2"; fi
}

doctor_text=$(psuite doctor -v) && pass "doctor: exit status 0" || fail "doctor: exit status 0"
doctor_has "the release" "^kernel +$(uname -r) "
doctor_has "own programs by perf" "^tprof .*own programs \(perf cpu-clock\)"
doctor_has "the kernel's names" "^kallsyms +addresses readable"
doctor_has "tracefs, without a mount" "^tracefs +not mounted; psuite uses a private mount"
doctor_has "function_graph" "^functions +tracer function_graph"
doctor_has "kprobes" "^kprobes +kprobe_events is writable"
doctor_has "scheduler events" "^sched +events sched"
case $(uname -m) in
aarch64)
  doctor_has "the architecture" "^kernel .* aarch64,"
  doctor_has "CNTVCT" "^counter +CNTVCT [0-9.]+ [MG]Hz, resolution"
  doctor_has "a PMU with cycles" "^PMU +armv8[a-z0-9_]*: cycles"
  ;;
armv7l)
  doctor_has "the architecture" "^kernel .* armv7l,"
  doctor_has "CNTVCT" "^counter +CNTVCT [0-9.]+ [MG]Hz, resolution"
  doctor_has "a PMU with cycles" "^PMU +armv7[a-z0-9_]*: cycles"
  ;;
x86_64)
  doctor_has "the TSC" "^counter +TSC [0-9.]+ [MG]Hz"
  ;;
esac
doctor_json=$(psuite doctor --json)
case $doctor_json in
'{"psuite":1,"applet":"doctor",'*'}') pass "doctor: JSON" ;;
*) fail "doctor: JSON" "$doctor_json" ;;
esac
doctor_longest=$(printf '%s\n' "$doctor_text" | awk 'length > n { n = length } END { print n }')
if [ "$doctor_longest" -le 80 ]; then pass "doctor: 80 columns"; else fail "doctor: 80 columns" "$doctor_longest"; fi

# The self-test. Emulated counters: cycles are time, and instructions are not there, unless the guest runs with -icount.
doctor_row() { # doctor_row CHECK: its verdict in a try that verified it
  printf '%s\n' "$doctor_selftest" | sed -n "s|^$1  .*  ||p" |
    awk '$0 == "ok" { ok = 1; next } $0 != "not verified" { other = $0 } { verdict = $0 } END { print other ? other : ok ? "ok" : verdict }'
}
doctor_verified() { # doctor_verified CHECK...
  for doctor_check; do [ "$(doctor_row "$doctor_check")" != 'not verified' ] || return 1; done
}
set -- 'page faults (rusage)' 'switches (trace)' 'share of 70 %' 'share of 10 %' 'waits for a lock' \
  'reads (/proc)' 'writes (iostats)' 'samples read and lost' 'sleeps ended early' 'chains of 30 frames'
# What a busy host keeps from being verified is measured again, three times at most; none may be wrong in any.
doctor_selftest= doctor_tries=0
for doctor_try in 1 2 3; do
  doctor_selftest="$doctor_selftest
$(psuite doctor --selftest 2>/tmp/err)" && doctor_got=0 || doctor_got=$?
  text "doctor --selftest: exit status" 0 $doctor_got
  doctor_tries=$((doctor_tries + 1))
  ! doctor_verified "$@" || break
done
for doctor_check; do text "doctor --selftest: $doctor_check" ok "$(doctor_row "$doctor_check")"; done
if [ "$(printf '%s\n' "$doctor_selftest" | grep -Ec '^[0-9]+ checks: [0-9]+ ok, 0 wrong, ')" = $doctor_tries ]; then
  pass "doctor --selftest: a summary"
else
  fail "doctor --selftest: a summary" "$doctor_selftest"
fi
