# What libpsprof costs a program of up to 30,000 threads that are all there at once: its CPU time, without that of the same
# program without hooks, grows by an exponent of at most 1.05 (EXPONENT) from the last size but one to the last. Each size is
# run RUNS times, both programs in turn, and the least of each counts. A thread makes CALLS calls. Root raises the kernel's
# limits of threads and mappings for the largest sizes, and puts them back.
cd "$(dirname "$0")/.." || exit
. lib/check.sh
. lib/need.sh
need gcc
: "${SIZES:=500 1000 2000 4000 8000 16000 30000}" "${CALLS:=10000}" "${RUNS:=5}" "${EXPONENT:=1.05}"

limits='/proc/sys/kernel/pid_max /proc/sys/kernel/threads-max /proc/sys/vm/max_map_count'
for limit in $limits; do cp "$limit" "$scratch/$(basename "$limit")"; done
restore_limits() { for limit in $limits; do cat "$scratch/$(basename "$limit")" > "$limit"; done 2> /dev/null; rm -rf "$scratch"; }
trap restore_limits EXIT
raise() { [ "$(cat "$1")" -ge "$2" ] || echo "$2" > "$1"; } 2> /dev/null
raise /proc/sys/kernel/pid_max 131072
raise /proc/sys/kernel/threads-max 131072
raise /proc/sys/vm/max_map_count 1000000
# A thread has its stack, its guard page and what the library maps for it.
most=$(awk '{ n = FILENAME ~ /max_map_count/ ? $1 / 8 : $1 - 2000; if (!m || n < m) m = n } END { print int(m) }' $limits)

hooks=$("$PSUITE" prof --cflags) libs=$("$PSUITE" prof --libs)
ok 'the program without hooks' gcc -O1 -g work/prof/alive.c -pthread -o "$scratch/plain"
ok 'the program with hooks' gcc -O1 -g $hooks work/prof/alive.c $libs -o "$scratch/hooked"
mkdir "$scratch/run"; cd "$scratch/run" || exit

# least KIND THREADS: seconds of CPU
least() {
  rm -f prof.*
  timeout 600 "../$1" "$2" "$CALLS" > ../said || { fail "$1, $2 threads" "status $?"; return 1; }
  awk -v last="$3" '$1 == "cpu_s" { print last == "" || $2 < last ? $2 : last }' ../said
}
printf '%8s %8s %8s %8s %8s\n' threads plain_s hooked_s more_s exponent
before_n= before=
for n in $SIZES; do
  [ "$n" -le "$most" ] || { skip "$n threads" "the kernel's limits allow $most, and only root may raise them"; continue; }
  plain= hooked=
  for ((run = 0; run < RUNS; run++)); do
    plain=$(least plain "$n" "$plain") && hooked=$(least hooked "$n" "$hooked") || break
  done
  text "of $n threads all are recorded" "$((n * CALLS))" "$("$PSUITE" prof ../hooked prof.* 2> /dev/null | awk '$4 == "leaf" { print $3 }')"
  exponent=$(awk -v n="$n" -v m="$hooked" -v p="$plain" -v bn="$before_n" -v b="$before" 'BEGIN { print bn == "" ? "-" : log((m - p) / b) / log(n / bn) }')
  before=$(awk "BEGIN { print $hooked - $plain }") before_n=$n
  printf '%8s %8.2f %8.2f %8.2f %8.5s\n' "$n" "$plain" "$hooked" "$before" "$exponent"
done
holds "the last exponent is at most $EXPONENT" "${exponent:-9} <= $EXPONENT"
finish
