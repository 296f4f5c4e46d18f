#!/bin/bash
# The cost of a recorded call: fib, a leaf loop, and a loop that calls two leaves in turn; bare, with empty hooks, with hooks that read
# the clock twice (the lower bound of exact timing), with libpsprof.a by proftype, and under gprof, uftrace, callgrind and XRay if
# installed, in turn, ROUNDS (7) times. ns per call beyond the bare program, in CPU time of user mode; the ratio to the lower bound
# (empty hooks for count, two readings for elapsed) is the median over the rounds; then the bytes of data. With LIMIT=1 it exits 1 when
# elapsed is over 1.15 (1.5 for two leaves in turn), count over 1.3, adaptive over a third of elapsed (a half), or the data over 64 KB.
set -u
: "${PSUITE:?the psuite to measure}" "${ROUNDS:=7}" "${FIB:=33}" "${LEAVES:=10000000}"
source=$(cd "$(dirname "$0")/../.." && pwd) build=$(dirname "$PSUITE")
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit
cat > fib.c <<'C'
#include <stdio.h>
#include <stdlib.h>
int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
int main(int c, char **v) { printf("%d\n", fib(atoi(v[c - 1]))); return 0; }
C
cat > leaf.c <<'C'
#include <stdlib.h>
static volatile int sink;
__attribute__((noinline)) void leaf(int i) { sink = i; }
int main(int c, char **v) { int n = atoi(v[c - 1]); for (int i = 0; i < n; i++) leaf(i); return 0; }
C
cat > turns.c <<'C'
#include <stdlib.h>
static volatile int sink;
__attribute__((noinline)) void leaf(int i) { sink = i; }
__attribute__((noinline)) void other(int i) { sink = i + 1; }
int main(int c, char **v) { int n = atoi(v[c - 1]); for (int i = 0; i < n; i += 2) { leaf(i); other(i); } return 0; }
C
echo 'void __cyg_profile_func_enter(void *f, void *s) {(void)f,(void)s;} void __cyg_profile_func_exit(void *f, void *s) {(void)f,(void)s;}' > empty.c
cat > clocks.c <<'C'
#include "cpu.h"
uint64_t sum;
void __cyg_profile_func_enter(void *f, void *s) { (void)f, (void)s; sum -= cpu_ticks(); }
void __cyg_profile_func_exit(void *f, void *s) { (void)f, (void)s; sum += cpu_ticks(); }
C
cpu=$(uname -m)
for hooks in empty clocks; do gcc -O2 -I"$source/src/runtime/$cpu" -c $hooks.c && ar rc lib$hooks.a $hooks.o; done
have() { command -v "$1" >/dev/null; }
kinds='bare empty clocks elapsed count adaptive kernel gprof'
have uftrace && kinds="$kinds uftrace"
have valgrind && kinds="$kinds callgrind"
for p in fib leaf turns; do
  gcc -O2 $p.c -o $p.bare; gcc -O2 -pg $p.c -o $p.gprof; gcc -O2 -finstrument-functions -c $p.c
  for hooks in empty clocks; do gcc $p.o lib$hooks.a -o $p.$hooks; done
  gcc $p.o "$build/libpsprof.a" -pthread -o $p.psprof || exit
  clang -O2 -fxray-instrument -fxray-instruction-threshold=1 $p.c -o $p.xray 2>/dev/null && kinds="${kinds/ xray/} xray"
done

# user_seconds KIND PROGRAM ARGUMENT
user_seconds() {
  local cmd=("./$2.$1" "$3")
  case $1 in
    elapsed | count | adaptive | kernel) cmd=(env "proftype=$1" "./$2.psprof" "$3") ;;
    uftrace) cmd=(uftrace record -d data.uftrace "./$2.gprof" "$3") ;;
    callgrind) cmd=(valgrind -q --tool=callgrind --callgrind-out-file=data.callgrind "./$2.bare" "$3") ;;
    xray) cmd=(env 'XRAY_OPTIONS=patch_premain=true xray_mode=xray-basic xray_logfile_base=data.xray verbosity=0' "./$2.xray" "$3") ;;
  esac
  rm -rf data.* prof.* gmon.out
  TIMEFORMAT=%U; { time "${cmd[@]}" >/dev/null 2>&1; } 2>&1
  du -cb data.* prof.* gmon.out 2>/dev/null | awk 'END { print $1 }' > bytes
}
median() { sort -n | awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'; }
ratio() { paste "$1" "$2" | awk '{ print $1 / ($2 > 0 ? $2 : 1e-9) }' | median; }
added() { paste "$1" "$2" "$3" | awk '{ print ($1 - $3) / ($2 > $3 ? $2 - $3 : 1e-9) }' | median; }
ns() { paste "$1" "$2" | awk -v n="$3" '{ print ($1 - $2) * 1e9 / n }' | median; }

failed=0
limit() { [ -z "${LIMIT:-}" ] || awk "BEGIN { exit !($2) }" || { echo "over its limit: $1" >&2; failed=1; }; }
echo '| program | kind | ns a call above bare | to its floor | bytes of data |'
echo '|---|---|---|---|---|'
for p in fib leaf turns; do
  most_elapsed=1.15 most_adaptive=0.334
  [ $p != turns ] || most_elapsed=1.5 most_adaptive=0.5
  if [ $p = fib ]; then argument=$FIB calls=$(awk -v n="$FIB" 'BEGIN { a = 0; b = 1; for (i = 0; i <= n; i++) { t = a + b; a = b; b = t } print 2 * a - 1 }')
  else argument=$LEAVES calls=$LEAVES; fi
  for ((i = 0; i < ROUNDS; i++)); do
    for kind in $kinds; do
      few=$argument divide=1
      case $kind in uftrace | callgrind | xray) [ $i -lt 3 ] || continue ;; esac
      user_seconds "$kind" $p "$few" >> "$p.$kind.times"
      cp bytes "$p.$kind.bytes"
    done
  done
  for kind in $kinds; do
    floor=-
    case $kind in
      elapsed) floor=$(ratio $p.elapsed.times $p.clocks.times); limit "$p elapsed $floor" "$floor <= $most_elapsed" ;;
      count) floor=$(ratio $p.count.times $p.empty.times); limit "$p count $floor" "$floor <= 1.3" ;;
      adaptive) floor=$(added $p.adaptive.times $p.elapsed.times $p.bare.times); limit "$p adaptive $floor" "$floor <= $most_adaptive"; floor="$floor of elapsed's" ;;
    esac
    head -"$(wc -l < "$p.$kind.times")" $p.bare.times > bare.same
    bytes=$(cat "$p.$kind.bytes")
    [ $kind != elapsed ] || limit "$p data $bytes" "$bytes < 65536"
    printf '| %s | %s | %.1f | %s | %s |\n' $p $kind "$(ns "$p.$kind.times" bare.same "$calls")" "$floor" "${bytes:-0}"
  done
done
exit $failed
