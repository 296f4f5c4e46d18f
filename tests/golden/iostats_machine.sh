# iostats -a on a fake machine of four rounds: the report, reports in intervals, JSON, and every key's screen of the live view.
. "$(dirname "$0")/../lib/check.sh"
own=$TESTS/golden/iostats_machine

# task FOLDER PID NAME PARENT STARTED WAITED READ WRITTEN CALLS DISK-READ DISK-WRITTEN CANCELLED: stat and io of a task
task() {
  mkdir -p "$1"
  echo "$2 ($3) S $4 0 0 0 0 0 0 0 0 0 0 0 0 0 20 0 1 0 $5 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 17 0 0 $6 0" > "$1/stat"
  printf '%s: %s\n' rchar "$7" wchar "$8" syscr "$9" syscw 0 read_bytes "${10}" write_bytes "${11}" cancelled_write_bytes "${12}" > "$1/io"
}
# process ROUND PID NAME PARENT STARTED WAITED AMOUNT...: one of a single thread; ended ROUND PID AMOUNT...: with children that ended
process() { local r=$1 pid=$2; shift 2; task "$scratch/$r/proc/$pid" "$pid" "$@"; task "$scratch/$r/proc/$pid/task/$pid" "$pid" "$@"; }
ended() { local r=$1 pid=$2; shift 2; task "$scratch/$r/proc/$pid" "$pid" make 1 50 0 "$@"; }
# machine ROUND PGPGIN PGPGOUT
machine() {
  mkdir -p "$scratch/$1/proc/sys/kernel"
  printf 'pgpgin %s\npgpgout %s\n' "$2" "$3" > "$scratch/$1/proc/vmstat"
  echo 1 > "$scratch/$1/proc/sys/kernel/task_delayacct"
  process "$1" 1 init 0 1 0 500 0 5 0 0 0
}
machine 1 1000 5000; machine 2 1024 5100; machine 3 1056 7148; machine 4 1088 7148
# dd writes 4 MB a round, and reads 16 KB from the device in the third; it waits 0.3 s each time
process 1 300 dd 1 60 0 4096 4194304 2 0 4194304 0
process 2 300 dd 1 60 30 4096 8388608 3 0 8388608 0
process 3 300 dd 1 60 60 20480 12582912 5 16384 12582912 0
process 4 300 dd 1 60 90 20480 12582912 5 16384 12582912 8192
# make has children: cc1 is seen in the second round, and does more before it ends; others nobody sees
process 1 100 make 1 50 0 1000 0 10 0 0 0
process 2 100 make 1 50 0 1000 0 10 0 0 0
process 2 200 'c c)1' 100 70 0 40000 100 20 24576 4096 0
process 3 100 make 1 50 0 1500 0 12 0 0 0; ended 3 100 171500 8292 82 40960 12288 0
process 4 100 make 1 50 0 1500 0 12 0 0 0; ended 4 100 171500 8292 82 40960 12288 0
# one whose name would act on a terminal
process 1 400 "$(printf 'cat\e[2J')" 1 80 0 0 0 0 0 0 0
process 4 400 "$(printf 'cat\e[2J')" 1 80 0 8192 8192 4 0 0 0
{ echo 'advance /proc/sys/kernel/task_delayacct'; for r in 1 2 3 4; do echo "root $r"; done; } > "$scratch/machine"
{ cat "$scratch/machine"; echo 'clock 0 250000000'; } > "$scratch/rounds.scenario"
fake() { PSUITE_FAKE=$scratch/rounds.scenario timeout 30 "$PSUITE_FAKE_BIN" iostats -a "$@"; }

status 'a report' 0 fake -t 6
same 'of all rounds' "$own/report.out" "$scratch/out"
status 'as JSON' 0 fake -t 6 --json
same 'of all rounds, too' "$own/report.json" "$scratch/out"
status 'reports in intervals' 0 fake -t 6 -T 1
same 'of what is new in each' "$own/intervals.out" "$scratch/out"
status 'two rows' 0 fake -t 6 -n 2 --sort=read
text 'and the others in one' '200        24576          4096   40000      100     20        0  c c)1
100        16384          8192  130000     8192     50        0  make (ended)
           16384       8388608   25076  8396800      9      900  (3 more)
           57344       8400896  195076  8405092     79      900  total' "$(sed -n 2,5p "$scratch/out")"
for order in bytes written calls name; do
  fake -t 6 -n 1 --sort=$order > "$scratch/$order" || fail "--sort=$order"
done
text 'other orders' 'dd dd make c' "$(for order in bytes written calls name; do sed -n 2p "$scratch/$order" | awk '{ printf "%s ", $8 }'; done | sed 's/ $//')"

# --- the live view
# view NAME SIZE: the screens under NAME.script
view() {
  { cat "$scratch/machine"; echo "terminal $2"; echo live; echo 'clock 0 1000'; cat "$own/$1.script"; } > "$scratch/$1.scenario"
  PSUITE_FAKE=$scratch/$1.scenario status "$1" 0 "$PSUITE_FAKE_BIN" iostats -a --top
  same "$1: the screens" "$own/$1.out" "$scratch/out"
  hasnt 'nothing but what a terminal knows' 'STRANGE|not restored' "$own/$1.out"
}
view keys 80x24
view small 50x8

# --- a kernel without the accounting, and options that do not go together
rm -rf "$scratch"/[1-4]/proc/1/io
status 'no accounting' 1 fake -t 1
text 'is said' 'iostats: /proc/1/io: No such file or directory
iostats: hint: kernel options CONFIG_TASKSTATS=y CONFIG_TASK_XACCT=y CONFIG_TASK_IO_ACCOUNTING=y' "$(cat "$scratch/err")"
status 'no terminal' 1 "$PSUITE" iostats -a --top
has 'has another way' '^iostats: hint: use -t SECONDS instead of --top for a report$' "$scratch/err"
misuse() { status "${*:2}" 2 "$PSUITE" iostats "${@:2}"; has 'is said' "^iostats: $1" "$scratch/err"; }
misuse '-a has only' -a --tree
misuse '-a has only' -a -b ptrace
misuse '--top has no --json' -a --top --json
misuse '--top and -T need -a' --top true
misuse '--top and -T need -a' -T 1 true
misuse '-t needs -a or -p' -t 1 true
misuse '-a: --sort is by bytes \(default\), read, written, calls or name' -a --sort=opens
status 'a command and all' 2 "$PSUITE" iostats -a true
finish
