# The processes of stats on a fake machine: in one sample, in the overview, as JSON; ended ones, ids that are used again, and
# names that would act on a terminal or a page.
. "$(dirname "$0")/../lib/check.sh"
own=$TESTS/golden/stats_processes

# machine ROUND BUSY IDLE: two CPUs, by ticks so far, and what the other graphs of the overview read
machine() {
  mkdir -p "$scratch/$1/proc/net" "$scratch/$1/proc/pressure"
  {
    printf 'cpu  %d 0 0 %d 0 0 0 0 0 0\n' $((2 * $2)) $((2 * $3))
    printf 'cpu%d %d 0 0 %d 0 0 0 0 0 0\n' 0 "$2" "$3" 1 "$2" "$3"
    printf 'intr 0\nctxt 0\nbtime 1700000000\nprocesses 100\nprocs_running 4\nprocs_blocked 0\n'
  } > "$scratch/$1/proc/stat"
  echo '4.50 1.00 0.50 5/100 300' > "$scratch/$1/proc/loadavg"
  printf '%s %s kB\n' MemTotal: 1000000 MemFree: 500000 MemAvailable: 800000 Buffers: 0 Cached: 300000 SwapCached: 0 Shmem: 0 \
    SReclaimable: 0 SwapTotal: 1000 SwapFree: 1000 > "$scratch/$1/proc/meminfo"
  printf 'pgfault 0\n' > "$scratch/$1/proc/vmstat"
}
# process ROUND PID NAME STATE STARTED CPU-TICKS THREADS PAGES
process() {
  echo "$2 ($3) $4 1 0 0 0 0 0 0 0 0 0 $6 0 0 0 20 0 $7 0 $5 0 $8 0 0 0 0 0 0 0 0 0 0 0 0 17 0 0 0 0" > "$scratch/$1.$2"
  echo "proc $2 stat $1.$2" >> "$scratch/lines"
}
for pid in 1 30 31 32 40 50 60; do echo "proc $pid maps /dev/null"; done > "$scratch/lines"
machine 1 1000 9000; machine 2 1098 9002
process 1 1 init S 5 300 1 1000;              process 2 1 init S 5 300 1 1000
process 1 30 burn R 60 5000 1 250;            process 2 30 burn R 60 5098 1 250
process 1 31 'two (th)reads' S 61 100 4 5000; process 2 31 'two (th)reads' S 61 162 4 5000
# another process with the id of one that has ended, whose time was more; and one that ended in between
process 1 32 old S 62 9000 1 10;              process 2 32 new R 6200 7 1 20
process 1 40 gone S 63 50 1 10
process 1 50 "$(printf 'a\e[2J\n<b>"')" S 64 0 1 30; process 2 50 "$(printf 'a\e[2J\n<b>"')" S 64 1 1 30
: > "$scratch/2.40"; echo 'proc 40 stat 2.40' >> "$scratch/lines"
# one that began between the readings
: > "$scratch/1.60"; echo 'proc 60 stat 1.60' >> "$scratch/lines"; process 2 60 begun S 6300 20 1 40
{ cat "$scratch/lines"; printf 'clock 0 10000000\nroot 1\nroot 1\nroot 2\n'; } > "$scratch/machine.scenario"
fake() { PSUITE_FAKE=$scratch/machine.scenario sysname=board timeout 30 "$PSUITE_FAKE_BIN" stats "$@"; }

status 'one sample' 0 fake --once -l --processes
same 'most CPU time first' "$own/once.out" "$scratch/out"
status 'the overview' 0 fake --once --overview
same 'names the busiest, and has five' "$own/overview.out" "$scratch/out"
status 'without being asked' 0 fake --once -l
hasnt 'there are none' 'pid|burn' "$scratch/out"
status 'as JSON' 0 fake --once --json -l --processes
sed -E 's/"time":[0-9.]+/"time":TIME/' "$scratch/out" > "$scratch/json"
same 'all of them' "$own/once.json" "$scratch/json"
ok 'it is JSON, and its names are what they were' python3 -c '
import json, sys
rows = json.load(open(sys.argv[1]))["sources"][0]["processes"]
assert "a\x1b[2J\n<b>\"" in [row["program"] for row in rows], rows
assert [row["cpu_pct"] for row in rows] == sorted((row["cpu_pct"] for row in rows), reverse=True), rows' "$scratch/out"
status 'samples' 0 fake --json -l --processes --samples 2
text 'of which the first has none: there was one reading' '1 2' \
  "$(grep -c '"processes_read":' "$scratch/out") $(grep -n '"processes":' "$scratch/out" | cut -d: -f1)"

# --- the view: below the graphs, hidden and shown, earlier, in the help, and where there is little room
{
  grep -v '^clock' "$scratch/machine.scenario"
  printf '%s\n' 'terminal 80x24' 'clock 0 1000000' 'at 1500 type t' 'at 1600 type t' 'at 1700 type h' 'at 1800 type h' \
    'at 2500 type \e[D' 'at 2600 type p' 'at 2700 resize 80x12' 'at 2800 resize 80x6' 'at 3500 type q'
} > "$scratch/view.scenario"
status 'the view' 0 env PSUITE_FAKE="$scratch/view.scenario" sysname=board timeout 30 "$PSUITE_FAKE_BIN" stats -l --processes
same 'its screens' "$own/view.out" "$scratch/out"
hasnt 'nothing but what a terminal knows' 'STRANGE|not restored' "$own/view.out"
status 'the overview in the view' 0 env PSUITE_FAKE="$scratch/view.scenario" sysname=board timeout 30 "$PSUITE_FAKE_BIN" stats --overview --processes
has 'names the busiest' 'busiest: burn \(30\), ' "$scratch/out"
has 'each graph keeps a line' '^iopsi ' "$scratch/out"
sed -i 's/^at 1700 type h/at 1700 type t/' "$scratch/view.scenario"
status 'a view without them' 0 env PSUITE_FAKE="$scratch/view.scenario" sysname=board timeout 30 "$PSUITE_FAKE_BIN" stats -l
hasnt 'has none, whatever the key' ' pid +CPU' "$scratch/out"
finish
