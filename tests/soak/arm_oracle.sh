# arm_oracle TOP WORK: chains of 32-bit ARM against the true call stacks, which armcalls.c keeps in qemu-arm by calls, returns
# and stack pointers. Debian's stripped programs of armhf, and some that are compiled here. A row per program: instants; chains
# that are whole, equal and without a guessed frame; those with a guessed frame; wrong ones; then the first reasons. The instants
# of sqlite3 are read as perf.data, too. With gdb-multiarch, then a table of what gdb finds at a fifth of the instants. Fails if 1%
# of chains or more have a guess, or fewer than 99% of all are proven: 3% of those of `throws' cannot be, as __cxa_end_cleanup has
# lost its return address.
#   INSTANTS   of each program, about (1000)
#   SEED       of the instants (1)
set -euo pipefail
top=$1 work=$2
: "${INSTANTS:=1000}" "${SEED:=1}"
root=${PSUITE_GUEST_CACHE:-$HOME/.cache/psuite-guest}/armhf/programs
base=0x10000000000 # where the guest's memory is in QEMU's
here=$top/tests/soak
mkdir -p "$work"
cc -O2 -Wall -shared -fPIC -o "$work/libarmcalls.so" "$here/armcalls.c" -lpthread
arm-linux-gnueabihf-g++ -O2 -s -o "$work/throws" "$here/arm/throws.cc"
arm-linux-gnueabihf-gcc -O2 -s -o "$work/signals" "$here/arm/signals.c"
arm-linux-gnueabihf-gcc -O2 -marm -s -o "$work/signals-a32" "$here/arm/signals.c"
arm-linux-gnueabihf-gcc -O0 -marm -static -s -o "$work/signals-static" "$here/arm/signals.c"

emulate() { # emulate ARGUMENTS-OF-THE-PLUGIN PROGRAM [ARGUMENT...]
  local plugin=$1; shift
  env -i LC_ALL=C PYTHONHOME=/usr PATH=/usr/bin:/bin timeout 600 \
    qemu-arm -singlestep -B $base -L "$root" -plugin "$work/libarmcalls.so,base=$base$plugin" "$@"
}

as_perf_data() { # the same chains are whole as of the instants themselves
  local whole wanted
  wanted=$(sed -nE '$s/.* ([0-9]+) whole.*/\1/p' "$work/sqlite3.cmp")
  python3 "$top/tests/tools/stopsperf.py" "$1" "$work/perf.data"
  "$top/build/psuite" tprof -g --json "$work/perf.data" > "$work/perf.json" 2> "$work/perf.err"
  whole=$(sed -nE 's/.*"whole": *([0-9]+).*/\1/p' "$work/perf.json")
  echo "sqlite3 as perf.data: $whole whole of $wanted"
  [ "$whole" = "$wanted" ]
}

# beside_gdb NAME: a fifth of the instants
beside_gdb() {
  timeout 300 gdb-multiarch -nx -batch -ex "py stops='$work/$1.stops'; dump='$work/$1.cmp'; every=5; core='$work/core'" \
    -x "$here/arm_gdb.py" 2>&1
  rm -f "$work/core"
}

# oracle NAME PROGRAM [ARGUMENT...]: standard input is the program's, which ends with the status STATUS (0)
oracle() {
  local name=$1 stops=$work/$1.stops all every status=0; shift
  cat > "$work/in"
  emulate '' "$@" < "$work/in" > "$work/$name.out" 2> "$work/$name.err" || status=$?
  [ "$status" = "${STATUS:-0}" ] || { tail -3 "$work/$name.err" >&2; echo "arm_oracle: $name: failed" >&2; exit 1; }
  all=$(sed -n 's/^armcalls: \([0-9]*\) instructions$/\1/p' "$work/$name.err")
  every=$((all / INSTANTS + 1))
  emulate ",out=$stops,every=$every,seed=$SEED" "$@" < "$work/in" > "$work/$name.out" 2> "$work/$name.err" || [ $? = "$status" ]
  "$top/build/tests/unwinddump" -v "$stops" > "$work/$name.cmp"
  [ "$name" != sqlite3 ] || as_perf_data "$stops" > "$work/perf.row"
  ! command -v gdb-multiarch > /dev/null || beside_gdb "$name" > "$work/$name.gdb"
  rm "$stops"
  sed -nE '$s/^.*: ([0-9]+) stops, .* ([0-9]+) wrong.*/\1 \2/p' "$work/$name.cmp" > "$work/row"
  local instants wrong proven guessed
  read -r instants wrong < "$work/row"
  proven=$(sed -nE '$s/.* ([0-9]+) proven.*/\1/p' "$work/$name.cmp")
  guessed=$(grep -c '^reason: guessed' "$work/$name.cmp" || true)
  printf '%-16s %8d %8d %8d %8d\n' "$name" "$instants" "$proven" "$guessed" "$wrong"
  echo "$instants $proven $guessed" >> "$work/rows"
  sed -nE 's/^reason: (.*) #([0-9]+) .*\((.*)\)$/\1 \3/p' "$work/$name.cmp" | sort | uniq -c | sort -rn | head -3 | sed 's/^/    /'
}

: > "$work/rows"
printf '%-16s %8s %8s %8s %8s\n' program instants proven guessed wrong
oracle dash "$root/bin/dash" "$here/arm/script.sh" < /dev/null
oracle busybox "$root/bin/busybox" sh "$here/arm/script.sh" < /dev/null
oracle busybox-static "$root/static/bin/busybox" sh "$here/arm/script.sh" < /dev/null
oracle perl "$root/usr/bin/perl" "$here/arm/script.pl" < /dev/null
oracle python3 "$root/usr/bin/python3.11" -S -E -B "$here/arm/script.py" < /dev/null
oracle sqlite3 "$root/usr/bin/sqlite3" :memory: < "$here/arm/script.sql"
oracle bash "$root/bin/bash" "$here/arm/script.sh" < /dev/null
oracle bc "$root/usr/bin/bc" -l < "$here/arm/script.bc"
oracle ed "$root/bin/ed" -s < "$here/arm/script.ed"
oracle gawk "$root/usr/bin/gawk" -f "$here/arm/script.awk" < /dev/null
STATUS=1 oracle git "$root/usr/bin/git" diff --no-index --stat --patch --word-diff "$here/arm/script.sh" "$here/arm/script.pl" < /dev/null
for name in throws signals signals-a32 signals-static; do oracle $name "$work/$name" < /dev/null; done
cat "$work/perf.row"
! command -v gdb-multiarch > /dev/null || sed -nE 's/^ *([0-9]+) gdb +([0-9]+) psuite true  (.*)/\1 \2 \3/p' "$work"/*.gdb | awk '
  { cause = $0; sub(/^[0-9]+ [0-9]+ /, "", cause); n[cause] += $1; ours[cause] += $2; all += $1; proven += $2 }
  END { if (all) printf "gdb of %d instants, at %d of which psuite'"'"'s chain is the true one:\n", all, proven
        for (cause in n) printf "%8d %8d  %s\n", n[cause], ours[cause], cause | "sort -rn" }'
awk '{ n += $1; proven += $2; guessed += $3 }
  END { printf "%d instants, %.2f%% whole and equal, %.2f%% with a guess\n", n, 100 * proven / n, 100 * guessed / n
        exit !(n >= 1000 && proven >= 0.99 * n && guessed < 0.01 * n) }' "$work/rows"
