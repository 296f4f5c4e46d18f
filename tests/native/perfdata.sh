#!/bin/bash
# perf.data as psuite reads it, against what perf itself says of the same recordings: each sample, in order.
# perf mounts tracefs for everybody when it is asked for a tracepoint: here in a mount namespace, with which that goes.
if [ "$(id -u)" = 0 ] && [ -z "${OWN_MOUNTS:-}" ] && unshare -m true 2>/dev/null; then exec env OWN_MOUNTS=1 unshare -m bash "$0"; fi
. lib/check.sh
. lib/need.sh
. lib/perf.sh
: "${WORK:=$TESTS/../build/work}"
dump=$(dirname "$PSUITE")/tests/perfdatadump
data=$scratch/perf.data
need perf=linux-perf
if ! perf record -q -e cpu-clock -o "$data" true 2>/dev/null; then
  skip 'perf.data compared with perf' 'no perf here'; finish
fi

# Which task, when, how much, of which event.
heads_by_perf() { perf_script --ns -F pid,tid,time,period,event -i "$1" | awk '$1 ~ /^-?[0-9]+\/-?[0-9]+$/ { sub(/:$/, "", $2); sub(/:$/, "", $NF); print $1, $2, $3, $4 }'; }
heads_by_us() { awk '!/^#/ { print $1, $2, $3, $4 }' "$1"; }
# Where: the raw numbers, which perf shows in its dump alone.
places_by_perf() {
  perf_script -D -i "$1" | awk '
    function flush() { if (line != "") print line; line = "" }
    /PERF_RECORD_[A-Z0-9_]+/ { flush() }
    /PERF_RECORD_SAMPLE\(/ { match($0, /\): -?[0-9]+\/-?[0-9]+: 0x[0-9a-f]+/); split(substr($0, RSTART + 3, RLENGTH - 3), f, ": 0x"); line = f[1] " " f[2] ":" }
    /^\.\.\.\.\. *[0-9]+: [0-9a-f]+$/ { sub(/^0+/, "", $NF); line = line " " ($NF == "" ? "0" : $NF) }
    END { flush() }'
}
places_by_us() { awk '!/^#/ { printf "%s %s", $1, $5; for (i = 6; i <= NF; i++) printf " %s", $i; print "" }' "$1"; }

# agrees WHAT FILE LEAST: at least so many samples, and all as perf has them
agrees() {
  "$dump" "$2" >"$scratch/dump" 2>&1 || { fail "$1" "$(tail -1 "$scratch/dump")"; return; }
  heads_by_us "$scratch/dump" >"$scratch/our.heads"
  heads_by_perf "$2" >"$scratch/their.heads"
  text "$1: each sample, in order" '' "$(diff "$scratch/their.heads" "$scratch/our.heads" | head -6)"
  places_by_us "$scratch/dump" >"$scratch/our.places"
  places_by_perf "$2" >"$scratch/their.places"
  text "$1: place and chain of each sample" '' "$(diff "$scratch/their.places" "$scratch/our.places" | head -6)"
  holds "$1: at least $3 samples: $(wc -l <"$scratch/our.heads") samples" "$(wc -l <"$scratch/our.heads") >= $3"
  hasnt "$1: no warning" '^# warning' "$scratch/dump"
}
# recorded WHAT LEAST OPTION... COMMAND: recorded by perf, then compared
recorded() {
  local what=$1 least=$2; shift 2
  perf_records "$data" "$@" || { skip "$what" 'perf record failed five times'; return; }
  agrees "$what" "$data" "$least"
}
forks='for i in $(seq 150); do /bin/true; (:); done'

recorded 'flat profile' 300 -e cpu-clock:u -F 1999 "$WORK/burn" 300
has 'flat profile: the event and its rate' '^# event cpu-clock:u type 1 config 0 rate 1999 .* user$' "$scratch/dump"
has 'flat profile: the host name' "^# host $(uname -n)\$" "$scratch/dump"
has 'flat profile: the command of perf record' '^# command .*perf record .*burn 300$' "$scratch/dump"
perf buildid-list -i "$data" 2>/dev/null | sort >"$scratch/want"
sed -n 's/^# build-id //p' "$scratch/dump" | sort >"$scratch/got"
same "flat profile: build-ids are those of perf buildid-list" "$scratch/want" "$scratch/got"

recorded 'call chains' 300 -e cpu-clock -g -F 1999 "$WORK/burn" 300
recorded 'a fixed period' 100 -e cpu-clock -c 1000000 "$WORK/burn" 200
recorded 'registers and stacks' 20 -e cpu-clock:u --call-graph dwarf,1024 -F 499 "$WORK/burn" 100
all=-a # a user who may not record all processors records the command alone
if perf_records "$data" -a -e cpu-clock true; then
  recorded 'all processors' 300 -a -F 999 -e cpu-clock sleep 0.5
  recorded 'a tracepoint with raw data' 1 -e sched:sched_process_exit -a bash -c "$forks"
else
  all= least=200
  skip 'all processors, and a tracepoint with raw data' 'refused here'
fi
recorded 'threads' 300 -e cpu-clock -g -F 1999 "$WORK/shares" 40
recorded 'processes come and gone' 100 -e cpu-clock -F 9999 bash -c "$forks"
recorded 'two events' 300 -e cpu-clock,page-faults -F 1999 bash -c "$WORK/burn 300; $forks"
recorded 'two events with layouts of their own' 300 -e cpu-clock/freq=1999/ -e page-faults/call-graph=fp,period=1/ bash -c "$WORK/burn 300; $forks"
recorded 'a clock of the user'\''s choice' 100 -k CLOCK_MONOTONIC -e cpu-clock -F 999 "$WORK/burn" 200

if perf version --build-options 2>/dev/null | grep -q 'zstd:.*on' && "$PSUITE" --version | grep -q libzstd; then
  recorded 'compressed' 300 -z -e cpu-clock -F 1999 "$WORK/burn" 300
  recorded 'compressed, two events of all processors' ${least:-1000} -z $all -g -e cpu-clock,page-faults -F 9999 bash -c "$forks"
  size=$(stat -c %s "$data")
  recorded 'compressed, with buffers of 4 pages' ${least:-1000} -z -m 4 $all -e cpu-clock -F 9999 bash -c "$forks"
  holds 'compressed: the file has zstd records' "$size > 0 && $(sed -n 's/^# zstd \([0-9]*\),.*/\1/p' "$scratch/dump") == 1"
else
  skip 'compressed' 'perf or psuite has no zstd here'
fi

# A stream: through a pipe, as it is from another machine.
if perf_streams "$data" -e cpu-clock,page-faults -g -F 1999 bash -c "$WORK/burn 200; $forks"; then
  has 'perf record -o - is read as a stream' '^# zstd 0, stream' <("$dump" "$data")
  agrees 'a stream' "$data" 300
  "$dump" - <"$data" >"$scratch/piped"
  same 'a stream from standard input' "$scratch/dump" "$scratch/piped"
else
  skip 'a stream' 'perf record failed five times'
fi

# What JIT compilers tell is read after the program has ended, from its map and from its jitdump file.
jit_row='^ *[0-9]+.*spin.* \[JIT\]$'
perf_records "$data" -e cpu-clock:u -F 999 sh -c 'echo $$ > "$1"; exec "$2" 0.3' sh "$scratch/pid" "$WORK/compiled"
status 'tprof of perf.data of a JIT compiler with a perf-PID.map' 0 "$PSUITE" tprof "$data"
has 'perf-PID.map names the compiled function' "$jit_row" <(tr '\t' ' ' <"$scratch/out")
map=/tmp/perf-$(cat "$scratch/pid").map
[ "$(id -u)" = 0 ] && chown 65534 "$map" && {
  status "tprof of perf.data with another user's perf-PID.map" 0 "$PSUITE" tprof "$data"
  hasnt "another user's perf-PID.map names no function" "$jit_row" <(tr '\t' ' ' <"$scratch/out")
  has "another user's perf-PID.map is refused with a message" "perf-[0-9]*.map is owned by neither the process's user nor root: not used" "$scratch/err"
}
rm -f "$map"
perf_records "$data" -e cpu-clock:u -F 999 "$WORK/compiled" 0.3 "$scratch"
status 'tprof of perf.data of a JIT compiler with a jitdump file' 0 "$PSUITE" tprof "$data"
has 'the jitdump file names the compiled function' "$jit_row" <(tr '\t' ' ' <"$scratch/out")

# Without build-ids: on the machine that recorded it the inode tells; elsewhere the path is taken, which is said.
cp "$WORK/burn" "$scratch/burn"
perf_records "$data" -B -N -e cpu-clock:u -F 999 "$scratch/burn" 200
status 'tprof of perf.data without build-ids' 0 "$PSUITE" tprof "$data"
has 'without build-ids: functions have names on the machine that recorded' '	(burn|main)( |$)' "$scratch/out"
hasnt 'without build-ids: no warning on the machine that recorded' 'build-id' "$scratch/err"
if unshare -u true 2>/dev/null; then
  status 'tprof of perf.data without build-ids under another host name' 0 unshare -u sh -c 'hostname elsewhere; exec "$0" tprof "$1"' "$PSUITE" "$data"
  has 'without build-ids, another host name: functions have names' '	(burn|main)( |$)' "$scratch/out"
  has 'without build-ids, another host name: a warning that names come from the paths' '[0-9]+ files? without build-id: names come from what is now at the path' "$scratch/err"
else
  skip 'without build-ids, another host name' 'no right to a host name of our own'
fi
# What perf leaves when it is killed: no size of the data, and nothing behind them, where the name of the machine would be.
python3 - "$data" "$scratch/killed" <<'E'
import struct, sys
b = bytearray(open(sys.argv[1], "rb").read())
at, size = struct.unpack_from("<QQ", b, 40)
struct.pack_into("<Q", b, 48, 0)
b[72:104] = bytes(32)
open(sys.argv[2], "wb").write(b[:at + size])
E
status 'tprof of perf.data of a perf that was killed' 0 "$PSUITE" tprof "$scratch/killed"
has 'perf was killed: a warning' 'the recording was not finished: perf was killed' "$scratch/err"
has 'perf was killed: functions have names, as the inode is the same' '	(burn|main)( |$)' "$scratch/out"
cp "$WORK/shares" "$scratch/new" && mv "$scratch/new" "$scratch/burn"
status 'tprof of perf.data of a perf that was killed, with another program at the path' 0 "$PSUITE" tprof "$scratch/killed"
has 'perf was killed: another program at the path gives no names' '	\(no symbol\) \[burn\]' "$scratch/out"
status 'tprof of perf.data without build-ids, with another program at the path' 0 "$PSUITE" tprof "$data"
has 'without build-ids: another program at the path gives no names' '	\(no symbol\) \[burn\]' "$scratch/out"

# What is there of a file that was cut off was in the whole file. It need not be the first in time: perf writes one CPU after the other.
if perf_records "$data" -e cpu-clock -F 1999 "$WORK/burn" 200; then
  samples() { grep -v '^#' | sed 's/ cpu-clock:u / cpu-clock /'; } # the names of events, with the :u that perf adds for ordinary users, are at the end
  "$dump" "$data" | samples >"$scratch/all"
  head -c "$(($(stat -c %s "$data") / 2))" "$data" >"$scratch/half"
  "$dump" "$scratch/half" >"$scratch/dump"
  has 'cut off: a warning' '^# warning: cut off' "$scratch/dump"
  samples <"$scratch/dump" >"$scratch/got"
  holds 'cut off: at least 50 samples are read' "$(wc -l <"$scratch/got") >= 50"
  text 'cut off: each sample read is in the whole file' '' "$(sort "$scratch/all" | comm -13 - <(sort "$scratch/got") | head -3)"
else
  skip 'cut off' 'perf record failed five times'
fi
finish
