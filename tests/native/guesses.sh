# What tprof -g tells of chains that it cannot prove: guesses, counted and confirmed or not; the same in tables and recordings;
# of perf.data the vDSO.
. lib/check.sh
. lib/report.sh
. lib/need.sh
. lib/perf.sh
: "${WORK:=$TESTS/../build/work}"
need /usr/bin/python3=python3
kinds=$WORK/chain_kinds
if ! "$PSUITE" tprof -g -q --json -fo "$scratch/json" -x "$WORK/chains_bare" 50 2>/dev/null || ! grep -q '"chains":' "$scratch/json"; then
  skip 'guesses' 'samples here have no registers and stacks'; finish
fi
# guessed WHAT PROGRAM KIND: a recording, as JSON
guessed() {
  rm -f "$scratch/recorded"
  status "$1" 0 "$PSUITE" tprof -g -q --record "$scratch/recorded" -fo "$scratch/report" -x "$2" "$3" 300
  "$PSUITE" tprof --json -fo "$scratch/json" "$scratch/recorded"
}

guessed 'compiled code that keeps frame pointers, in a program that does not' "$kinds" compiled
holds 'most chains have a guess' "$(ends "$scratch/json" "c['guessed'] / c['unwound']") > 0.9"
holds 'most guesses are confirmed by their callers' "$(ends "$scratch/json" "c['whole'] / c['unwound']") > 0.98"
has 'the report counts chains with a guessed frame' '^call chains: [0-9.]+% of [0-9]+ complete; [0-9]+ with a guessed frame$' "$scratch/report"
guessed 'compiled code that keeps none, in a program that does' "${kinds}_framed" mute
holds 'code without frame pointers: chains are guessed' "$(ends "$scratch/json" "c['guessed'] / c['unwound']") > 0.9"
holds 'code without frame pointers: guessed chains do not count as complete' "$(ends "$scratch/json" "c['whole'] / c['unwound']") < 0.1"
has 'the report names the function of unconfirmed guesses' '^ *[0-9.]+%  guessed, not confirmed, in \[anon\]$' "$scratch/report"
guessed 'ordinary code' "$WORK/chains_bare" 300
text 'chains of ordinary code have no guesses' 0 "$(ends "$scratch/json" "c['guessed']")"

# --- a table of a recording that has chains
status 'tprof prints a table of a recording with chains' 0 "$PSUITE" tprof -fo "$scratch/table" "$scratch/recorded"
has 'a recording with chains gives a table' '^total: ' "$scratch/table"
text 'the table ends with the share of complete chains' "$(grep '^call chains' "$scratch/report")" "$(tail -1 "$scratch/table")"
status 'tprof prints a table without chains' 0 "$PSUITE" tprof -q -fo "$scratch/table" -x "$WORK/chains_bare" 50
hasnt 'the table without chains has no share of complete chains' 'call chains' "$scratch/table"

# --- as an ordinary user, who may lock little: smaller rings, smaller slices, losses counted; else ptrace
# The kernel counts locked memory by user: this one is of no other test.
user=(setpriv --reuid=64321 --regid=64321 --clear-groups --inh-caps=-all --bounding-set=-all)
ordinary() { "${user[@]}" "$@"; }
open=$(mktemp -d /tmp/guesses.XXXXXX); trap 'rm -rf "$scratch" "$open"' EXIT
chmod 755 "$open"; cp "$PSUITE" "$WORK/chains_bare" "$open"
# tight KB ARGUMENTS...: with so much memory to lock, beside what kernel.perf_event_mlock_kb grants a user
tight() { local kb=$1; shift; (ulimit -l "$kb" && cd / && ordinary "$open/psuite" tprof -g "$@") >"$scratch/tight" 2>&1; }
if [ "$(id -u)" != 0 ] || ! command -v setpriv >/dev/null || ! tight 8192 -E perf --json -x "$open/chains_bare" 50; then
  skip 'as an ordinary user' "not root, or $(tail -1 "$scratch/tight" 2>/dev/null)"
else
  for try in 1 2 3 4; do # such a buffer is full after some milliseconds in which there is no CPU to empty it
    tight 0 -E perf --json -x "$open/chains_bare" 500
    [ "$(ends "$scratch/tight" "c['unwound']")" -le 200 ] || break
  done
  holds "no more than is granted: $(ends "$scratch/tight" "c['unwound']") chains" "$(ends "$scratch/tight" "c['unwound']") > 200"
  holds 'chains are complete within the kernel'"'"'s grant of locked memory' "$(ends "$scratch/tight" "c['whole'] / c['unwound']") > 0.98"
  tight 0 -E perf -F 20000 --json -x "$open/chains_bare" 500
  holds 'at a rate that does not fit the losses are counted' "$(grep -o '"lost":[0-9]*' "$scratch/tight" | cut -d: -f2) > 0"
fi
# A user's first sampling has all that the usual limit grants.
if [ "$(cat /proc/sys/kernel/perf_event_mlock_kb) $(getconf PAGESIZE)" != '516 4096' ] || [ ! -s "$scratch/tight" ] || [ "$(id -u)" != 0 ]; then
  skip 'less than is granted' 'another limit, or no such user'
else
  (ulimit -l 0 && cd / && exec "${user[@]}" "$open/psuite" tprof -g -E perf --json -x "$open/chains_bare" 1000000) >/dev/null 2>&1 & holder=$!
  has_buffers() { grep -qs 'anon_inode:\[perf_event\]' $(grep -ls "$open/psuite" /proc/[0-9]*/cmdline | sed 's/cmdline$/maps/'); }
  ok 'a sampling has what is granted' until_ok has_buffers
  cpus=$(nproc)
  (ulimit -l $((cpus * 68 + 4)) && cd / && ordinary "$open/psuite" tprof -E perf -g -x "$open/chains_bare" 300) >"$scratch/small" 2>&1
  has 'with less locked memory the report names the smaller stack slices' 'perf cpu-clock, 8 KB of stack, user mode$' "$scratch/small"
  has 'smaller stack slices give complete chains' '^call chains: (9[89]|100)[.0-9]*% of [0-9]+ complete' "$scratch/small"
  (ulimit -l 0 && cd / && ordinary "$open/psuite" tprof -E perf -g -x "$open/chains_bare" 100) >"$scratch/none" 2>&1
  has 'without locked memory the hint names the limits' "^tprof: hint: kernel.perf_event_mlock_kb and \`ulimit -l' limit the ring buffers" "$scratch/none"
  (ulimit -l 0 && cd / && ordinary "$open/psuite" tprof -g -x "$open/chains_bare" 1000) >"$scratch/else" 2>&1
  has 'without locked memory ptrace samples' '; ptrace, user mode$' "$scratch/else"
  has 'chains sampled by ptrace are complete' '^call chains: (9[89]|100)[.0-9]*% of [0-9]+ complete' "$scratch/else"
  kill $holder; wait $holder
fi

# --- perf.data has no image of the vDSO; of the kernel that runs it is ours
need perf=linux-perf
printf 'import time\nwhile time.process_time() < 0.6:\n    for _ in range(1000): time.time()\n' >"$scratch/clock.py"
if perf_records "$scratch/perf.data" -N -B -e cpu-clock:u --call-graph dwarf,8192 -F 499 $python "$scratch/clock.py"; then
  status 'perf.data' 0 "$PSUITE" tprof -g --json -fo "$scratch/json" "$scratch/perf.data"
  holds "chains go through the vDSO: $(ends "$scratch/json" "round(100 * c['whole'] / c['unwound'], 2)")% whole" \
    "$(ends "$scratch/json" "100 * c['whole'] / c['unwound']") >= 99"
  host=$(uname -n)
  LC_ALL=C sed -b "s/$host/$(tr -c '\n' x <<<"$host")/g" "$scratch/perf.data" >"$scratch/elsewhere"
  status 'tprof reads perf.data of another machine' 0 "$PSUITE" tprof --json -fo "$scratch/json" "$scratch/elsewhere"
  has 'perf.data of another machine: no copy of the vDSO' 'no copy of the vdso' "$scratch/json"
else
  skip 'perf.data' 'no perf here'
fi
finish
