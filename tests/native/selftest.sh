#!/bin/bash
# doctor --selftest on this machine: every check has a verdict and none is wrong, as we are, as an ordinary user, and by
# ptrace; a psuite whose workloads do something else than they say finds them wrong.
. "$(dirname "$0")/../lib/check.sh"
. "$TESTS/lib/report.sh"
[ -x "$python" ] || { skip "the self-test" "no $python"; finish; }
here=$(dirname "$PSUITE")
export SELFTEST_MARK=$$ # in the environment of all that is started here

names() { value "$1" "'; '.join(c['name'] for c in d['checks'] if $2)"; }
verdict() { value "$1" "next(c['verdict'] for c in d['checks'] if c['name'] == '$2')"; }

# sound WHAT REPORT: what holds of each report
sound() {
  text "$1: each check has a verdict" '' "$(names "$2" "c['verdict'] not in ('ok', 'wrong', 'not verified', 'not available')")"
  text "$1: the summary adds up" True \
    "$(value "$2" "all(n == sum(c['verdict'].replace(' ', '_') == v for c in d['checks']) for v, n in d['summary'].items()) and len(d['summary']) == 4 and sum(d['summary'].values()) == len(d['checks'])")"
  text "$1: what is ok or wrong was measured, and is in the range or not" '' \
    "$(names "$2" "c['verdict'] in ('ok', 'wrong') and (c['min'] <= c['measured'] <= c['max']) != (c['verdict'] == 'ok')")"
  text "$1: what is neither has a reason" '' "$(names "$2" "c['verdict'] in ('not verified', 'not available') and not c.get('why')")"
  text "$1: a counter that reads 0 is not ok" '' "$(names "$2" "c['verdict'] == 'ok' and c['measured'] == 0 and c['expected'] != 0")"
  holds "$1: it takes less than a minute" "$(value "$2" "d['selftest']['seconds']") < 60"
}

# --- as we are
status "the self-test finds nothing wrong" 0 "$PSUITE" doctor --selftest --json
d=$scratch/root.json; cp "$scratch/out" "$d"
sound "here" "$d"
text "nothing is wrong" '' "$(value "$d" "'; '.join(str(c) for c in d['checks'] if c['verdict'] == 'wrong')")"
text "the kernel" "$(uname -r)" "$(value "$d" "d['selftest']['kernel'].split(',')[0]")"
text "a kind of CPU has instructions and cycles" True \
  "$(value "$d" "len([c for c in d['checks'] if c['name'].startswith('instructions (')]) == len([c for c in d['checks'] if c['name'].startswith('cycles (')]) > 0")"
late_at() { value "$1" "any('time limit' in c.get('why', '') for c in d['checks'])"; }
# disturbed REPORT: what was measured while the hypervisor took the CPU, or sleeps were late, is not called wrong, nor ok
disturbed() { names "$1" "any(w in c.get('why', '') for w in ('hypervisor', 'sleeps of 1 ms took'))"; }
must() { # must CHECK WHY COMMAND...: where the command succeeds, the check is ok, unless the machine was too slow for all
  local check=$1 why=$2; shift 2
  if ! "$@" >/dev/null 2>&1; then skip "$check is ok" "$why"
  elif [ "$(late_at "$d")" = True ]; then skip "$check is ok" "the self-test reached its time limit"
  elif [[ "; $(disturbed "$d"); " = *"; $check; "* ]]; then skip "$check is ok" "the machine was too busy meanwhile"
  else text "$check is ok" ok "$(verdict "$d" "$check")"; fi
}
must 'page faults (rusage)' '' true
must 'switches (rusage)' '' true
must 'sleeps ended early' '' true
must 'writes (/proc)' 'no /proc/PID/io' test -r /proc/self/io
must 'reads (iostats)' 'no ptrace' "$PSUITE" iostats -b ptrace true
for check in 'share of 70 %' 'chains of 30 frames'; do
  must "$check" 'no sampling' "$PSUITE" tprof -x true
done
for check in 'waits for time' 'waits for a lock' 'waits for a pipe'; do
  must "$check" 'no sampling of waits' "$PSUITE" tprof -w -x true
done

# --- as text
status "as text, too" 0 "$PSUITE" doctor --selftest
holds "it fits a terminal" "$(wc -L < "$scratch/out") <= 80"
text "it begins with the system" "selftest psuite machine kernel processor" "$(head -5 "$scratch/out" | awk '{ print $1 }' | paste -sd' ')"
has "it ends with a summary" '^[0-9]+ checks: [0-9]+ ok, 0 wrong, [0-9]+ not verified, [0-9]+ not available$' <(tail -1 "$scratch/out")
text "nothing on standard error that is no terminal" '' "$(cat "$scratch/err")"
text "no process stays" '' "$(grep -alz "^SELFTEST_MARK=$$\$" /proc/[0-9]*/environ 2>/dev/null | while IFS=/ read -r _ _ pid _; do
  cat "/proc/$pid/cmdline" 2>/dev/null | tr '\0' ' ' | grep -e --work; done)"

# --- workloads that do something else
# Each that is ok here is wrong there, but those of which nothing is false, and those that the machine disturbed: three tries.
true_there='cost of sampling|chains of 30 frames|CPU time by samples|samples in known code'
lines() { tr ';' '\n' | sed 's/^ //' | grep . | sort -u; }
pattern() { lines | sed 's/[()]/\\&/g' | paste -sd'|'; }
told() { grep -vE "^($true_there${stolen:+|$stolen})\$"; }
stolen=$(disturbed "$d" | pattern) lies=''
for _ in 1 2 3; do
  status "workloads that lie are wrong" 1 "$here/psuite-lying" doctor --selftest --json
  lie=$scratch/lie.json; cp "$scratch/out" "$lie"
  sound "lying" "$lie"
  stolen=$({ echo "$stolen" | tr '|' ';'; disturbed "$lie"; } | tr -d '\\' | pattern)
  wanted=$(names "$d" "c['verdict'] == 'ok'" | lines | told)
  lies=$({ echo "$lies"; names "$lie" "c['verdict'] == 'wrong'" | lines; } | grep . | sort -u | told)
  [ "$lies" != "$wanted" ] || break
done
if [ "$(late_at "$d")$(late_at "$lie")" = FalseFalse ]; then text "each lie is found" "$wanted" "$lies"
else skip "each lie is found" "a self-test reached its time limit"; fi

# --- where the hypervisor takes the CPU: a kernel that says so, and timings that are wrong
steal() { # runs COMMAND with a /proc/stat whose CPUs are stolen half of the time
  echo "cpu  0 0 0 0 0 0 0 0 0 0" > "$scratch/stat"
  unshare -m sh -c 'mount --bind "$0" /proc/stat || exit 77; n=0
    while n=$((n + 10)); do echo "cpu  $n 0 0 0 0 0 0 $n 0 0" 1<> "$0"; sleep 0.1; done & writer=$!
    "$@"; status=$?; kill $writer; exit $status' "$scratch/stat" "$@"
}
if steal true 2>/dev/null; then
  steal "$here/psuite-lying" doctor --selftest --json > "$scratch/stolen.json"
  sound "stolen" "$scratch/stolen.json"
  text "no timing is wrong" '' "$(names "$scratch/stolen.json" "c['verdict'] == 'wrong' and (c['name'].startswith(('share of', 'waits for', 'chains of', 'CPU time by')))")"
  text "a share has the reason" "the hypervisor took 50 % of the CPU time meanwhile" \
    "$(value "$scratch/stolen.json" "next(c['why'] for c in d['checks'] if c['name'] == 'share of 70 %')" | sed 's/took [45][0-9] /took 50 /')"
  text "what is counted is wrong" wrong "$(verdict "$scratch/stolen.json" 'page faults (rusage)')"
else
  skip "where the hypervisor takes the CPU" "no private mounts"
fi

# --- by ptrace, where there are no perf events
PTRACE_WANT=c status "by ptrace" 0 "$here/psuite-ptrace" doctor --selftest --json
sound "by ptrace" "$scratch/out"
has "samples come by ptrace" '"how":"ptrace, [0-9]+ samples"' "$scratch/out"

# --- interrupted
status "an interrupt ends it" 130 timeout --preserve-status -k 100 -s INT 2 "$PSUITE" doctor --selftest --json
sound "interrupted" "$scratch/out"
text "what is left was interrupted" True "$(value "$scratch/out" "any('interrupted' in c.get('why', '') for c in d['checks'])")"

# --- as an ordinary user
if [ "$(id -u)" != 0 ] || ! setpriv --reuid=65534 --regid=65534 --clear-groups true 2>/dev/null; then
  skip "as an ordinary user" "cannot become one"
  finish
fi
open=$(mktemp -d /tmp/selftest.XXXXXX); trap 'rm -rf "$scratch" "$open"' EXIT
chmod 755 "$open"; install -m 755 "$PSUITE" "$open/psuite"
status "an ordinary user's self-test" 0 setpriv --reuid=65534 --regid=65534 --clear-groups "$open/psuite" doctor --selftest --json
sound "as a user" "$scratch/out"
has "it says who measured" '"kernel":"[^"]*uid 65534' "$scratch/out"
text "what is not permitted has a remedy" '' \
  "$(names "$scratch/out" "'ermi' in c.get('why', '') and not c.get('remedy')")"
finish
