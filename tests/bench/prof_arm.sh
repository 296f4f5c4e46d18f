#!/bin/bash
# Instructions that a recorded call takes on ARM: a leaf loop and fib in a guest that counts instructions as nanoseconds
# (QEMU's -icount shift=0), with empty hooks, with hooks that read the counter twice, and with libpsprof.a by proftype, also
# with profsample=0 (unsampled), above the bare program. A table a processor: BUILD-arm64 and BUILD-armhf (./dev cross) must be there.
set -u
source=$(cd "$(dirname "$0")/../.." && pwd)
: "${BUILD:=$source/build}" "${CALLS:=200000}" "${FIB:=22}"
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cat > "$dir/calls.c" <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#define QUIET __attribute__((no_instrument_function))
static volatile int sink;
__attribute__((noinline)) void leaf(int i) { sink = i; }
__attribute__((noinline, noclone)) int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
QUIET static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1e9 + t.tv_nsec;
}
QUIET static int fib_calls(int n) { return n < 2 ? 1 : 1 + fib_calls(n - 1) + fib_calls(n - 2); }
QUIET int main(int c, char **v)
{
    int calls = atoi(v[c - 2]), n = atoi(v[c - 1]);
    fib(n);
    double a = now();
    for (int i = 0; i < calls; i++) leaf(i);
    double b = now();
    fib(n);
    printf("%.1f %.1f\n", (b - a) / calls, (now() - b) / fib_calls(n));
    return 0;
}
C
echo 'void __cyg_profile_func_enter(void *f, void *s) {(void)f,(void)s;} void __cyg_profile_func_exit(void *f, void *s) {(void)f,(void)s;}' > "$dir/empty.c"
cat > "$dir/clocks.c" <<'C'
#include "cpu.h"
uint64_t sum;
void __cyg_profile_func_enter(void *f, void *s) { (void)f, (void)s; sum -= cpu_ticks(); }
void __cyg_profile_func_exit(void *f, void *s) { (void)f, (void)s; sum += cpu_ticks(); }
C
for arch in arm64 armhf; do
  library=$BUILD-$arch/libpsprof.a
  [ -e "$library" ] || { echo "no $library: ./dev cross $arch" >&2; continue; }
  case $arch in arm64) gcc=aarch64-linux-gnu-gcc cpu=aarch64 ;; *) gcc=arm-linux-gnueabihf-gcc cpu=arm ;; esac
  hooked="-finstrument-functions -static -pthread $dir/calls.c"
  mkdir -p "$dir/$arch"
  $gcc -O2 -static "$dir/calls.c" -o "$dir/$arch/bare" || continue
  for hooks in empty clocks; do
    $gcc -O2 -I"$source/src/runtime/$cpu" -c "$dir/$hooks.c" -o "$dir/$hooks.o"
    $gcc -O2 $hooked "$dir/$hooks.o" -o "$dir/$arch/$hooks"
  done
  $gcc -O2 $hooked "$library" -o "$dir/$arch/psprof" || continue
  cat > "$dir/$arch/all" <<A
cd /tmp; for p in bare empty clocks; do echo \$p \$(/$arch/\$p $CALLS $FIB); done
for t in elapsed count adaptive kernel; do echo \$t \$(proftype=\$t /$arch/psprof $CALLS $FIB); done
for t in elapsed adaptive kernel; do echo \$t,unsampled \$(profsample=0 proftype=\$t /$arch/psprof $CALLS $FIB); done
A
  echo "$arch, instructions a call above bare:"
  echo '| kind | leaf | fib |'
  echo '|---|---|---|'
  SMP=1 QEXTRA='-icount shift=0' "$source/tests/guest/run" $arch "sh /$arch/all" "$dir/$arch" |
    awk 'NF == 3 { if ($1 == "bare") { leaf = $2; fib = $3 } else printf "| %s | %.1f | %.1f |\n", $1, $2 - leaf, $3 - fib }'
done
