# Where memory is short, buffers are smaller or other ones, and the report says so; psuite is the first that the kernel would
# kill. The memory of small boards is a /proc/meminfo of ours in a mount namespace.
. lib/check.sh
. lib/need.sh

# --- the first victim
wait_for_score() { # of a process: 1000
  [ "$(cat "/proc/$1/oom_score_adj")" = 1000 ]
}
for applet in 'tprof -p SELF' 'trace' 'stats --csv' 'kprof'; do
  command=("$PSUITE" ${applet/SELF/$$})
  "${command[@]}" > "$scratch/out" 2> "$scratch/err" & pid=$!
  if until_ok eval "wait_for_score $pid || ! kill -0 $pid" && kill -0 $pid 2>/dev/null; then
    pass "$applet: oom_score_adj is 1000"
  elif grep -Eq 'not permitted|denied|hint' "$scratch/err"; then
    skip "$applet" "$(head -1 "$scratch/err")"
  else
    fail "$applet: oom_score_adj is 1000" "$(head -3 "$scratch/err")"
  fi
  kill $pid 2>/dev/null; wait $pid 2>/dev/null
done
text 'ours is what it was' "$(cat /proc/$$/oom_score_adj)" "$(sh -c 'cat /proc/self/oom_score_adj')"

# --- what is freed is the system's again, which the GNU C library does only if it is told
if nm -D "$PSUITE" 2>/dev/null | grep -q ' U malloc@GLIBC'; then
  nm -D "$PSUITE" > "$scratch/symbols"
  has 'large blocks are returned' ' U mallopt@' "$scratch/symbols"
  has 'a live view returns the rest' ' U malloc_trim@' "$scratch/symbols"
else
  skip 'what is freed' 'not linked with a shared GNU C library'
fi

# --- what is read once of a large file does not stay in memory: the call frame information of a compiler
need g++
compiler=$(g++ -print-prog-name=cc1plus)
resident_kb() { # resident_kb PID: what process PID has in memory of the compiler; nothing when it has not opened it
  awk -v f="$compiler" '/^[0-9a-f]+-[0-9a-f]+ / { on = $6 == f } on && /^Rss:/ { n += $2; any = 1 } END { if (any) print n }' "/proc/$1/smaps"
}
has_opened() { [ -n "$(resident_kb "$1")" ]; }
has_released() { [ "$(resident_kb "$1")" -lt $((size_kb / 4)) ]; }
compiler=$(readlink -f "$compiler") size_kb=$(($(stat -Lc %s "$compiler") / 1024))
"$PSUITE" tprof -g -q -t 600 -fo /dev/null -x sh -c 'while :; do g++ -O2 -c -o /dev/null "$0"; done' work/throws.cc > "$scratch/out" 2> "$scratch/err" & pid=$!
if until_ok has_opened $pid; then
  sleep 3
  ok "of $size_kb KB of a compiler less than a quarter stays" until_ok has_released $pid
else
  skip 'files that were read' "$(head -1 "$scratch/err")"
fi
kill $pid 2>/dev/null; wait $pid 2>/dev/null

# --- what was read of a recorded file does not stay either: memory does not grow with the file
need python3
peak_kb() { # peak_kb COMMAND...: the most memory it had; nothing when it failed
  python3 -c '
import resource, subprocess, sys
if subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL).returncode == 0:
    print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)' "$@"
}
# stays WHAT SMALL LARGE: LARGE is 30 MB or more larger, with samples of the same places
stays() {
  local small large grown=$((($(stat -c %s "$3") - $(stat -c %s "$2")) / 1024))
  small=$(peak_kb "$PSUITE" tprof "$2") large=$(peak_kb "$PSUITE" tprof "$3")
  holds "$1: a file of $grown KB more is reported in ${small:-no} and ${large:-no} KB" "$grown >= 30000 && ${small:-0} > 0 && ${large:-999999} - ${small:-0} < 4000"
}
make=$(dirname "$PSUITE")/tests/perfdatamake
"$make" "$scratch/small.data" 100000 500 && "$make" "$scratch/large.data" 1000000 500
stays 'perf.data' "$scratch/small.data" "$scratch/large.data"
# A recording without its head, behind another, is more of it: threads and modules may be defined again.
"$PSUITE" tprof -q --record "$scratch/small.rec" "$scratch/large.data" > "$scratch/out" 2> "$scratch/err"
cp "$scratch/small.rec" "$scratch/large.rec"
for _ in 1 2 3 4 5 6; do tail -c +9 "$scratch/small.rec"; done >> "$scratch/large.rec"
stays 'a recording' "$scratch/small.rec" "$scratch/large.rec"
rm -f "$scratch"/{small,large}.{data,rec}

# --- nor do pages of the files that its names are read from: 150 programs of less than 1 MB each, which are not given back on
# their own. Their symbols are nearly all of data: they are read, and not kept.
need gcc
if [ "$(uname -m)" = x86_64 ]; then
  printf '%s\n' '.text' '.globl _start, hot' '.type hot, @function' '_start: hot: .fill 64' '.size hot, 64' '.macro one' 'data_\@: .byte 0' \
    '.type data_\@, @object' '.size data_\@, 1' '.endm' '.data' '.rept 24000' 'one' '.endr' > "$scratch/many.s"
  gcc -nostdlib -static "$scratch/many.s" -o "$scratch/program"
  size=$(stat -c %s "$scratch/program") address=$(nm "$scratch/program" | awk '$3 == "hot" { print $1 }')
  holds "the program has $size bytes" "$size > 800000 && $size < 1048576"
  for i in $(seq 150); do ln "$scratch/program" "$scratch/copy$i"; done
  python3 lib/perfdata.py "$scratch/programs.data" 200 "$address" "$scratch"/copy*
  "$PSUITE" tprof --sysroot / "$scratch/programs.data" > "$scratch/out" 2> "$scratch/err"
  text 'a row a program' 150 "$(grep -c 'hot \[copy' "$scratch/out")"
  kb=$(peak_kb "$PSUITE" tprof --sysroot / "$scratch/programs.data")
  size=$(($(stat -c %s "$scratch/programs.data") / 1048576))
  holds "perf.data of $size MB and 150 programs are reported in ${kb:-no} KB" "$size >= 200 && ${kb:-999999} < 28000"
  rm -f "$scratch"/{copy*,programs.data}
fi

# --- small boards
if ! unshare -m true 2>/dev/null; then skip 'small boards' 'no mount namespace'; finish; fi
# board AVAILABLE_KB CMA_KB COMMAND...: psuite there
board() {
  printf 'MemTotal: 65536 kB\nMemFree: %s kB\nMemAvailable: %s kB\nCmaFree: %s kB\n' "$1" "$1" "$2" > "$scratch/meminfo"
  shift 2
  unshare -m sh -c 'mount --bind "$1" /proc/meminfo && shift && exec "$@"' sh "$scratch/meminfo" "$PSUITE" "$@"
}
cpus=$(nproc)
if "$PSUITE" tprof -a -k -t 0.1 > /dev/null 2> "$scratch/err" && [ $cpus -le 8 ]; then
  status 'stacks with 39 MB' 0 board 39936 0 tprof -a -g -t 0.3
  has 'smaller rings, with a note' 'perf cpu-clock, rings of [0-9]+ [MK]B \(39 MB of memory are free\),.* user mode' "$scratch/out"
  status 'stacks with 24 MB, of which 16 are for devices' 0 board 24576 16384 tprof -a -g -t 0.3
  has 'these do not count' ', rings of [0-9]+ KB \(8 MB of memory are free\)' "$scratch/out"
  status 'deep chains with 39 MB' 0 board 39936 0 tprof -g -fo "$scratch/deep" -x "$(dirname "$PSUITE")/work/chain_kinds" forty 3000
  has 'have long copies of the stack' ', (32|64) KB of stack, user mode' "$scratch/deep"
  has 'and are complete' '^call chains: (99|100)[.0-9]*% of [0-9]+ complete' "$scratch/deep"
  status 'shallow chains with 39 MB' 0 board 39936 0 tprof -g -F 4999 -fo "$scratch/shallow" -x "$(dirname "$PSUITE")/work/chain_kinds" shallow 1500
  has 'have short ones after a while' ', [0-9]+ KB of stack \([0-9]+ KB before\), user mode' "$scratch/shallow"
  status 'JSON has the note' 0 board 39936 0 tprof -a -g --json -t 0.3
  has 'in its method' '"method":"perf cpu-clock, rings of' "$scratch/out"
  status 'no memory at all' 1 board 64 0 tprof -a -t 0.3
  has 'is refused' "^tprof: not enough memory: buffers for $cpus CPUs? take [0-9]+ KB or more, and 64 KB of memory are free\$" "$scratch/err"
  has 'with what is needed' '^tprof: hint: buffers take at most a quarter of the free memory: free [0-9]+ [KM]B more$' "$scratch/err"
  status 'enough memory' 0 board 64000000 0 tprof -a -g -t 0.3
  hasnt 'no note' 'rings of' "$scratch/out"
else
  skip 'rings' "$(cat "$scratch/err"), $cpus CPUs"
fi
status 'by ptrace' 0 board 8192 0 tprof -E ptrace -g -x sh -c :
has 'a smaller buffer' 'a buffer of 512 KB \(8 MB of memory are free\)' "$scratch/err"

if "$PSUITE" trace -s 0.1 > /dev/null 2> "$scratch/err" && [ $cpus -le 8 ]; then
  status 'trace with 24 MB, of which 16 are for devices' 0 board 24576 16384 trace -s 0.3
  has 'without an instance of tracefs' 'by perf tracepoints, rings of [0-9]+ KB \(8 MB of memory are free\)' "$scratch/out"
  status 'trace with 160 MB' 0 board 163840 0 trace -s 0.3
  has 'with an instance' 'by tracefs, rings of [0-9]+ [KM]B \(160 MB of memory are free\)' "$scratch/out"
  status 'a size that fits' 0 board 163840 0 trace -b 512 -s 0.3
  has 'is what was asked for' 'by tracefs$|by tracefs;' "$scratch/out"
  status 'a size that does not' 1 board 24576 16384 trace -b 8192 -s 0.3
  has 'is refused in words' "^trace: not enough memory: buffers for $cpus CPUs? take $((24 * cpus)) MB, and 8 MB of memory are free\$" "$scratch/err"
  has 'with the remedy' '^trace: hint: buffers take at most half of the free memory: .* or ask for less$' "$scratch/err"
else
  skip 'trace' "$(cat "$scratch/err"), $cpus CPUs"
fi
finish
